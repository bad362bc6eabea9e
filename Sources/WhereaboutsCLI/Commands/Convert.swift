import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsOperations
import WhereaboutsReports

/// `whereabouts convert`: converts a recording to another format.
struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Convert a recording to another format.",
    discussion: """
      The content of the input determines its format. The output format is the format of --to, or follows from the \
      output's name, or is JSON lines. `-` means standard input or standard output. Rows that cannot be read are \
      skipped and counted. Standard error reports them at the end, with all values that the output format cannot \
      hold. Every format keeps tracks and segments. A time range leaves out all other fixes, and tracks without one. \
      GPX output is GPX 1.1. With --to gpx1.0 it is GPX 1.0, in which GPSBabel and gpxpy find speeds.

      Examples:
        whereabouts convert drive.nmea drive.gpx
        whereabouts convert --to csv walk.gpx > walk.csv
        whereabouts convert --since 2024-05-14T08:20:00Z --until 2024-05-14T08:21:00Z drive.nmea minute.gpx
        zcat log.nmea.gz | whereabouts convert - | head

      Exit codes: 0 success, 1 failure or a damaged input, 2 usage error, 4 permission to read denied.
      """)

  @OptionGroup var reading: ReadingOptions

  @OptionGroup var span: SpanOptions

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp("Format of the output. (default: by the output's name, or jsonl)", valueName: "format")
  )
  var outputFormat: OutputFormat?

  @Flag(help: "Write nothing and exit with 1 if any part of the input cannot be read.")
  var strict = false

  @Flag(help: "Replace an existing output file.")
  var force = false

  @Argument(help: "Recording to read; - for standard input.", completion: .file())
  var input: String

  @Argument(help: "File to write; - for standard output. (default: standard output)", completion: .file())
  var output: String?

  func run() throws {
    let format = if let outputFormat { outputFormat } else { try OutputFormat(forPath: output) }
    var writer = try format.makeWriter()
    var reader = try RecordingReader(path: input, settings: reading.settings, progress: ProgressMeter.init)
    let destination = try OutputFile(path: output, replacing: force, besides: [input], holdingBack: strict)
    var filter = span.isGiven ? SpanFilter(span.span) : nil
    var hasTime = false, visits = 0
    do {
      var elements: [RecordingElement] = []
      while try reader.read(into: &elements) {
        filter?.apply(to: &elements)
        hasTime =
          hasTime || elements.contains { if case .fix(let fix) = $0 { fix.time != nil } else { false } }
        visits += elements.count { if case .visit = $0 { true } else { false } }
        try destination.write(elements, with: &writer)
      }
      if let filter, !hasTime, visits <= writer.omissions[.visit] {
        throw CommandError(
          "\(reader.name): no fix in this time range\(OmissionText.untimed(filter.untimedFixes))")
      }
      writer.finish(to: &destination.bytes)
      guard !strict || reader.problems.total == 0 else {
        // Without `finish()` the output is removed, unless it is a device.
        report(on: reader)
        let name = output.flatMap { $0 == "-" ? nil : $0 } ?? "standard output"
        throw CommandError("could not write \(name): --strict rejects an input with problems")
      }
      try destination.finish()
    } catch is OutputFile.ReaderGoneError {
      return
    } catch let problem as SourceProblem {
      report(on: reader)
      throw problem
    }
    report(on: reader)
    let untimed = OmissionText.untimedLines(
      writer.omissions, hasTime: hasTime, outside: filter?.untimedFixes ?? 0, format.format, of: reader.name)
    for line in OmissionText.lines(writer.omissions, format.format, of: reader.name) + untimed {
      StandardError.print(line)
    }
    if reader.isIncomplete { throw CommandError.incomplete(reader.name) }
  }

  private func report(on reader: RecordingReader) {
    for line in ProblemReport.lines(reader.problems, of: reader.name) { StandardError.print(line) }
    if let line = OmissionText.line(reader.unread, of: reader.name) { StandardError.print(line) }
    for line in reader.timeLines { StandardError.print(line) }
  }
}
