import Whereabouts
package import WhereaboutsEngine
import WhereaboutsFormats
package import WhereaboutsModel
package import WhereaboutsReports
import WhereaboutsSources
import WhereaboutsStore
import WhereaboutsSystem

/// A reader of the past of a device as days, visits and places, from a store or from recordings.
package struct DaysReader: Sendable {
  /// The time zone of days and times.
  package enum Zone: Hashable, Sendable {
    /// The zone of the system.
    case system
    case rules(TimeZoneRules)
    /// The offsets that recordings state.
    case stated
  }

  /// The number of the days that ``PastReport/lastDays`` reports.
  private static let lastDayCount = 7

  /// A report of the past of a store that leaves out fixes and stated visits dated more than a day ahead of the clock.
  package enum PastReport: String, Sendable {
    case lastDays = "last seven days"
    case visits, totals, places
  }

  package let store: StoreSelection
  package let zone: Zone
  /// The settings of the segmenter.
  package let settings: SegmenterSettings

  package init(store: StoreSelection, zone: Zone, settings: SegmenterSettings) {
    self.store = store
    self.zone = zone
    self.settings = settings
  }

  /// Returns the calendar of the days.
  ///
  /// - Parameter offsets: the offsets that recordings state, in the order of time.
  package func calendar(stated offsets: [StatedOffset]) -> DayCalendar {
    switch zone {
    case .system: return DayCalendar(.system)
    case .rules(let rules): return DayCalendar(rules)
    case .stated: break
    }
    let system = TimeZoneRules.system
    guard offsets.isEmpty else { return DayCalendar(stated: offsets, otherwise: system) }
    StandardError.print("no recording states an offset from UTC: the times are those of \(system.name)")
    return DayCalendar(system)
  }

  /// Returns the offsets that the recordings of a store's device state; empty unless they are needed.
  package func statedOffsets(in open: OpenStore) throws -> [StatedOffset] {
    try zone == .stated ? open.attempt { try $0.statedOffsets(of: open.device) } : []
  }

  /// Returns the days of the store's device, or of recordings if any are given. Fixes dated more than a day ahead of
  /// the clock and after the range do not change its last segment.
  ///
  /// - Parameters:
  ///   - report: the report without a range; the last days are those of a store, and recordings have all days.
  ///   - range: the numbers of the days to report; `nil` for those of the report.
  package func days(
    of files: [String], _ reading: ReadingSettings, for report: PastReport, in range: ClosedRange<Int>?
  ) throws -> DaysReport {
    var history = try history(of: files, reading, for: range == nil ? report : nil)
    let calendar = calendar(stated: history.statedOffsets)
    var range = range
    if let range, let time = history.earliestFutureTime, calendar.day(of: time) > range.upperBound {
      history.removeFuture()
    }
    if range == nil, report == .lastDays, files.isEmpty, let last = history.segments.last {
      let newest = calendar.day(of: history.newestTime ?? last.end)
      range = (newest - Self.lastDayCount + 1)...newest
    }
    return DaysReport(history, calendar: calendar, range: range)
  }

  /// Returns the history of the store's device, or of recordings if any are given.
  ///
  /// - Parameter report: the report for which fixes and stated visits of a store dated more than a day ahead of the
  ///   clock are left out, and reported; `nil` to keep them.
  package func history(
    of files: [String], _ reading: ReadingSettings, for report: PastReport?
  ) throws -> DayHistory {
    guard files.isEmpty else {
      if store.file != nil { throw CommandError("--store and files can't be combined", code: .usage) }
      return try history(ofRecordings: files, reading)
    }
    let open = try OpenStore.readingPast(store)
    defer { open.close() }
    var past = try history(of: open)
    if let report { Self.removeFuture(from: &past, for: report) }
    return past
  }

  /// Returns the history of a store's device.
  package func history(of open: OpenStore) throws -> DayHistory {
    var history = DayHistory(
      places: try Self.places(in: open), settings: settings,
      bound: UTCTime.now.advanced(by: DayHistory.futureTolerance))
    let meter = ProgressMeter(total: nil, of: .fixes)
    try open.fixes(all: true) { fix in
      history.add(fix)
      meter.advance(to: history.fixes)
    }
    meter.end()
    history.add(try open.attempt { try $0.statedVisits(of: open.device) })
    history.finish()
    history.statedOffsets = try statedOffsets(in: open)
    return history
  }

  /// Returns the places of a store's device, and reports those that can't be read.
  static func places(in open: OpenStore) throws -> [Place] {
    var unreadable: [String] = []
    let places = try open.attempt { try $0.places(of: open.device) { unreadable.append($0) } }
    reportUnreadablePlaces(unreadable, of: open)
    return places
  }

  private static func reportUnreadablePlaces(_ places: [String], of open: OpenStore) {
    guard let first = places.first else { return }
    let names = places.prefix(5).joined(separator: ", ") + (places.count > 5 ? " …" : "")
    let command = "places remove \(first.shellQuoted)\(open.path.options(of: open.device))"
    StandardError.print(
      """
      \(Quantities.count(places.count, "place")) can't be read and \(places.count == 1 ? "is" : "are") left out: \
      \(names). Run `whereabouts \(command)` to erase what the store keeps of \
      \(places.count == 1 ? "it" : "the first one").
      """.sanitizedToOneLine)
  }

  /// Removes the fixes and stated visits that a report leaves out, and reports them. A store without others keeps them.
  private static func removeFuture(from history: inout DayHistory, for report: PastReport) {
    let fixes = history.futureFixes, visits = history.futureVisits
    guard fixes + visits > 0, history.newestTime != nil else { return }
    history.removeFuture()
    var parts: [String] = []
    if fixes > 0 { parts.append(Quantities.count(fixes, "fix", "fixes")) }
    if visits > 0 { parts.append(Quantities.count(visits, "stated visit")) }
    let remedy = report == .places ? "Erase" : "Pass --from to see them, or erase"
    StandardError.print(
      """
      the \(report.rawValue) leave out \(parts.joined(separator: " and ")) dated more than a day ahead of the clock. \
      \(remedy) them with `whereabouts forget --since`.
      """)
  }

  private func history(ofRecordings files: [String], _ reading: ReadingSettings) throws -> DayHistory {
    var fixes: [Fix] = []
    var offsets: [StatedOffset] = []
    var visits: [RecordedVisit] = []
    var areWhole = true
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
      areWhole = reader.reportProblems() && areWhole
    }
    fixes.sort { before, after in
      guard let first = before.time, let second = after.time else { return false }
      return first < second
    }
    var history = DayHistory(settings: settings)
    let meter = ProgressMeter(total: fixes.count, of: .fixes)
    for fix in fixes {
      history.add(fix)
      meter.advance(to: history.fixes)
    }
    meter.end()
    history.add(visits)
    history.finish()
    history.statedOffsets = StatedOffset.changes(offsets)
    history.isIncomplete = !areWhole
    return history
  }
}
