import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsReports

/// `whereabouts heading`: prints headings as the device turns.
struct HeadingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "heading",
    abstract: "Print the heading of the device.",
    discussion: """
      Prints a line each time the device or the bow turns, until the source ends, --count lines are printed, or \
      Ctrl-C. Ctrl-C and SIGTERM also print a summary. A heading is the direction in which the device points, not \
      the direction of movement. Each line states the north reference. A recording uses its own time.

      Examples:
        whereabouts heading --source nmea:tcp://boat.local:10110
        whereabouts heading --source 'replay:boat.nmea?speed=10'
        whereabouts heading --source 'replay:boat.nmea?speed=max' --filter 10 --reference true
        whereabouts heading --source replay:boat.nmea --json --count 1 --timeout 10s

      Exit codes: 0 success, also after Ctrl-C and SIGTERM, 1 failure or no compass, 2 usage error, 3 timeout, 4 \
      permission denied.
      """)

  @OptionGroup var source: SourceOptions

  @Option(
    help: ArgumentHelp(
      "Minimum change between printed headings, 0 to 180 degrees. (default: 1.0)", valueName: "degrees"),
    transform: Double.parseArgument)
  var filter = 1.0

  @Option(
    help: ArgumentHelp(
      "North reference of printed headings. Headings with another reference are skipped.", valueName: "north")
  )
  var reference = ReferenceArgument.any

  @Option(
    help: ArgumentHelp(
      "Number of lines after which the command stops. (default: no limit)", valueName: "number"),
    transform: Int.parseArgument)
  var count: Int?

  @Option(
    help: ArgumentHelp(
      "Maximum time to wait for the first heading, as in 10s, 500ms or 2m. (default: no limit)",
      valueName: "duration"), transform: DurationArgument.parse)
  var timeout: DurationArgument?

  @Flag(help: "Print JSON, one object per line.")
  var json = false

  func validate() throws {
    try source.rejectUnusedForce()
    if let count, count < 1 { throw ValidationError("--count must be at least 1") }
    if !(0...180).contains(filter) { throw ValidationError("--filter must be between 0 and 180 degrees") }
  }

  func run() async throws {
    let reference = reference.reference
    let manager = try source.manager(until: timeout.map { .heading(from: reference, within: $0.duration) })
    let headings = manager.headings(filter: filter, reference: reference, keeping: source.buffering)
    manager.startSource()
    let printer = HeadingPrinter(isJSON: json)
    let none = "no heading\(HeadingText.north(reference)) arrived"
    try await LiveSession(manager: manager, noun: ("heading", "headings")).run { [count] in
      await .writingLines(limit: count, none: none) { lines in try await printer.run(headings, &lines) }
    }
  }
}
