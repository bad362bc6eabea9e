import ArgumentParser
import WhereaboutsModel
import WhereaboutsReports

/// `whereabouts days`: divides the past into visits, journeys and gaps.
struct Days: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show days as visits, journeys and gaps, from the kept fixes or from recordings.",
    discussion: """
      A visit is a stay of five minutes or more (--stay) at one place, with the uncertainty of its ends. A journey is the \
      movement between two visits, with its distance, one standard deviation, and its modes of transport where the fixes \
      show them. A gap is a silence of 30 minutes or more in which the device came to another place. Where nothing says \
      which days, the last seven. Journeys are found from the fixes; `whereabouts trips` lists what `track` has measured.

      With --follow it prints the segments of the last day, and then each change while another command or a server stores \
      fixes: opened, closed, revised, withdrawn, and with --json also grown. A late fix may revise or withdraw a segment \
      that had ended. It ends with Ctrl-C or after --duration.

      Examples:
        whereabouts days
        whereabouts days --from 2024-05-13 --to 2024-05-19 --json
        whereabouts days --from 2024-05-14 --to 2024-05-14 --svg day.svg
        whereabouts days --time-zone Europe/Berlin walk.gpx
        whereabouts days --follow --json

      Exit codes: 0 shown, 1 failed or there is no store, 2 usage, 4 not permitted.
      """)

  /// The default number of days.
  private static let defaultCount = 7

  @OptionGroup var options: DaysOptions

  @OptionGroup var days: DayRangeOptions

  @Flag(help: "Print JSON, one object a day.")
  var json = false

  @Option(
    help: ArgumentHelp("Draw the days into an SVG file, - for standard output.", valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var svg: String?

  @Flag(help: "Replace the picture if it is there already.")
  var force = false

  @Flag(help: "Print each change of a segment while fixes are stored.")
  var follow = false

  @Option(help: ArgumentHelp("With --follow: stop after so long.", valueName: "duration"))
  var duration: DurationArgument?

  @Argument(
    help: "Recordings to read instead of the store, - for standard input.", completion: .file())
  var files: [String] = []

  func validate() throws {
    if svg == "-", json { throw ValidationError("--svg - and --json both want standard output") }
    if follow, days.isGiven || svg != nil || !files.isEmpty {
      throw ValidationError("--follow is of the store's last day: days, --svg and files don't go with it")
    }
    if !follow, duration != nil { throw ValidationError("--duration is for --follow") }
  }

  func run() async throws {
    if follow { return try await DaysFollowing(options: options, json: json).run(for: duration?.duration) }
    let picture = try svg.map { path throws(CommandError) in
      try OutputFile(path: path, replacing: force, besides: files)
    }
    let report = try report()
    let output = try OutputFile(path: nil, replacing: false)
    do {
      if json {
        for day in report.days { DaysJSON.append(day, of: report, to: &output.bytes) }
      } else if svg != "-" {
        for line in DaysText.lines(report) { output.bytes.appendText("\(line)\n") }
      }
      try output.flush()
      if let picture {
        picture.bytes += DaysMap(report).svg()
        try picture.finish()
      }
    } catch is OutputFile.ReaderGoneError {}
    if report.days.isEmpty {
      StandardError.print("there is no fix\(days.isGiven ? " of these days" : "")")
    }
  }

  private func report() throws -> DaysReport {
    let history = try options.history(of: files)
    let calendar = options.calendar
    var range = days.range
    if range == nil, files.isEmpty, let last = history.segments.last {
      let newest = calendar.day(of: last.end)
      range = (newest - Self.defaultCount + 1)...newest
    }
    return DaysReport(history, calendar: calendar, range: range)
  }
}
