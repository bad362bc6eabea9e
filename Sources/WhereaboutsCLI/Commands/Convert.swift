import ArgumentParser
import WhereaboutsCore
import WhereaboutsFormats

/// `whereabouts convert`: a recording in one format in, the same in another out.
struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Turn a recording into another format.",
    discussion: """
      The input's format is found from its content, the output's from --to or the output's name; it is JSON lines if \
      neither says. `-` is standard input or output. What can't be read is passed over, counted, and reported on \
      standard error at the end.

      Examples:
        whereabouts convert drive.nmea drive.gpx
        whereabouts convert --to csv walk.gpx > walk.csv
        zcat log.nmea.gz | whereabouts convert - | head

      Exit codes: 0 done, 1 failed, 2 usage, 4 not permitted to read it.
      """)

  @OptionGroup var reading: ReadingOptions

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp("The format of the output; otherwise by its name, or jsonl.", valueName: "format"))
  var outputFormat: OutputFormat?

  @Flag(help: "Fail with exit code 1 if anything in the input could not be read.")
  var strict = false

  @Flag(help: "Replace the output if it is there already.")
  var force = false

  @Argument(help: "The recording to read, - for standard input.", completion: .file())
  var input: String

  @Argument(help: "The file to write, - or nothing for standard output.", completion: .file())
  var output: String?

  func run() throws {
    let format = if let outputFormat { outputFormat.format } else { try OutputFormat(forPath: output).format }
    guard var writer = format.makeWriter() else {
      throw CommandFailure("could not write \(format.title)", code: .usage)
    }
    var reader = try RecordingReader(path: input, settings: reading.settings)
    let destination = try OutputFile(path: output, replacing: force, besides: [input])
    var leftOut = 0
    do {
      var elements: [RecordingElement] = []
      while try reader.read(into: &elements) {
        for element in elements {
          writer.write(element, to: &destination.bytes)
          if !format.holds(element) { leftOut += 1 }
          try destination.flushIfFull()
        }
      }
      writer.finish(to: &destination.bytes)
      try destination.finish()
    } catch is OutputFile.ReaderGone {
      return
    } catch let trouble as SourceTrouble {
      report(reader.problems, of: reader.name)
      throw trouble
    }
    report(reader.problems, of: reader.name)
    leftOut += (writer as? GPXWriter)?.leftOut ?? 0
    if leftOut > 0 {
      let places = Quantities.count(leftOut, "place or route point", "places and route points")
      StandardError.say("\(reader.name): \(places) left out, for which \(format.title) has no room")
    }
    if strict, reader.problems.total > 0 { throw CommandFailure("") }
  }

  private func report(_ problems: ProblemLog, of name: String) {
    for line in ProblemReport.lines(problems, of: name) { StandardError.say("\(line)") }
  }
}

extension RecordingFormat {
  /// Whether there is room for a place of this kind; fixes have room everywhere.
  fileprivate func holds(_ element: RecordingElement) -> Bool {
    switch element {
    case .waypoint, .routePoint: self != .csv && self != .jsonLines
    default: true
    }
  }
}
