import Atomics
import Whereabouts

/// The state behind a ``StepClock``: the time in atomics, which anyone may read at once, and the sleepers in an actor.
actor StepTimeline {
  private struct Sleeper {
    let id: UInt64
    let deadline: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Watcher {
    let continuation: CheckedContinuation<Duration, Never>
  }

  private static let unknown = Int64.min

  private nonisolated let nanoseconds = ManagedAtomic<Int64>(0)
  /// Wall time at the clock's start, in nanoseconds since 1970; ``unknown`` where there is none.
  private nonisolated let wallAtStart: ManagedAtomic<Int64>
  private nonisolated let lastID = ManagedAtomic<UInt64>(0)

  private var sleepers: [Sleeper] = []
  private var watchers: [Watcher] = []
  /// Who waits until nobody sleeps.
  private var vigils: [CheckedContinuation<Void, Never>] = []

  init(wall: UTCTime?) {
    wallAtStart = ManagedAtomic(wall?.nanosecondsSince1970 ?? Self.unknown)
  }

  nonisolated var now: Duration { .nanoseconds(nanoseconds.load(ordering: .acquiring)) }

  nonisolated var wall: UTCTime? {
    let start = wallAtStart.load(ordering: .acquiring)
    return start == Self.unknown ? nil : UTCTime(nanosecondsSince1970: start).advanced(by: now)
  }

  nonisolated func setWall(_ time: UTCTime?) {
    wallAtStart.store(
      time?.advanced(by: .zero - now).nanosecondsSince1970 ?? Self.unknown, ordering: .releasing)
  }

  nonisolated func sleep(until deadline: Duration) async throws {
    let id = lastID.wrappingIncrementThenLoad(ordering: .relaxed)
    try await withTaskCancellationHandler {
      try await enter(id, deadline)
    } onCancel: {
      Task { await self.cancel(id) }
    }
  }

  private func enter(_ id: UInt64, _ deadline: Duration) async throws {
    try Task.checkCancellation()
    guard deadline > now else { return }
    try await withCheckedThrowingContinuation { continuation in
      sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
      guard let first = sleepers.map(\.deadline).min() else { return }
      for watcher in watchers { watcher.continuation.resume(returning: first) }
      watchers = []
    }
  }

  private func cancel(_ id: UInt64) {
    // Not there: it has woken. It can't have been about to lie down, which is one step with checking for this.
    guard let index = sleepers.firstIndex(where: { $0.id == id }) else { return }
    sleepers.remove(at: index).continuation.resume(throwing: CancellationError())
    endVigils()
  }

  func advance(by duration: Duration) {
    precondition(duration >= .zero, "a step clock does not go back")
    let end = now + duration
    while let next = sleepers.indices.min(by: { sleepers[$0].deadline < sleepers[$1].deadline }),
      sleepers[next].deadline <= end
    {
      let sleeper = sleepers.remove(at: next)
      move(to: max(now, sleeper.deadline))
      sleeper.continuation.resume()
    }
    move(to: max(now, end))
    endVigils()
  }

  private func move(to time: Duration) {
    nanoseconds.store(Instant(time).nanoseconds, ordering: .releasing)
  }

  func nextDeadline() async -> Duration {
    if let first = sleepers.map(\.deadline).min() { return first }
    return await withCheckedContinuation { watchers.append(Watcher(continuation: $0)) }
  }

  var sleeperCount: Int { sleepers.count }

  func waitUntilNobodySleeps() async {
    guard !sleepers.isEmpty else { return }
    await withCheckedContinuation { vigils.append($0) }
  }

  private func endVigils() {
    guard sleepers.isEmpty else { return }
    for vigil in vigils { vigil.resume() }
    vigils = []
  }
}
