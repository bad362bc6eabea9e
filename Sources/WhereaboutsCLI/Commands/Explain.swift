import ArgumentParser
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsReports
import WhereaboutsSources

/// `whereabouts explain`: lists the engine's decisions with their reasons.
struct Explain: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say what was decided and why, from a journal or a recording.",
    discussion: """
      A journal (written with --journal) is gone through as it happened. A recording is gone through as if somebody had \
      asked for a fix at its beginning and somebody else for every fix. Each line has the time since the beginning, the \
      wall clock in UTC, and what happened; at the end there is a summary.

      Where the device was is left out unless --coordinates asks for it, so that the output can be shown around.

      With --fence and --at it answers one question instead: how things stood with a fence at that moment, how sure \
      which side was and how sure it had to be, what was being waited for, and what happened next. Times are those of \
      fixes, in UTC. A recording has fences only with --fences.

      Without files a running server explains: `whereabouts serve` on the standard store or that of --store, or the one of \
      --server. What was decided is then worked out again from the stored fixes with the present fences, of the last hour \
      unless --since and --until say when, at most 43,200 fixes.

      Examples:
        whereabouts explain run.journal
        whereabouts explain --json run.journal | grep requestEnded
        whereabouts explain --accuracy room --timeout 1m drive.nmea
        whereabouts explain --fences places.geojson drive.nmea | grep fence
        whereabouts explain --fences places.geojson --fence school --at 08:18 drive.nmea
        whereabouts explain --server https://example.org --device anna --fence home --at 17:04

      Exit codes: 0 done, 1 failed, 2 usage, 4 not permitted to read it.
      """)

  @OptionGroup var reading: ReadingOptions

  @Option(
    help: ArgumentHelp(
      "How good a fix is asked for from a recording: a level or METRES[:AGE].", valueName: "level"))
  var accuracy = AccuracyArgument(.house)

  @Option(
    help: ArgumentHelp(
      "How long it is waited for in the recording's time; for ever if left out.", valueName: "duration"))
  var timeout: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Watch these fences in a recording, from a GeoJSON, KML or GPX file.", valueName: "file"),
    completion: .file(extensions: ["geojson", "json", "kml", "gpx"]))
  var fences: String?

  @Option(help: ArgumentHelp("With --at: the fence that is asked about.", valueName: "id"))
  var fence: String?

  @Option(
    help: ArgumentHelp(
      "With --fence: when, as in 17:04, 17:04:30 or 2024-05-14T17:04:00Z.", valueName: "time"))
  var at: MomentArgument?

  @Flag(help: "Say where fixes are.")
  var coordinates = false

  @Flag(help: "Print each decision as JSON, one object a line.")
  var json = false

  @OptionGroup var records: RecordsOptions

  @OptionGroup var span: SpanOptions

  @Argument(
    help: "A journal in one or more parts, or a recording; - for standard input.", completion: .file())
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
      throw ValidationError("\(option) is for files, and there are none")
    }
    if fence != nil, span.isGiven { throw ValidationError("--fence has --at, and no span") }
    if (fence == nil) != (at == nil) {
      throw ValidationError(fence == nil ? "--at needs --fence" : "--fence needs --at: when")
    }
    if fences == "-", files.contains("-") {
      throw ValidationError("the fences and a recording can't both be on standard input")
    }
  }

  func run() async throws {
    if files.isEmpty {
      try await explainStored()
    } else {
      try await explainFiles()
    }
  }

  /// Prints what a server explains.
  private func explainStored() async throws {
    #if Upload
      if let remote = try await records.remote() as? ServerRecords {
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
      there is nothing to explain: no server runs on the store, and no file was named. `whereabouts export --to jsonl | \
      whereabouts explain -` explains the stored fixes without a server
      """, code: .usage)
  }

  private func explainFiles() async throws {
    let opened = try JournalReplay.Files(files)
    if opened.areJournals, fences != nil {
      throw CommandError("--fences is for recordings; a journal has its own", code: .usage)
    }
    let watched = try fences.map { path throws(CommandError) in try WatchedFences(path: path).fences } ?? []
    let output = try OutputFile(path: nil, replacing: false)
    do {
      if opened.areJournals {
        try await explain(journal: opened, to: output)
      } else {
        for (index, file) in opened.enumerated() {
          if index > 0, !json { output.bytes.appendText("\n") }
          try explain(recording: try file.get(), watching: watched, to: output)
        }
      }
      try output.flush()
    } catch is OutputFile.ReaderGoneError {
      return
    }
  }

  private func explain(journal files: JournalReplay.Files, to output: OutputFile) async throws {
    var tour = JournalReplay(warn: StandardError.print)
    var explainer: DecisionExplainer?
    var inquiry = inquiry
    for file in files {
      let file = try file.get()
      try await tour.replay(file) { header in
        guard inquiry == nil else { return }
        explainer?.finish(to: &output.bytes)
        explainer = DecisionExplainer(settings: header.settings, json: json, showingPlaces: coordinates)
        printHeader(header, of: file.name, on: output)
      } step: { entry, effects, engine in
        inquiry?.process(entry.input, effects: effects, engine: engine)
        explainer?.process(entry.input, at: entry.moment, effects: effects, to: &output.bytes)
        try output.flushIfFull()
      }
    }
    explainer?.finish(to: &output.bytes)
    if let inquiry { try printAnswer(inquiry, on: output) }
    if let (name, line) = tour.report.firstDifference {
      StandardError.print(
        "\(name): from line \(line) on this program decides otherwise than the one that was recorded did")
    }
  }

  private func printHeader(_ header: JournalHeader, of name: String, on output: OutputFile) {
    guard !json else { return }
    let began = header.began.map { ", begun \($0.dateText) \($0.clockText) UTC" } ?? ""
    let permission =
      switch header.settings.authorization {
      case .notNeeded: "no permission needed"
      case .needed(nil): "permission needed"
      case .needed(let level?): "permission needed: \(level.rawValue)"
      }
    output.bytes.appendText("\(name)  (journal\(began); \(permission))\n")
  }

  private var inquiry: FenceInquiry? {
    guard let fence, let at else { return nil }
    return FenceInquiry(FenceID(fence), at: at.time)
  }

  private func printAnswer(_ inquiry: FenceInquiry, on output: OutputFile) throws(CommandError) {
    guard inquiry.ids.contains(inquiry.id) else {
      let hint = FenceID.hint(for: inquiry.id.name, among: inquiry.ids)
      throw CommandError("could not tell of fence \(inquiry.id): there was none of that id\(hint)")
    }
    guard inquiry.at != nil else { throw CommandError("could not tell of any moment: no fix has a time") }
    let text = FenceInquiryText(inquiry: inquiry)
    if json {
      text.append(to: &output.bytes)
    } else {
      for line in text.lines { output.bytes.appendText("\(line.sanitizedToOneLine)\n") }
    }
  }

  private func explain(
    recording file: InputFile, watching fences: [Fence], to output: OutputFile
  ) throws {
    var reader = RecordingReader(file, settings: reading.settings, progress: ProgressMeter.init)
    var inquiry = inquiry
    var explainer =
      inquiry == nil
      ? DecisionExplainer(settings: EngineSettings(), json: json, showingPlaces: coordinates) : nil
    var run = RecordedRun()
    var elements: [RecordingElement] = []
    if !json, inquiry == nil { output.bytes.appendText("\(reader.name)\n") }
    func step(_ input: Input, _ now: Moment, _ effects: [Effect], _ engine: Engine) throws {
      inquiry?.process(input, effects: effects, engine: engine)
      explainer?.process(input, at: now, effects: effects, to: &output.bytes)
      try output.flushIfFull()
    }
    try run.begin(
      RequestTerms(level: accuracy.level, timeout: timeout?.duration), watching: fences, step: step)
    while try reader.read(into: &elements) {
      for element in elements { try run.process(element, step: step) }
    }
    try run.end(step: step)
    explainer?.finish(to: &output.bytes)
    if let inquiry { try printAnswer(inquiry, on: output) }
    for line in ProblemReport.lines(reader.problems, of: reader.name) { StandardError.print("\(line)") }
  }
}
