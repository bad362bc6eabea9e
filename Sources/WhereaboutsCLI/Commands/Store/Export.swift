import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats

/// `whereabouts export`: exports a history as a recording.
struct Export: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the fixes of a span or a trip as GPX, KML, FIT, GeoJSON, CSV or JSON lines.",
    discussion: """
      The fixes that were used, from the oldest to the newest: all of them, those of a span, or those of a trip. With --all those too that were not used. After \
      20 s without one (--gap) a new segment begins. The format is that of --to or of the file's name, or JSON lines.

      Examples:
        whereabouts export all.gpx
        whereabouts export --trip drive drive.geojson
        whereabouts export --today --to csv > today.csv
        whereabouts export --since 2024-05-14T08:20:00Z --gap 5m - --to gpx

      Exit codes: 0 written, 1 failed, or there was nothing to write, 2 usage, 4 not permitted.
      """)

  @OptionGroup var store: StoreOptions

  @OptionGroup var span: SpanOptions

  @Option(
    help: ArgumentHelp("Only the fixes of this trip.", valueName: "name"), completion: StoreCompletion.trips)
  var trip: String?

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp("The format of the output; otherwise by its name, or jsonl.", valueName: "format"))
  var outputFormat: OutputFormat?

  @Option(help: ArgumentHelp("After how long without a fix a new segment begins.", valueName: "duration"))
  var gap = DurationArgument(OdometerSettings().gap)

  @Flag(help: "Those fixes too that were not used: late or implausible ones.")
  var all = false

  @Flag(help: "Replace the output if it is there already.")
  var force = false

  @Argument(help: "The file to write, - or nothing for standard output.", completion: .file())
  var output: String?

  func validate() throws {
    if trip != nil, span.isGiven { throw ValidationError("--trip has a span of its own") }
  }

  func run() async throws {
    let format = if let outputFormat { outputFormat } else { try OutputFormat(forPath: output) }
    var writer = try format.makeWriter()
    let store = try OpenStore.reading(store)
    defer { store.close() }
    let trip: Trip? = if let name = self.trip { try await store.trip(named: name) } else { nil }
    let file = try OutputFile(path: output, replacing: force, besides: [store.path.file])
    if let trip { writer.write(.trackBegan(name: trip.id.rawValue), to: &file.bytes) }
    var segments = HistorySegmenter(gap: gap.duration)
    do {
      try fixes(of: trip, in: store) { seen in
        if segments.begins(at: seen.time) { writer.write(.segmentBegan, to: &file.bytes) }
        writer.write(seen.fix, to: &file.bytes)
        try file.flushIfFull()
      }
      guard segments.count > 0 else {
        throw CommandError("there is no fix to write\(self.trip.map { " of \($0)" } ?? "")")
      }
      writer.finish(to: &file.bytes)
      try file.finish()
    } catch is OutputFile.ReaderGoneError {}
  }

  private func fixes(of trip: Trip?, in store: OpenStore, _ body: (LoggedFix) throws -> Void) throws {
    guard let trip else {
      if span.isGiven, span.span == nil { return }
      return try store.fixes(in: span.span, all: all, body)
    }
    guard let span = trip.span else { return }
    try store.fixes(in: span, all: all, body)
  }
}

/// A detector of interruptions in a history.
struct HistorySegmenter {
  let gap: Duration
  /// The number of segments.
  private(set) var count = 0
  private var last: UTCTime?

  init(gap: Duration) { self.gap = gap }

  /// Returns whether a new segment begins with the next fix.
  mutating func begins(at time: UTCTime?) -> Bool {
    defer { last = time ?? last }
    let isFirst = count == 0
    let isAfterGap = time.flatMap { time in last.map { time.since($0) > gap } } ?? false
    guard isFirst || isAfterGap else { return false }
    count += 1
    return true
  }
}

extension Trip {
  /// The time from the first fix to the last settled fix; `nil` without a settled track.
  var span: Range<UTCTime>? {
    guard let began, let settledTo, began <= settledTo else { return nil }
    return began..<settledTo.advanced(by: .nanoseconds(1))
  }
}
