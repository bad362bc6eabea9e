import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsReports

/// `whereabouts heading`: prints headings as the device turns.
struct HeadingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "heading",
    abstract: "Say where the device points.",
    discussion: """
      Prints a line whenever the device or the bow has turned, until the source is over, --count lines are printed, or \
      Ctrl-C, which ends it with a summary. A heading is where it points, not where it goes, and says which north it is \
      counted from. With a recording as its source, time is that of the recording.

      Examples:
        whereabouts heading --source nmea:tcp://boat.local:10110
        whereabouts heading --source 'replay:boat.nmea?speed=10'
        whereabouts heading --source 'replay:boat.nmea?speed=max' --filter 10 --reference true
        whereabouts heading --source replay:boat.nmea --json --count 1 --timeout 10s

      Exit codes: 0 done or ended by Ctrl-C, 1 failed or there is no compass, 2 usage, 3 timed out, 4 not permitted.
      """)

  @OptionGroup var source: SourceOptions

  @Option(
    help: ArgumentHelp(
      "Print a heading only if it has turned so far from the last one.", valueName: "degrees"))
  var filter = 1.0

  @Option(help: ArgumentHelp("The north to count from; others are passed over.", valueName: "north"))
  var reference = ReferenceArgument.any

  @Option(help: ArgumentHelp("Stop after so many lines.", valueName: "number"))
  var count: Int?

  @Option(
    help: ArgumentHelp(
      "How long to wait for the first heading, as in 10s, 500ms, 2m; for ever if left out.",
      valueName: "duration"))
  var timeout: DurationArgument?

  @Flag(help: "Print JSON, one object a line.")
  var json = false

  func validate() throws {
    try source.rejectUnusedForce()
    if let count, count < 1 { throw ValidationError("--count is at least 1") }
    if !(0...180).contains(filter) { throw ValidationError("--filter is 0 to 180 degrees") }
  }

  func run() async throws {
    let reference = reference.reference
    let manager = try source.manager(until: timeout.map { .heading(from: reference, within: $0.duration) })
    let headings = manager.headings(filter: filter, reference: reference, keeping: source.buffering)
    manager.startSource()
    let watch = HeadingWatch(isJSON: json)
    let none = "no heading\(HeadingText.north(reference)) came"
    try await LiveSession(manager: manager, noun: ("heading", "headings")).run { [count] in
      await .writingLines(limit: count, none: none) { lines in try await watch.run(headings, &lines) }
    }
  }
}
