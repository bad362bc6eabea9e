import ArgumentParser
import WhereaboutsReports

/// `whereabouts visits`: lists the visits of the past.
struct Visits: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the visits in the kept fixes or in recordings.",
    discussion: """
      Each with its identifier, its arrival and departure with their uncertainty, its duration, its place and where that \
      is. The identifier depends on the arrival alone: it stays the same while the visit continues.

      Examples:
        whereabouts visits
        whereabouts visits --from 2024-05-01 --to 2024-05-31 --json
        whereabouts visits --stay 10m walk.gpx

      Exit codes: 0 listed, 1 failed or there is no store, 2 usage, 4 not permitted.
      """)

  @OptionGroup var options: DaysOptions

  @OptionGroup var days: DayRangeOptions

  @Flag(help: "Print JSON, one object a line.")
  var json = false

  @Argument(
    help: "Recordings to read instead of the store, - for standard input.", completion: .file())
  var files: [String] = []

  func run() async throws {
    let report = DaysReport(
      try options.history(of: files), calendar: options.calendar, range: days.range)
    let output = try OutputFile(path: nil, replacing: false)
    let lines = DaysText.visitLines(report)
    if json {
      DaysJSON.appendVisits(report, to: &output.bytes)
    } else {
      for line in lines { output.bytes.appendText("\(line)\n") }
    }
    do { try output.flush() } catch is OutputFile.ReaderGoneError {}
    if lines.isEmpty { StandardError.print("there is no visit\(days.isGiven ? " on these days" : "")") }
  }
}
