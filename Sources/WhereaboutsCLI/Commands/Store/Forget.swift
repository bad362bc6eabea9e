import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsStore

/// `whereabouts forget`: erases stored data.
struct Forget: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: "Erase stored data permanently.",
    discussion: """
      Erased data is overwritten in the file and cannot be restored. A time range erases its fixes, its events, \
      the trips that lie within the range, the stated visits that overlap the range, and the pending uploads of \
      the range. --trip erases a trip's name, totals and gaps. --events erases all events. --everything erases all data of every device, or of one device \
      with --device. --thin erases only fixes that lie within the given distance of the path through the other \
      fixes; `whereabouts days` then estimates distances, modes and times from fewer fixes, and its answers change.

      On a terminal, the command lists the data and asks for confirmation. Elsewhere, --yes confirms. No other \
      process may record to the store meanwhile. If another program reads the store, or the command is killed, the \
      next command that writes to the store completes the erasure. The command works on a full disk.

      Examples:
        whereabouts forget --before 2024-01-01 --yes
        whereabouts forget --since 2024-05-14T08:20:00Z --until 2024-05-14T08:25:00Z --dry-run
        whereabouts forget --trip drive --yes
        whereabouts forget --before 2024-05-01 --thin 10m --yes
        whereabouts forget --everything --yes

      Exit codes: 0 success, also with nothing to erase, 1 failure or not confirmed, 2 usage error, 4 permission \
      denied.
      """)

  @OptionGroup var store: StoreOptions

  @OptionGroup var span: SpanOptions

  @Option(
    help: ArgumentHelp(
      "Erase data older than this time, as in 2024-05-14 or 30d for thirty days ago, in UTC.",
      valueName: "time"), transform: PastArgument.parse)
  var before: PastArgument?

  @Option(
    help: ArgumentHelp("Erase this trip, but keep its fixes.", valueName: "name"),
    completion: StoreCompletion.trips)
  var trip: String?

  @Flag(help: "Erase all fence events.")
  var events = false

  @Flag(help: "Erase all data, also the fences.")
  var everything = false

  @Option(
    help: ArgumentHelp(
      """
      Erase only fixes within this distance of the path through the other fixes, as in 10m; of a time range, or of \
      the whole history. Can't be combined with --dry-run: the result is unknown beforehand.
      """, valueName: "metres"), transform: LengthArgument.parse)
  var thin: LengthArgument?

  @Flag(help: "Print what would be erased, and erase nothing. Can't be combined with --thin and --yes.")
  var dryRun = false

  @Flag(help: "Erase without confirmation.")
  var yes = false

  @Flag(help: "Print the erased counts as JSON.")
  var json = false

  func validate() throws {
    let given: [(String, Bool)] = [
      ("a time range", span.isGiven || before != nil), ("--trip", trip != nil), ("--events", events),
      ("--everything", everything),
    ]
    let asked = given.filter(\.1).map(\.0)
    if asked.isEmpty, thin == nil {
      throw ValidationError(
        """
        no data was selected. Pass --before, --since, --until, --today, --trip, --events, --everything or \
        --thin.
        """)
    }
    if asked.count > 1 { throw ValidationError("\(asked[0]) and \(asked[1]) can't be combined") }
    if thin != nil, trip != nil || events || everything {
      throw ValidationError("--thin and \(asked[0]) can't be combined: --thin erases only fixes")
    }
    if before != nil, span.isGiven {
      throw ValidationError("--before can't be combined with --since, --until and --today")
    }
    if dryRun, yes { throw ValidationError("--dry-run and --yes can't be combined") }
    if dryRun, thin != nil {
      throw ValidationError(
        "--dry-run and --thin can't be combined: the result of thinning is unknown beforehand")
    }
  }

  func run() async throws {
    let plan = try makePlan()
    let looked = try OpenStore.reading(store.selection, converts: !dryRun)
    let count = try await plan.count(in: looked)
    let isPending = try looked.attempt { try $0.isErasurePending }
    let missing = try? looked.missingDataMessage()
    let nothing = "nothing to erase\(missing.map { ": \($0)" } ?? "")".sanitizedToOneLine
    looked.close()
    guard !count.isEmpty else {
      if isPending, !dryRun { return try finishPendingErasure() }
      StandardError.print(nothing)
      return try show(ForgetCount())
    }
    if dryRun { return try show(count) }
    if !yes { try count.confirm() }
    let opened = try OpenStore.erasing(store.selection)
    let claims = try opened.claimAll(everything && store.device == nil)
    let meter = ErasureMeter(isWanted: !json)
    let rows = try opened.forget(plan, progress: meter)
    meter.end()
    withExtendedLifetime(claims) {}
    opened.close()
    let isNothing = rows == 0 && count.counted == 0
    if isNothing { StandardError.print(isPending && !plan.isThinning ? Self.nothingElse : nothing) }
    try show(plan.isThinning || isNothing ? ForgetCount(fixes: rows) : count)
  }

  private static let nothingElse = "nothing else to erase; the erasure of an earlier run is complete"

  /// Finishes an erasure that an earlier run could not finish.
  private func finishPendingErasure() throws {
    let opened = try OpenStore.erasing(store.selection)
    defer { opened.close() }
    _ = try opened.attempt { try $0.finishErasing() }
    StandardError.print(Self.nothingElse)
    try show(ForgetCount())
  }

  private func makePlan() throws(CommandError) -> ForgetPlan {
    let range = forgottenSpan, emptyRange = CommandError("the time range is empty", code: .usage)
    // Without a range, --thin would apply to the whole history.
    if range == nil, span.isGiven || before != nil { throw emptyRange }
    if let thin { return .thin(within: thin.metres, range) }
    if let trip { return .trip(TripID(rawValue: trip)) }
    if events { return .events }
    if everything { return store.device == nil ? .everything : .device }
    guard let range else { throw emptyRange }
    return .span(range)
  }

  private var forgottenSpan: Range<UTCTime>? {
    guard let before else { return span.span }
    let end = before.time(asOf: .now), start = UTCTime(nanosecondsSince1970: .min)
    return start < end ? start..<end : nil
  }

  private func show(_ count: ForgetCount) throws {
    let output = try OutputFile(path: nil, replacing: false)
    if json {
      output.bytes += count.json(isDone: !dryRun).bytes + [UInt8(ascii: "\n")]
    } else if !count.isEmpty {
      output.bytes.appendText("\(dryRun ? "would erase " : "")\(count.text)\(dryRun ? "" : " erased")\n")
    }
    do { try output.flush() } catch is OutputFile.ReaderGoneError {}
  }
}
