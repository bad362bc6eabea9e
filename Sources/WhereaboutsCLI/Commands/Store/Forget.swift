import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsStore

/// `whereabouts forget`: erases stored data.
struct Forget: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Erase what was kept, for good.",
    discussion: """
      What is erased is overwritten in the file and gone from it. Of a span go its fixes, its events, the trips that lie in \
      it altogether, and what waits to be sent of it; --trip forgets a trip's name, totals and gaps, --events all events. \
      With --everything all of every device goes, or of one (--device). With --thin only those fixes go that lie within so \
      many metres of what the others tell.

      Says what goes and asks, on a terminal; elsewhere --yes says that it is meant. Nobody may be watching meanwhile. Where \
      another program reads the store, or this one is killed, the next command that writes to the store finishes erasing. \
      Works on a full disk.

      Examples:
        whereabouts forget --before 2024-01-01 --yes
        whereabouts forget --since 2024-05-14T08:20:00Z --until 2024-05-14T08:25:00Z --dry-run
        whereabouts forget --trip drive --yes
        whereabouts forget --before 2024-05-01 --thin 10m --yes
        whereabouts forget --everything --yes

      Exit codes: 0 done or nothing to do, 1 failed or not meant, 2 usage, 4 not permitted.
      """)

  @OptionGroup var store: StoreOptions

  @OptionGroup var span: SpanOptions

  @Option(help: ArgumentHelp("What is older than that.", valueName: "time"))
  var before: PastArgument?

  @Option(
    help: ArgumentHelp("This trip, but not the fixes of it.", valueName: "name"),
    completion: StoreCompletion.trips)
  var trip: String?

  @Flag(help: "All events at fences.")
  var events = false

  @Flag(help: "Everything, the fences too.")
  var everything = false

  @Option(
    help: ArgumentHelp(
      "Only fixes that the others tell of so well; of a span, or of all.", valueName: "metres"))
  var thin: LengthArgument?

  @Flag(help: "Say what would go, and erase nothing.")
  var dryRun = false

  @Flag(help: "Don't ask.")
  var yes = false

  @Flag(help: "Print what went as JSON.")
  var json = false

  func validate() throws {
    let given: [(String, Bool)] = [
      ("a span", span.isGiven || before != nil), ("--trip", trip != nil), ("--events", events),
      ("--everything", everything),
    ]
    let asked = given.filter(\.1).map(\.0)
    if asked.isEmpty, thin == nil {
      throw ValidationError(
        "what? --before, --since, --until, --today, --trip, --events, --everything, or --thin says it")
    }
    if asked.count > 1 { throw ValidationError("\(asked[0]) and \(asked[1]) can't be combined") }
    if thin != nil, trip != nil || events || everything {
      throw ValidationError("--thin is for fixes, and \(asked[0]) can't be combined with it")
    }
    if before != nil, span.isGiven {
      throw ValidationError("--before is --until without --since: give one of them")
    }
    if dryRun, yes { throw ValidationError("--dry-run and --yes can't be combined") }
    if dryRun, thin != nil { throw ValidationError("--dry-run can't tell beforehand what --thin leaves") }
  }

  func run() async throws {
    let plan = try makePlan()
    let looked = try OpenStore.reading(store)
    let count = try await plan.count(in: looked)
    let isPending = try looked.attempt { try $0.isErasurePending }
    looked.close()
    guard !count.isEmpty else {
      if isPending, !dryRun { return try finishPendingErasure() }
      StandardError.print("there is nothing to forget")
      return try show(ForgetCount())
    }
    if dryRun { return try show(count) }
    try confirm(count)
    let opened = try OpenStore.writing(store)
    let claims = try opened.claimAll(everything && store.device == nil)
    let meter = ErasureMeter(isWanted: !json)
    let rows = try opened.forget(plan, progress: meter)
    meter.end()
    withExtendedLifetime(claims) {}
    opened.close()
    try show(plan.isThinning ? ForgetCount(fixes: rows) : count)
  }

  /// Finishes an erasure that an earlier run could not finish.
  private func finishPendingErasure() throws {
    let opened = try OpenStore.writing(store)
    defer { opened.close() }
    _ = try opened.attempt { try $0.finishErasing() }
    StandardError.print("there is nothing else to forget; what an earlier run had left is erased")
    try show(ForgetCount())
  }

  private func makePlan() throws(CommandError) -> ForgetPlan {
    if let thin { return .thin(within: thin.metres, forgottenSpan) }
    if let trip { return .trip(TripID(rawValue: trip)) }
    if events { return .events }
    if everything { return store.device == nil ? .everything : .device }
    guard let forgottenSpan else { throw CommandError("that is no span of time", code: .usage) }
    return .span(forgottenSpan)
  }

  private var forgottenSpan: Range<UTCTime>? {
    guard let before else { return span.span }
    let end = before.time(asOf: .now), start = UTCTime(nanosecondsSince1970: .min)
    return start < end ? start..<end : nil
  }

  private func confirm(_ count: ForgetCount) throws(CommandError) {
    guard !yes else { return }
    let text = count.text.isEmpty ? "some fixes" : count.text
    guard System.isTerminal(0), System.isTerminal(System.standardError) else {
      throw CommandError("would forget \(text), for good: --yes says that it is meant", code: .usage)
    }
    StandardError.write("Forget \(text), for good? [y/N] ".sanitizedToOneLine)
    let answer = readLine()?.lowercased() ?? ""
    guard answer == "y" || answer == "yes" else { throw CommandError("nothing was forgotten") }
  }

  private func show(_ count: ForgetCount) throws {
    let output = try OutputFile(path: nil, replacing: false)
    if json {
      output.bytes += count.json(isDone: !dryRun).bytes + [UInt8(ascii: "\n")]
    } else if !count.isEmpty {
      output.bytes.appendText("\(dryRun ? "would forget " : "")\(count.text)\(dryRun ? "" : " forgotten")\n")
    }
    do { try output.flush() } catch is OutputFile.ReaderGoneError {}
  }
}
