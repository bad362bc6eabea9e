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

      Exit codes: 0 done, 1 failed, 2 usage.
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
    let format = try outputFormat ?? OutputFormat(forPath: output)
    var reader = try RecordingReader(path: input, options: reading)
    let destination = try OutputFile(path: output, replacing: force)
    var writer = format.writer()
    try quietlyIfReaderGone {
      try reader.read { elements in
        for element in elements {
          writer.write(element, to: &destination.bytes)
          try destination.flushIfFull()
        }
      }
      if reader.isUnreadable { return }
      writer.finish(to: &destination.bytes)
      try destination.finish()
    }
    for line in ProblemReport.lines(reader.problems, of: reader.name) { StandardError.write("\(line)\n") }
    try reader.failIfUnreadable()
    if strict, reader.problems.total > 0 { throw CommandFailure("") }
  }
}

/// Runs the work; a reader of the output that has left (`| head`) ends it without a word.
func quietlyIfReaderGone(_ work: () throws -> Void) throws {
  do {
    try work()
  } catch is OutputFile.ReaderGone {
    return
  }
}
