import ArgumentParser
import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsSources
import WhereaboutsStore

/// The options of the commands about days, visits and places.
struct DaysOptions: ParsableArguments {
  @OptionGroup var store: StoreOptions

  @Option(
    help: ArgumentHelp(
      """
      Time zone of days and times, as in Europe/Berlin or UTC+2, or `stated` for the offsets that the imported \
      recordings state. (default: the system's)
      """, valueName: "zone"
    ), transform: TimeZoneArgument.parse)
  var timeZone: TimeZoneArgument?

  @Option(help: ArgumentHelp("Minimum duration of a visit, at least 1m.", valueName: "duration"))
  var stay = DurationArgument(VisitTerms.standard.minimumStay)

  init() {}

  func validate() throws {
    if stay.duration < .seconds(60) { throw ValidationError("--stay must be at least 1m") }
  }

  /// Whether times have the offsets that recordings state.
  private var hasStatedZone: Bool { timeZone.map { $0.rules == nil } ?? false }

  /// Returns the calendar of the days.
  ///
  /// - Parameter offsets: the offsets that recordings state, in the order of time.
  func calendar(stated offsets: [StatedOffset]) -> DayCalendar {
    guard hasStatedZone else { return DayCalendar(timeZone?.rules ?? .system) }
    let system = TimeZoneRules.system
    guard offsets.isEmpty else { return DayCalendar(stated: offsets, otherwise: system) }
    StandardError.print("no recording states an offset from UTC: the times are those of \(system.name)")
    return DayCalendar(system)
  }

  /// Returns the offsets that the recordings of a store's device state; empty unless they are needed.
  func statedOffsets(in open: OpenStore) throws -> [StatedOffset] {
    try hasStatedZone ? open.attempt { try $0.statedOffsets(of: open.device) } : []
  }

  /// The settings of the segmenter.
  var settings: SegmenterSettings {
    SegmenterSettings(visits: VisitTerms(minimumStay: stay.duration))
  }

  /// Returns the history of the store's device, or of recordings if any are given.
  func history(of files: [String], _ reading: ReadingSettings) throws -> DayHistory {
    guard files.isEmpty else {
      if store.store != nil { throw CommandError("--store and files can't be combined", code: .usage) }
      return try history(ofRecordings: files, reading)
    }
    let open = try OpenStore.readingPast(store.selection)
    defer { open.close() }
    return try history(of: open)
  }

  /// Returns the history of a store's device.
  func history(of open: OpenStore) throws -> DayHistory {
    var history = DayHistory(
      places: try open.attempt { try $0.places(of: open.device) }, settings: settings,
      bound: UTCTime.now.advanced(by: DayHistory.futureTolerance))
    try open.fixes(all: true) { history.add($0) }
    history.add(try open.attempt { try $0.statedVisits(of: open.device) })
    history.finish()
    history.statedOffsets = try statedOffsets(in: open)
    return history
  }

  private func history(ofRecordings files: [String], _ reading: ReadingSettings) throws -> DayHistory {
    var fixes: [Fix] = []
    var offsets: [StatedOffset] = []
    var visits: [RecordedVisit] = []
    for file in files {
      var reader = try RecordingReader(path: file, settings: reading, progress: ProgressMeter.init)
      var elements: [RecordingElement] = []
      while try reader.read(into: &elements) {
        for element in elements {
          switch element {
          case .fix(let fix): if fix.time != nil { fixes.append(fix) }
          case .visit(let visit): visits.append(visit)
          case .offset(let minutes, let time): offsets.append(StatedOffset(time: time, minutes: minutes))
          default: break
          }
        }
      }
      for line in ProblemReport.lines(reader.problems, of: reader.name) { StandardError.print(line) }
    }
    fixes.sort { before, after in
      guard let first = before.time, let second = after.time else { return false }
      return first < second
    }
    var history = DayHistory(settings: settings)
    for fix in fixes { history.add(fix) }
    history.add(visits)
    history.finish()
    history.statedOffsets = StatedOffset.changes(offsets)
    return history
  }
}

/// The days that a command reports.
struct DayRangeOptions: ParsableArguments {
  @Option(help: ArgumentHelp("First day. (default: no limit)", valueName: "yyyy-mm-dd"))
  var from: DateArgument?

  @Option(help: ArgumentHelp("Last day. (default: no limit)", valueName: "yyyy-mm-dd"))
  var to: DateArgument?

  init() {}

  func validate() throws {
    if let from, let to, to.day < from.day { throw ValidationError("--to is before --from") }
  }

  /// Whether a day was given.
  var isGiven: Bool { from != nil || to != nil }

  /// The numbers of the days; `nil` for all.
  var range: ClosedRange<Int>? {
    guard isGiven else { return nil }
    func number(_ date: DateArgument) -> Int { Int(date.day.nanosecondsSince1970 / 86_400_000_000_000) }
    return (from.map(number) ?? .min)...(to.map(number) ?? .max)
  }
}
