import FaultyDisk
import Foundation
import Whereabouts
import WhereaboutsFormats
import WhereaboutsSources
import WhereaboutsStore

/// Plays a recording into a manager over a store, and resumes where the previous process was killed.
///
/// Deliveries are written to a file before they are acknowledged.
struct ReplayRun {
  /// The name of this consumer.
  static let consumer = "runner"

  private let options: RunnerOptions
  private let scenario: Scenario

  init(_ options: RunnerOptions) throws {
    self.options = options
    let seed = try options.number("scenario", default: 1)
    scenario =
      if let path = options.optionalText("recording") { try Scenario(recording: path, seed: seed) } else {
        try Scenario(seed: seed, rounds: Int(try options.number("rounds", default: 4)))
      }
  }

  func run() async throws {
    let kill = try options.number("kill-at", default: 0)
    if kill > 0 { faulty_disk_kill_at(kill, UInt32(try options.number("percent", default: 0))) }
    let store = try SQLiteStore.open(at: try options.text("store"), hook: try killPointHook())
    let gate = Gate()
    let manager = LocationManager(
      source: GatedSource(
        gate: gate,
        base: ReplaySource(
          Array(scenario.elements(after: try storedFixes(in: store))), speed: .asFastAsPossible)),
      store: store)
    if try await store.load(.this).snapshot == nil {
      try await manager.fences.add(contentsOf: scenario.fences)
    }
    let tracker = manager.tracker(TrackTerms(activity: .car, trip: "way"), startsAtOnce: true)
    let deliveries = manager.fences.updates(for: Self.consumer)
    printLine("ready \(faulty_disk_operations())")
    gate.open()
    try await deliver(deliveries, of: manager)
    let totals = await tracker.totals
    let fences = await manager.fences.all.map(\.id.name).sorted().joined(separator: ",")
    printLine("distance \(totals.distance)")
    printLine("fences \(fences)")
    printLine("operations \(faulty_disk_operations())")
    printLine("done")
  }

  /// Returns all fixes in the store.
  private func storedFixes(in store: SQLiteStore) throws -> Set<Fix> {
    var taken: Set<Fix> = []
    try store.history(of: .this, uses: Set(LoggedFix.Use.allCases)) { taken.insert($0.fix.fix) }
    return taken
  }

  private func deliver(_ deliveries: EventStream<FenceUpdate>, of manager: LocationManager) async throws {
    let path = try options.text("delivered")
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    guard descriptor >= 0 else { throw RunnerError("can't write \(path)") }
    let acknowledges = options.optionalText("forgets") == nil
    for await update in deliveries {
      guard case .record(let record) = update else { continue }
      let line = "\(record.number) \(record.record)\n"
      guard line.utf8.count == line.withCString({ write(descriptor, $0, strlen($0)) }) else {
        throw RunnerError("can't write \(path)")
      }
      if acknowledges { try await manager.fences.acknowledge(through: record.number, by: Self.consumer) }
    }
    close(descriptor)
  }

  /// Returns a hook that kills the process when a point inside a commit was reached a number of times.
  private func killPointHook() throws -> (@Sendable (CommitPoint) -> Void)? {
    guard let name = options.optionalText("kill-point") else { return nil }
    guard let fatal = CommitPoint(rawValue: name) else { throw RunnerError("no point \(name)") }
    let left = Countdown(Int(try options.number("times", default: 1)))
    return { point in
      if point == fatal, left.isLast() { kill(getpid(), SIGKILL) }
    }
  }
}

/// Counts down, from any thread.
final class Countdown: @unchecked Sendable {
  private let lock = NSLock()
  private var left: Int

  init(_ count: Int) { left = count }

  func isLast() -> Bool {
    lock.withLock {
      left -= 1
      return left == 0
    }
  }
}

/// A gate that delays a source until all listeners are ready.
struct Gate: Sendable {
  private let stream: AsyncStream<Never>
  private let end: AsyncStream<Never>.Continuation

  init() { (stream, end) = AsyncStream.makeStream(of: Never.self) }

  func open() { end.finish() }

  func wait() async { for await _ in stream {} }
}

/// A source behind a gate.
struct GatedSource<Base: LocationSource>: LocationSource {
  let gate: Gate
  let base: Base

  var authorizationNeeds: Authorization.Needs { base.authorizationNeeds }
  var timing: SourceTiming { base.timing }

  func run(_ link: SourceLink) async {
    await gate.wait()
    await base.run(link)
  }
}
