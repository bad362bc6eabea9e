import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsReports

/// `whereabouts convert`: converts a recording to another format.
struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Turn a recording into another format.",
    discussion: """
      The input's format is found from its content, the output's from --to or the output's name; it is JSON lines if \
      neither says. `-` is standard input or output. What can't be read is passed over, counted, and reported on \
      standard error at the end, and so is what the output's format has no place for. Tracks and segments are kept in \
      every format. GPX is written as 1.1, or as 1.0 with --to gpx1.0, in which GPSBabel and gpxpy find speeds.

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

  @Flag(help: "Write nothing, and exit with 1, if anything in the input could not be read.")
  var strict = false

  @Flag(help: "Replace the output if it is there already.")
  var force = false

  @Argument(help: "The recording to read, - for standard input.", completion: .file())
  var input: String

  @Argument(help: "The file to write, - or nothing for standard output.", completion: .file())
  var output: String?

  func run() throws {
    let format = if let outputFormat { outputFormat } else { try OutputFormat(forPath: output) }
    var writer = try format.makeWriter()
    var reader = try RecordingReader(path: input, settings: reading.settings, progress: ProgressMeter.init)
    let destination = try OutputFile(path: output, replacing: force, besides: [input], holdingBack: strict)
    do {
      var elements: [RecordingElement] = []
      while try reader.read(into: &elements) {
        for element in elements {
          writer.write(element, to: &destination.bytes)
          try destination.flushIfFull()
        }
      }
      writer.finish(to: &destination.bytes)
      guard !strict || reader.problems.total == 0 else {
        // Without `finish()` the output is removed, unless it is a device.
        report(on: reader)
        throw CommandError("\(Self.name(of: output)) was not written: --strict allows no problem")
      }
      try destination.finish()
    } catch is OutputFile.ReaderGoneError {
      return
    } catch let problem as SourceProblem {
      report(on: reader)
      throw problem
    }
    report(on: reader)
    for line in OmissionText.lines(writer.omissions, format.format, of: reader.name) {
      StandardError.print(line)
    }
  }

  private static func name(of output: String?) -> String {
    output == nil || output == "-" ? "standard output" : output ?? ""
  }

  private func report(on reader: RecordingReader) {
    for line in ProblemReport.lines(reader.problems, of: reader.name) { StandardError.print(line) }
    if let line = OmissionText.line(reader.unread, of: reader.name) { StandardError.print(line) }
    if let line = OmissionText.line(movedDates: reader.movedDates) {
      StandardError.print("\(reader.name): \(line)")
    }
  }
}
