import ArgumentParser
import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsSources

/// `whereabouts explain`: what was decided, and why.
struct Explain: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say what was decided and why, from a journal or a recording.",
    discussion: """
      A journal (written with --journal) is gone through as it happened. A recording is gone through as if somebody had \
      asked for a fix at its beginning and somebody else for every fix. Each line has the time since the beginning, the \
      wall clock in UTC, and what happened; at the end there is a summary.

      Where the device was is left out unless --coordinates asks for it, so that the output can be shown around.

      Examples:
        whereabouts explain run.journal
        whereabouts explain --json run.journal | grep requestEnded
        whereabouts explain --accuracy room --timeout 1m drive.nmea

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

  @Flag(help: "Say where fixes are.")
  var coordinates = false

  @Flag(help: "Print each decision as JSON, one object a line.")
  var json = false

  @Argument(
    help: "A journal in one or more parts, or a recording; - for standard input.", completion: .file())
  var files: [String]

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("Missing expected argument '<files> ...'") }
  }

  func run() async throws {
    let opened = try JournalTour.Files(files)
    let output = try OutputFile(path: nil, replacing: false)
    do {
      if opened.areJournals {
        try await explain(journal: opened, to: output)
      } else {
        for (index, file) in opened.enumerated() {
          if index > 0, !json { output.bytes.appendText("\n") }
          try explain(recording: try file.get(), to: output)
        }
      }
      try output.flush()
    } catch is OutputFile.ReaderGone {
      return
    }
  }

  private func explain(journal files: JournalTour.Files, to output: OutputFile) async throws {
    var tour = JournalTour()
    var explainer: Explainer?
    for file in files {
      let file = try file.get()
      try await tour.take(file) { header in
        explainer?.finish(to: &output.bytes)
        explainer = Explainer(settings: header.settings, json: json, showingPlaces: coordinates)
        introduce(header, of: file.name, on: output)
      } step: { entry, effects in
        explainer?.take(entry.input, at: entry.moment, effects: effects, to: &output.bytes)
        try output.flushIfFull()
      }
    }
    explainer?.finish(to: &output.bytes)
    if let (name, line) = tour.report.firstDifference {
      StandardError.say(
        "\(name): from line \(line) on this program decides otherwise than the one that was recorded did")
    }
  }

  private func introduce(_ header: JournalHeader, of name: String, on output: OutputFile) {
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

  private func explain(recording file: UnreadFile, to output: OutputFile) throws {
    var reader = RecordingReader(file, settings: reading.settings)
    var explainer = Explainer(settings: EngineSettings(), json: json, showingPlaces: coordinates)
    var run = RecordedRun()
    var elements: [RecordingElement] = []
    if !json { output.bytes.appendText("\(reader.name)\n") }
    func step(_ input: Input, _ now: Moment, _ effects: [Effect]) throws {
      explainer.take(input, at: now, effects: effects, to: &output.bytes)
      try output.flushIfFull()
    }
    try run.begin(RequestTerms(level: accuracy.level, timeout: timeout?.duration), step: step)
    while try reader.read(into: &elements) {
      for element in elements { try run.take(element, step: step) }
    }
    try run.end(step: step)
    explainer.finish(to: &output.bytes)
    for line in ProblemReport.lines(reader.problems, of: reader.name) { StandardError.say("\(line)") }
  }
}
