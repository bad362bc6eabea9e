import ArgumentParser
import WhereaboutsOperations
import WhereaboutsReports

/// `whereabouts visits`: lists the visits of the past.
struct Visits: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "visits", abstract: "List visits, from stored fixes or from recordings.",
    discussion: """
      Lists each visit with its identifier, its arrival and departure with their uncertainty, its duration, its \
      place and the location. The identifier depends only on the arrival and does not change while the visit \
      continues. (stated) marks a visit that a recording states and fixes do not show.

      Examples:
        whereabouts visits
        whereabouts visits --from 2024-05-01 --to 2024-05-31 --json
        whereabouts visits --stay 10m walk.gpx

      Exit codes: 0 success, 1 failure, no store or a damaged input, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var options: DaysOptions

  @OptionGroup var days: DayRangeOptions

  @OptionGroup var reading: NMEAOptions

  @Flag(help: "Print JSON, one object per line.")
  var json = false

  @Argument(
    help: "Recordings to read; - for standard input. (default: the store)", completion: .file())
  var files: [String] = []

  func validate() throws { try requireOneStandardInput(files) }

  func run() async throws {
    let report = try options.reader.days(of: files, reading.settings(), for: .visits, in: days.range)
    let output = try OutputFile(path: nil, replacing: false)
    let lines = DaysText.visitLines(report)
    if json {
      DaysJSON.appendVisits(report, to: &output.bytes)
    } else {
      for line in lines { output.bytes.appendText("\(line)\n") }
    }
    do { try output.flush() } catch is OutputFile.ReaderGoneError {}
    if lines.isEmpty { StandardError.print("no visits\(days.isGiven ? " on these days" : "")") }
    if report.isIncomplete { throw CommandError("") }
  }
}
