import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsSources

/// `whereabouts replay`: runs a recording through the engine and summarizes the recording, or verifies a journal.
struct Replay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Summarize recordings, or run a journal again.",
    discussion: """
      Prints the start and the duration of a recording, the used fixes, and the reasons for unused fixes. Also \
      prints the accuracy, the time of the first accurate fix, the distance, the speeds, the heights and the gaps.

      With --json, each line is an object: accepted fixes, {"answer": …} where the recording would have answered a \
      request for an accuracy level, and {"summary": …} at the end of each recording. The output is the same at \
      any --speed.

      With --track, the command measures the distance. --json then prints a line for each settled point, and the \
      totals on the last line. If most fixes have no time, the distance is the plain sum of the steps, without an \
      error estimate.

      With --fences, the command monitors the fences of a GeoJSON, KML or GPX file. Each crossing is a line. The \
      last lines give the time inside and the withheld events. A crossing is printed once no later fix can change \
      it.

      A journal (written with --journal) is run again and compared with the recorded run. With --json, each effect \
      is a line. Pass the parts of one journal in their order.

      Examples:
        whereabouts replay drive.nmea
        whereabouts replay --map walk.svg walk.gpx
        whereabouts replay --json drive.nmea | grep answer
        whereabouts replay --fences places.geojson drive.nmea
        whereabouts replay --fences places.geojson --map places.svg --json drive.nmea
        zcat log.nmea.gz | whereabouts replay -
        whereabouts replay run.journal

      Exit codes: 0 success, 1 failure, a damaged input or a journal that differs from the recorded run, 2 usage \
      error, 4 permission to read denied.
      """)

  @OptionGroup var reading: ReadingOptions

  @Flag(help: "Print accepted fixes, answers and the summary as JSON, one object per line.")
  var json = false

  @Flag(
    help:
      "Measure distance, speed and time at rest. With --json, each settled point is a line."
  )
  var track = false

  @OptionGroup var tracking: TrackingOptions

  @Option(
    help: ArgumentHelp(
      "Print the crossings of the fences in this GeoJSON, KML or GPX file. (default: none)",
      valueName: "file"),
    completion: .file(extensions: ["geojson", "json", "kml", "gpx"]))
  var fences: String?

  @Option(
    help: ArgumentHelp(
      "Draw the recordings into this SVG file; - for standard output. (default: none)", valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var map: String?

  @Option(
    help: ArgumentHelp(
      """
      Draw speed and distance over time into this SVG file; - for standard output. Requires --track. (default: \
      none)
      """,
      valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var plot: String?

  @Option(
    help: ArgumentHelp(
      """
      Replay speed: max without delay, 1 as recorded, or a factor, as in 10. Below max, the command prints the \
      fixes. (default: max)
      """,
      valueName: "times"), completion: SpeedArgument.defaultCompletionKind, transform: SpeedArgument.parse)
  var speed = SpeedArgument.unlimited

  @Flag(help: "Replace existing files of --map and --plot.")
  var force = false

  @Argument(help: "Recordings or journal to read; - for standard input.", completion: .file())
  var files: [String]

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("Missing expected argument '<files> ...'") }
    if !track, let option = tracking.givenOption { throw ValidationError("--\(option) requires --track") }
    if plot != nil, !track { throw ValidationError("--plot requires --track") }
    if fences != nil, track { throw ValidationError("--fences and --track can't be combined") }
    try requireOneStandardInput(files, fences: fences)
    let onOutput = [("--map -", map == "-"), ("--plot -", plot == "-"), ("--json", json)].filter(\.1)
    if onOutput.count > 1 {
      throw ValidationError(
        "\(onOutput[0].0) and \(onOutput[1].0) can't be combined: both write to standard output")
    }
    if let map, map == plot { throw ValidationError("--map and --plot require different files") }
  }

  func run() async throws {
    let opened = try JournalReplay.Files(files)
    guard opened.areJournals else { return try await replay(opened) }
    let given = [
      ("map", "draw", map != nil), ("plot", "draw", plot != nil), ("track", "measure", track),
      ("fences", "watch fences in", fences != nil),
    ]
    for (option, what, isGiven) in given where isGiven {
      throw CommandError("could not \(what) a journal: --\(option) requires a recording", code: .usage)
    }
    let output = try OutputFile(path: nil, replacing: false)
    do {
      try await JournalVerification(json: json, speed: speed.replaySpeed).run(opened, to: output)
    } catch is OutputFile.ReaderGoneError {}
  }

  private func replay(_ files: JournalReplay.Files) async throws {
    let watched = try fences.map { path throws(CommandError) in try WatchedFences(path: path) }
    func picture(_ path: String?) throws(CommandError) -> OutputFile? {
      guard let path else { return nil }
      return try OutputFile(path: path, replacing: force, besides: self.files + (fences.map { [$0] } ?? []))
    }
    let mapFile = try picture(map), plotFile = try picture(plot)
    let output = try OutputFile(path: nil, replacing: false)
    try await RecordingReplay(
      reading: reading.settings, json: json, tracking: track ? tracking.terms(isRecorded: true) : nil,
      fences: watched, speed: speed.replaySpeed, mapFile: mapFile, plotFile: plotFile,
      isSilent: map == "-" || plot == "-"
    ).run(files, to: output)
  }
}
