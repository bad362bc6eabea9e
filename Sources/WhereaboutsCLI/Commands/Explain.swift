import ArgumentParser
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsSources

/// `whereabouts explain`: lists the engine's decisions with their reasons.
struct Explain: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Explain the decisions in a journal, a recording or a running server.",
    discussion: """
      Reads a journal (written with --journal) as the run happened. Reads a recording as if one consumer had \
      requested a fix at its beginning and another consumer had requested every fix. Each line has the time since \
      the beginning, the time of day in UTC and the decision. A summary follows at the end.

      The output leaves out coordinates unless --coordinates includes them, so you can share the output.

      With --fence and --at, the command explains one fence at one moment. The answer states the confidence for \
      each side, the required confidence, the pending conditions and the next event. Times are times of fixes, in \
      UTC. For a recording, --fences names the file of the fence; a journal contains its own fences.

      Without files, a running server explains its decisions: the server of --server, or `whereabouts serve` on \
      the default store or on --store. The server computes the decisions again from the stored fixes and the \
      present fences. The range is the last hour, or --since and --until, with at most 43,200 fixes.

      Examples:
        whereabouts explain run.journal
        whereabouts explain --json run.journal | grep requestEnded
        whereabouts explain --accuracy room --timeout 1m drive.nmea
        whereabouts explain --fences places.geojson drive.nmea | grep fence
        whereabouts explain --fences places.geojson --fence school --at 08:18 drive.nmea
        whereabouts explain --server https://example.org --device anna --fence home --at 17:04

      Exit codes: 0 success, 1 failure or a damaged input, 2 usage error, 4 permission to read denied.
      """)

  @OptionGroup var reading: ReadingOptions

  @Option(
    help: ArgumentHelp(
      "Accuracy of the request on a recording: a level or METRES[:AGE], as in 25:30s. (default: house)",
      valueName: "level"), completion: AccuracyArgument.defaultCompletionKind,
    transform: AccuracyArgument.parse)
  var accuracy = AccuracyArgument(.house)

  @Option(
    help: ArgumentHelp(
      "Timeout of the request on a recording, in the recording's time, as in 30s. (default: no limit)",
      valueName: "duration"), transform: DurationArgument.parse)
  var timeout: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Monitor the fences of this GeoJSON, KML or GPX file in a recording. (default: none)", valueName: "file"
    ),
    completion: .file(extensions: ["geojson", "json", "kml", "gpx"]))
  var fences: String?

  @Option(
    help: ArgumentHelp(
      "Fence to explain; requires --at, and --fences for a recording. (default: none)", valueName: "id"))
  var fence: String?

  @Option(
    help: ArgumentHelp(
      """
      Moment to explain, as in 17:04, 17:04:30 or 2024-05-14T17:04:00Z; requires --fence. Without a date: of \
      today (UTC), or the first such time of the recording, or else the nearest. (default: none)
      """, valueName: "time"), transform: MomentArgument.parse)
  var at: MomentArgument?

  @Flag(help: "Include coordinates in the output.")
  var coordinates = false

  @Flag(help: "Print each decision as JSON, one object per line.")
  var json = false

  @OptionGroup var records: RecordsOptions

  @OptionGroup var span: SpanOptions

  @Argument(
    help: "Parts of a journal, or a recording; - for standard input.", completion: .file())
  var files: [String] = []

  func validate() throws {
    let forServer = [
      ("--server", records.server.server != nil), ("--store", records.place.store != nil),
      ("--device", records.place.device != nil), ("--since, --until and --today", span.isGiven),
    ]
    if !files.isEmpty, let (option, _) = forServer.first(where: \.1) {
      throw ValidationError("\(option) and files can't be combined")
    }
    if files.isEmpty, fences != nil || coordinates || timeout != nil {
      let option = fences != nil ? "--fences" : coordinates ? "--coordinates" : "--timeout"
      throw ValidationError("\(option) requires a file")
    }
    if fence != nil, span.isGiven {
      throw ValidationError("--fence can't be combined with --since, --until and --today")
    }
    if (fence == nil) != (at == nil) {
      throw ValidationError(fence == nil ? "--at requires --fence" : "--fence requires --at")
    }
    try requireOneStandardInput(files, fences: fences)
  }

  func run() async throws {
    if files.isEmpty {
      try await explainStored()
    } else {
      try await explainFiles()
    }
  }

  /// Prints a server's explanations.
  private func explainStored() async throws {
    #if Upload
      if let remote = try await records.remote(readsPast: true) as? ServerRecords {
        let output = try OutputFile(path: nil, replacing: false)
        if let fence, let at {
          let time = at.time(from: UTCTime.now.startOfDay)
          try await remote.explain(FenceID(fence), at: time, json: json, to: output)
        } else {
          try await remote.explain(span.isGiven ? span.span : nil, json: json, to: output)
        }
        do { try output.flush() } catch is OutputFile.ReaderGoneError {}
        return
      }
    #endif
    throw CommandError(
      """
      could not explain: no file was given, and no server with data of the device runs on the store. To explain \
      stored fixes without a server, run \(commandsWithoutServer).
      """, code: .usage)
  }

  /// The commands that explain the stored fixes without a server.
  private var commandsWithoutServer: String {
    let place = records.place.store.map { StorePath($0).options() } ?? ""
    guard let fence else { return "`whereabouts export --to jsonl\(place) | whereabouts explain -`" }
    return """
      `whereabouts fence export\(place) fences.geojson`, then `whereabouts export --to jsonl\(place) | whereabouts \
      explain --fences fences.geojson --fence \(fence) --at TIME -`
      """
  }

  private func explainFiles() async throws {
    let opened = try JournalReplay.Files(files)
    if opened.areJournals, fences != nil {
      throw CommandError("--fences requires a recording: a journal contains its own fences", code: .usage)
    }
    if !opened.areJournals, fence != nil, fences == nil {
      throw CommandError(
        "--fence requires --fences for a recording: only a journal contains its own fences", code: .usage)
    }
    let watched = try fences.map { path throws(CommandError) in try WatchedFences(path: path).fences } ?? []
    let output = try OutputFile(path: nil, replacing: false)
    do {
      try await explanation.run(opened, watching: watched, to: output)
      try output.flush()
    } catch is OutputFile.ReaderGoneError {
      return
    }
  }

  private var explanation: Explanation {
    Explanation(
      reading: reading.settings, request: RequestTerms(level: accuracy.level, timeout: timeout?.duration),
      inquiries: inquiries, json: json, showsPlaces: coordinates)
  }

  private var inquiries: [FenceInquiry] {
    guard let fence, let at else { return [] }
    let id = FenceID(fence)
    return [FenceInquiry(id, at: at.time(from:)), FenceInquiry(id, at: at.time(onDayOf:))]
  }
}
