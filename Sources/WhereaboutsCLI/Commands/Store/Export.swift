import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsStore

/// `whereabouts export`: exports a history as a recording.
struct Export: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Export stored fixes as GPX, KML, FIT, GeoJSON, CSV or JSON lines.",
    discussion: """
      Writes used fixes, the oldest first: all fixes, the fixes of a time range, or the fixes of a trip up to the end \
      of its settled track. --all includes unused fixes. A new segment begins after 20 s without a fix (--gap), and \
      where a trip has an interruption. The format is the format of --to, or follows from the file's name, or is JSON \
      lines. KML also gets the visits that imported recordings state, with their names. Standard error reports the \
      number of fixes left out, and all values and visits that the format cannot hold.

      Examples:
        whereabouts export all.gpx
        whereabouts export --trip drive drive.geojson
        whereabouts export --today --to csv > today.csv
        whereabouts export --since 2024-05-14T08:20:00Z --gap 5m - --to gpx

      Exit codes: 0 success, 1 failure or nothing to write, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: StoreOptions

  @OptionGroup var span: SpanOptions

  @Option(
    help: ArgumentHelp("Export only the fixes of this trip. (default: all fixes)", valueName: "name"),
    completion: StoreCompletion.trips)
  var trip: String?

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp("Format of the output. (default: by the file's name, or jsonl)", valueName: "format"))
  var outputFormat: OutputFormat?

  @Option(
    help: ArgumentHelp(
      "Time without a fix after which a new segment begins, as in 5min. (default: \(Quantities.duration(OdometerSettings().gap.inSeconds)))",
      valueName: "duration"), transform: DurationArgument.parse)
  var gap = DurationArgument(OdometerSettings().gap)

  @Flag(help: "Include unused fixes: late or implausible fixes.")
  var all = false

  @Flag(help: "Replace an existing output file.")
  var force = false

  @Argument(help: "File to write; - for standard output. (default: standard output)", completion: .file())
  var output: String?

  func validate() throws {
    if trip != nil, span.isGiven {
      throw ValidationError("--trip can't be combined with --since, --until and --today")
    }
  }

  func run() async throws {
    let format = if let outputFormat { outputFormat } else { try OutputFormat(forPath: output) }
    var writer = try format.makeWriter()
    let store = try OpenStore.readingPast(store.selection)
    defer { store.close() }
    let trip: Trip? = if let name = self.trip { try await store.trip(named: name) } else { nil }
    let file = try OutputFile(path: output, replacing: force, besides: [store.path.file])
    if let trip { writer.write(.trackBegan(name: trip.id.rawValue), to: &file.bytes) }
    let meter = ["-", nil].contains(output) ? nil : ProgressMeter(total: nil, of: .fixes)
    let gaps = try trip.map { try store.gaps(of: $0.id) } ?? []
    var segments = HistorySegmenter(gap: gap.duration, gaps: gaps), unused = 0, count = 0
    do {
      try fixes(of: trip, in: store) { logged in
        count += 1
        meter?.advance(to: count)
        guard all || logged.use == .used else { return unused += 1 }
        if segments.begins(at: logged.time) { writer.write(.segmentBegan, to: &file.bytes) }
        writer.write(logged.fix, to: &file.bytes)
        try file.flushIfFull()
      }
      meter?.end()
      let visits = try visits(in: store)
      for visit in visits {
        writer.write(.visit(visit), to: &file.bytes)
        try file.flushIfFull()
      }
      guard segments.count > 0 || visits.count > writer.omissions[.visit] else {
        let hint = unused > 0 ? "; --all includes the unused ones" : ""
        throw CommandError("no fix to write\(self.trip.map { " for trip \($0)" } ?? "")\(hint)")
      }
      writer.finish(to: &file.bytes)
      try file.finish()
    } catch is OutputFile.ReaderGoneError {
      return
    }
    if unused > 0 {
      let count = Quantities.count(unused, "unused fix", "unused fixes")
      StandardError.print("\(store.path.file): left out: \(count), which --all includes")
    }
    for line in OmissionText.lines(writer.omissions, format.format, of: store.path.file) {
      StandardError.print(line)
    }
  }

  /// Returns the stated visits that overlap the time range; none with `--trip`.
  private func visits(in store: OpenStore) throws -> [RecordedVisit] {
    guard trip == nil, !span.isGiven || span.span != nil else { return [] }
    return try store.attempt { try $0.statedVisits(of: store.device, in: span.span) }
  }

  private func fixes(of trip: Trip?, in store: OpenStore, _ body: (LoggedFix) throws -> Void) throws {
    if let trip { return try store.fixes(of: trip, body) }
    if span.isGiven, span.span == nil { return }
    try store.fixes(in: span.span, all: true, body)
  }
}
