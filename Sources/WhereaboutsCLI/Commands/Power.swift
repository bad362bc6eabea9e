import ArgumentParser
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsSources

/// `whereabouts power`: reports how long the receiver was on, for which consumer and for which reason.
struct Power: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "power", abstract: "Show receiver usage of a day, with consumers and reasons.",
    discussion: """
      Adds up the receiver usage that `watch`, `track` and `fence watch` have stored for one day. The report lists \
      the time for each receiver setting, each consumer and each reason for a reduced demand. The bar has one \
      column per hour. Time that several consumers share counts for each of them. The report of today ends with \
      the power state of this host and the resulting preset.

      Examples:
        whereabouts power
        whereabouts power --day 2024-05-14
        whereabouts power --json
        whereabouts power --power-rules rules.json

      Exit codes: 0 success, 1 failure or no store, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: StoreOptions

  @Option(
    help: ArgumentHelp("Day to report in UTC, as in 2024-05-14. (default: today)", valueName: "day"),
    transform: DayArgument.parse)
  var day: DayArgument?

  @OptionGroup(title: "Power") var power: PowerOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let settings = try power.settings()
    let store = try OpenStore.readingPast(store.selection, usageCounts: true)
    defer { store.close() }
    let now = UTCTime.now
    let begin = day?.startOfDay ?? now.startOfDay
    let span = begin..<begin.advanced(by: .seconds(86_400))
    let usages = try store.receiverUsage(in: span)
    let report = PowerReport(
      ledger: PowerLedger(usages, in: span, until: now), now: now, last: usages.last,
      current: PowerReport.CurrentState(
        settings, PowerSupplies().state(isForeground: PowerOptions.isInteractive), at: now))
    let file = try OutputFile(path: nil, replacing: false)
    if json {
      file.bytes += report.json.bytes + [UInt8(ascii: "\n")]
    } else {
      for line in report.lines { file.bytes.appendText("\(line)\n") }
    }
    do { try file.flush() } catch is OutputFile.ReaderGoneError {}
  }
}

/// A day as typed: `2024-05-14`.
struct DayArgument: ExplainedArgument, Hashable, Sendable {
  static let form = "Write a day, as in 2024-05-14"

  /// The midnight at the start of the day, UTC.
  var startOfDay: UTCTime

  init?(argument: String) {
    guard argument.utf8.count == 10, let time = UTCTime(iso8601: argument) else { return nil }
    startOfDay = time.startOfDay
  }
}
