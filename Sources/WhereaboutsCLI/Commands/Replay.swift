import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsReports
import WhereaboutsSources

/// `whereabouts replay`: runs a recording through the engine and summarizes the recording, or verifies a journal.
struct Replay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run recordings through the engine and sum them up, or a journal again.",
    discussion: """
      Says when and how long a recording is, which fixes are used and why others are not, how accurate it is and when \
      it first was so, how long the way, how fast, how high, and where it has gaps.

      With --json each line is an object: accepted fixes as they come, {"answer": …} where a request for a level of \
      accuracy would have been answered, and {"summary": …} at the end of each recording. It is the same at any --speed.

      With --track the way is measured instead: --json gives a line for each settled point, and the last line the totals. \
      Where most fixes have no time, the distance is the plain sum of the steps, without a bound.

      With --fences the recordings are watched at the fences of a GeoJSON, KML or GPX file: a line says when each boundary \
      was crossed, and the last ones how long the device was inside and what was held back. A line is printed once no \
      fix can change it any more.

      A journal (written with --journal) is run again, to see whether the engine does the same as when it was recorded; \
      with --json each effect is a line. Parts of one journal are named in their order.

      Examples:
        whereabouts replay drive.nmea
        whereabouts replay --map walk.svg walk.gpx
        whereabouts replay --json drive.nmea | grep answer
        whereabouts replay --fences places.geojson drive.nmea
        whereabouts replay --fences places.geojson --map places.svg --json drive.nmea
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
      "Say when the boundaries of these fences were crossed, from a GeoJSON, KML or GPX file.",
      valueName: "file"),
    completion: .file(extensions: ["geojson", "json", "kml", "gpx"]))
  var fences: String?

  @Option(
    help: ArgumentHelp(
      "Draw the recordings into an SVG file, - for standard output.", valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var map: String?

  @Option(
    help: ArgumentHelp(
      "With --track: draw speed and distance over time into an SVG file, - for standard output.",
      valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var plot: String?

  @Option(
    help: ArgumentHelp(
      "As fast as it goes (max), as it was recorded (1), or so many times faster. Below max the fixes are shown.",
      valueName: "times"))
  var speed = SpeedArgument.unlimited

  @Flag(help: "Replace the files of pictures that are there already.")
  var force = false

  @Argument(help: "The recordings or the journal to read, - for standard input.", completion: .file())
  var files: [String]

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("Missing expected argument '<files> ...'") }
    if !track, let option = tracking.givenOption { throw ValidationError("--\(option) is for --track") }
    if plot != nil, !track { throw ValidationError("--plot is for --track") }
    if fences != nil, track { throw ValidationError("--fences and --track can't be combined") }
    if fences == "-", files.contains("-") {
      throw ValidationError("the fences and a recording can't both be on standard input")
    }
    let onOutput = [("--map -", map == "-"), ("--plot -", plot == "-"), ("--json", json)].filter(\.1)
    if onOutput.count > 1 {
      throw ValidationError("\(onOutput[0].0) and \(onOutput[1].0) both want standard output")
    }
    if let map, map == plot { throw ValidationError("--map and --plot can't be one file") }
  }

  func run() async throws {
    let opened = try JournalReplay.Files(files)
    guard opened.areJournals else { return try await replay(opened) }
    let given = [
      ("map", "draw", map != nil), ("plot", "draw", plot != nil), ("track", "measure", track),
      ("fences", "watch fences in", fences != nil),
    ]
    for (option, what, isGiven) in given where isGiven {
      throw CommandError("could not \(what) a journal; --\(option) is for recordings", code: .usage)
    }
    let output = try OutputFile(path: nil, replacing: false)
    do {
      try await JournalVerification(json: json, speed: speed).run(opened, to: output)
    } catch is OutputFile.ReaderGoneError {}
  }

  private func replay(_ files: JournalReplay.Files) async throws {
    let watched = try fences.map { path throws(CommandError) in try WatchedFences(path: path) }
    let lines = lines(of: watched)
    func picture(_ path: String?) throws(CommandError) -> OutputFile? {
      guard let path else { return nil }
      return try OutputFile(path: path, replacing: force, besides: self.files + (fences.map { [$0] } ?? []))
    }
    let mapFile = try picture(map), plotFile = try picture(plot)
    let output = try OutputFile(path: nil, replacing: false)
    var pictures = PictureCollector(hasMap: map != nil, hasPlot: plot != nil, showsTrack: track)
    var tours: [RecordingAnalysis] = []
    var worst: CommandError.Code?
    do {
      for file in files {
        do {
          if !tours.isEmpty, !json, !lines.isSilent { output.bytes.appendText("\n") }
          let part = watched.map { FenceReplay($0.fences, after: tours.last?.lastEventNumber ?? 0) }
          var tour = RecordingAnalysis(
            measuring: track ? tracking.terms(isRecorded: true) : nil, watching: part)
          try await replay(try file.get(), on: &tour, showing: lines, to: output, pictures: &pictures)
          tours.append(tour)
        } catch let problem as SourceProblem {
          // The next recordings may be readable.
          let failure = CommandError(problem)
          StandardError.print("whereabouts: \(failure.message)")
          worst = worst == .failed ? .failed : failure.code
        }
      }
      if track, tours.count > 1 {
        lines.append(together: tours.compactMap(\.trackSummary), to: &output.bytes)
      }
      try output.flush()
      if !tours.isEmpty {
        let caption = PictureCaption(tours)
        pictures.finish(hasTrack: caption.hasTrack)
        let layer = watched.map { FenceLayer($0, events: pictures.events) }
        try write(
          pictures.map.map { caption.map(of: $0, stops: pictures.stops, fences: layer).svg() }, to: mapFile)
        try write(pictures.plot.map { caption.plot(of: $0).svg() }, to: plotFile)
      }
    } catch is OutputFile.ReaderGoneError {
      return
    }
    if let worst { throw CommandError("", code: worst) }
  }

  private func write(_ picture: [UInt8]?, to file: OutputFile?) throws {
    guard let picture, let file else { return }
    file.bytes += picture
    try file.finish()
  }

  private func replay(
    _ file: InputFile, on tour: inout RecordingAnalysis, showing lines: ReplayLines, to output: OutputFile,
    pictures: inout PictureCollector
  ) async throws {
    var reader = RecordingReader(file, settings: reading.settings, progress: ProgressMeter.init)
    let pace = ReplayPace(speed)
    var elements: [RecordingElement] = []
    pictures.beginRecording()
    while try reader.read(into: &elements) {
      for element in elements {
        let due = tour.advance(to: element)
        if speed != .unlimited, let due {
          try output.flush()
          try await pace.wait(until: due)
        }
        try tour.process(element, pictures: &pictures) { event in
          lines.append(event, to: &output.bytes)
          try output.flushIfFull()
        }
      }
    }
    tour.finish(pictures: &pictures) { lines.append($0, to: &output.bytes) }
    if fences == nil {
      lines.append(tour.summary, tour.trackSummary, of: reader, to: &output.bytes)
    } else {
      lines.append(tour.fences, of: reader, fixes: tour.summary.accepted, to: &output.bytes)
      for line in ProblemReport.lines(reader.problems, of: reader.name) { StandardError.print(line) }
    }
  }

  private func lines(of fences: WatchedFences?) -> ReplayLines {
    ReplayLines(
      json: json, track: track, fences: fences, isLive: speed != .unlimited,
      isSilent: map == "-" || plot == "-")
  }
}
