import ArgumentParser
import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsSources

/// `whereabouts replay`: what a recording amounts to, after the engine has looked at each fix of it; or a journal, run
/// again.
struct Replay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run recordings through the engine and sum them up, or a journal again.",
    discussion: """
      Says when and how long a recording is, which fixes are used and why others are not, how accurate it is and when \
      it first was so, how long the way, how fast, how high, and where it has gaps.

      With --json each line is an object: accepted fixes as they come, {"answer": …} where a request for a level of \
      accuracy would have been answered, and {"summary": …} at the end of each recording. It is the same at any --speed.

      A journal (written with --journal) is run again, to see whether the engine does the same as when it was recorded; \
      with --json each effect is a line. Parts of one journal are named in their order.

      Examples:
        whereabouts replay drive.nmea
        whereabouts replay --map walk.svg walk.gpx
        whereabouts replay --json drive.nmea | grep answer
        zcat log.nmea.gz | whereabouts replay -
        whereabouts replay run.journal

      Exit codes: 0 done, 1 failed or a journal not the same again, 2 usage, 4 not permitted to read it.
      """)

  @OptionGroup var reading: ReadingOptions

  @Flag(help: "Print accepted fixes, answers and the summary as JSON, one object a line.")
  var json = false

  @Flag(
    help:
      "Measure the way: how far it was, how fast, how long it stood. With --json each settled point is a line."
  )
  var track = false

  @OptionGroup var tracking: TrackingOptions

  @Option(
    help: ArgumentHelp(
      "Draw the recordings into an SVG file, - for standard output.", valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var map: String?

  @Option(
    help: ArgumentHelp(
      "As fast as it goes (max), as it was recorded (1), or so many times faster. Below max the fixes are shown.",
      valueName: "times"))
  var speed = SpeedArgument.unlimited

  @Flag(help: "Replace the map's file if it is there already.")
  var force = false

  @Argument(help: "The recordings or the journal to read, - for standard input.", completion: .file())
  var files: [String]

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("Missing expected argument '<files> ...'") }
    if !track, let option = tracking.given { throw ValidationError("--\(option) is for --track") }
    if map == "-", json { throw ValidationError("--map - and --json both want standard output") }
  }

  func run() async throws {
    let opened = try JournalTour.Files(files)
    guard opened.areJournals else { return try await replay(opened) }
    if map != nil { throw CommandFailure("could not draw a journal; --map is for recordings", code: .usage) }
    let output = try OutputFile(path: nil, replacing: false)
    do {
      try await JournalReplay(json: json, speed: speed).run(opened, to: output)
    } catch is OutputFile.ReaderGone {}
  }

  private func replay(_ files: JournalTour.Files) async throws {
    let mapFile = try map.map { path throws(CommandFailure) in try OutputFile(path: path, replacing: force) }
    let output = try OutputFile(path: nil, replacing: false)
    var pictures = map == nil ? nil : TrackCollector()
    var summaries: [RecordingSummary] = []
    var ways: [Way] = []
    var failures = 0
    var worst: CommandFailure.Code?
    do {
      for file in files {
        do {
          if !summaries.isEmpty, !json, map != "-" { output.bytes.appendText("\n") }
          let (summary, way) = try await replay(try file.get(), to: output, collector: &pictures)
          summaries.append(summary)
          if let way { ways.append(way) }
        } catch let trouble as SourceTrouble {
          // The others may well be readable.
          let failure = CommandFailure(trouble)
          StandardError.write("whereabouts: \(failure.message)\n")
          worst = worst == .failed ? .failed : failure.code
          failures += 1
        }
      }
      if ways.count > 1 { lines.show(together: ways, on: output) }
      try output.flush()
      if let mapFile, var pictures, failures < self.files.count {
        pictures.finish()
        mapFile.bytes += MapCaption.map(of: pictures, summaries).svg()
        try mapFile.finish()
      }
    } catch is OutputFile.ReaderGone {
      return
    }
    if let worst { throw CommandFailure("", code: worst) }
  }

  private func replay(
    _ file: UnreadFile, to output: OutputFile, collector: inout TrackCollector?
  ) async throws -> (RecordingSummary, Way?) {
    var reader = RecordingReader(file, settings: reading.settings)
    var tour = RecordingTour(measuring: track ? tracking.terms : nil)
    let pace = ReplayPace(speed)
    var elements: [RecordingElement] = []
    collector?.beginTrack()
    while try reader.read(into: &elements) {
      for element in elements {
        let due = tour.advance(to: element)
        if speed != .unlimited, let due {
          try output.flush()
          try await pace.wait(until: due)
        }
        try tour.take(element, collector: &collector) { event in
          lines.show(event, on: output)
          try output.flushIfFull()
        }
      }
    }
    tour.finish(collector: &collector) { lines.show($0, on: output) }
    lines.show(tour.summary, tour.way, of: reader, on: output)
    return (tour.summary, tour.way)
  }

  private var lines: ReplayLines {
    ReplayLines(json: json, track: track, isLive: speed != .unlimited, isSilent: map == "-")
  }
}
