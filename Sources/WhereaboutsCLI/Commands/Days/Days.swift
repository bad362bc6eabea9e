import ArgumentParser
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsReports

/// `whereabouts days`: divides the past into visits, journeys and gaps.
struct Days: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "days",
    abstract: "Show days as visits, journeys and gaps, from stored fixes or from recordings.",
    discussion: """
      A visit is a stay of five minutes or more (--stay) at one place, with the uncertainty of its start and end. \
      A journey is the movement between two visits, with its distance, one standard deviation, and its modes of \
      transport if the fixes show them. A gap is a silence of 30 minutes or more that no visit continues through: \
      the device moved to another place, or was silent for more than three days. The default range is the last seven \
      days up to the newest fix; fixes dated more than a day ahead of the clock do not count for it. Journeys are \
      computed from the fixes; `whereabouts trips` lists the trips that `track` has measured.

      Visits that an imported recording states, as in Google Timeline, are shown where fixes show less than half of \
      their time, and are marked: (stated), or "stated" with --json. Home? is a name that a recording states for a \
      place without a name.

      With --follow, the command prints the segments of the last day, and then each change while another command or a \
      server stores fixes: opened, closed, revised, withdrawn, and with --json also grown. A late fix may revise or \
      withdraw a closed segment. The command waits for a missing store, and stops with Ctrl-C or after --duration.

      --by month and --by year print the journeys, their distance with one standard deviation and by mode, and the \
      visits of each period: of the whole past up to the newest fix, or of the days of --from and --to.

      Examples:
        whereabouts days
        whereabouts days --from 2024-05-13 --to 2024-05-19 --json
        whereabouts days --from 2024-05-14 --to 2024-05-14 --svg day.svg
        whereabouts days --time-zone Europe/Berlin walk.gpx
        whereabouts days --time-zone stated
        whereabouts days --by month --from 2024-01-01
        whereabouts days --follow --json

      Exit codes: 0 success, 1 failure, no store or a damaged input, 2 usage error, 4 permission denied.
      """)

  enum Period: String, ExpressibleByArgument, CaseIterable { case month, year }

  @OptionGroup var options: DaysOptions

  @OptionGroup var days: DayRangeOptions

  @OptionGroup var reading: NMEAOptions

  @Option(help: ArgumentHelp("Print totals of each month or year. (default: none)", valueName: "period"))
  var by: Period?

  @Flag(help: "Print JSON, one object per day.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Draw the days into this SVG file; - for standard output. (default: none)", valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var svg: String?

  @Flag(help: "Replace an existing SVG file.")
  var force = false

  @Flag(help: "Print each change of a segment while fixes are stored.")
  var follow = false

  @Option(
    help: ArgumentHelp(
      "Duration after which the command stops, as in 8h; requires --follow. (default: no limit)",
      valueName: "duration"), transform: DurationArgument.parse)
  var duration: DurationArgument?

  @Argument(
    help: "Recordings to read; - for standard input. (default: the store)", completion: .file())
  var files: [String] = []

  func validate() throws {
    if svg == "-", json {
      throw ValidationError("--svg - and --json can't be combined: both write to standard output")
    }
    if by != nil, svg != nil { throw ValidationError("--by and --svg can't be combined") }
    if follow, days.isGiven || by != nil || svg != nil || !files.isEmpty {
      throw ValidationError(
        "--follow can't be combined with --from, --to, --by, --svg and files")
    }
    if !follow, duration != nil { throw ValidationError("--duration requires --follow") }
    try requireOneStandardInput(files)
  }

  func run() async throws {
    if follow {
      return try await DaysFollowing(reader: options.reader, json: json).run(for: duration?.duration)
    }
    let picture = try svg.map { path throws(CommandError) in
      try OutputFile(path: path, replacing: force, besides: files)
    }
    let report = try options.reader.days(
      of: files, reading.settings(), for: by == nil ? .lastDays : .totals, in: days.range)
    let output = try OutputFile(path: nil, replacing: false)
    do {
      if let period = by.flatMap({ DaysTotals.Period(rawValue: $0.rawValue) }) {
        DaysTotals(report, by: period).append(json: json, to: &output.bytes)
      } else if json {
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
      StandardError.print("no days: no two fixes with different times\(days.isGiven ? " on these days" : "")")
    }
    if report.isIncomplete { throw CommandError("") }
  }
}
