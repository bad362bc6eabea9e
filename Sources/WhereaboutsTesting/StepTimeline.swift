import Atomics
import Whereabouts

/// The state behind a ``StepClock``: the time in atomics, which anyone may read at once, and the sleepers in an actor.
actor StepTimeline {
  private struct Sleeper {
    let id: UInt64
    let deadline: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private static let unknown = Int64.min

  private nonisolated let nanoseconds = ManagedAtomic<Int64>(0)
  /// Wall time at the clock's start, in nanoseconds since 1970; ``unknown`` where there is none.
  private nonisolated let wallAtStart: ManagedAtomic<Int64>
  private nonisolated let lastID = ManagedAtomic<UInt64>(0)

  private var sleepers: [Sleeper] = []
  /// Who waits until somebody sleeps.
  private var watchers = WaitingList<Duration>()
  /// Who waits until nobody sleeps.
  private var vigils = WaitingList<Void>()
  /// Managers that wait for their stores.
  private var watchdogs = WaitingList<Void>()
  /// Who waits until a manager waits for its store.
  private var expiries = WaitingList<Void>()

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
      if let first = firstDeadline { watchers.resumeAll(returning: first) }
    }
  }

  private var firstDeadline: Duration? { sleepers.lazy.map(\.deadline).min() }

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

  nonisolated func nextDeadline() async -> Duration {
    let id = lastID.wrappingIncrementThenLoad(ordering: .relaxed)
    return await withTaskCancellationHandler {
      await waitForSleeper(id)
    } onCancel: {
      Task { await self.endWait(id) }
    }
  }

  private func waitForSleeper(_ id: UInt64) async -> Duration {
    if let first = firstDeadline { return first }
    if Task.isCancelled { return now }
    return await withCheckedContinuation { watchers.add(id, $0) }
  }

  var sleeperCount: Int { sleepers.count }

  nonisolated func waitUntilNobodySleeps() async {
    let id = lastID.wrappingIncrementThenLoad(ordering: .relaxed)
    await withTaskCancellationHandler {
      await keepVigil(id)
    } onCancel: {
      Task { await self.endWait(id) }
    }
  }

  private func keepVigil(_ id: UInt64) async {
    guard !sleepers.isEmpty, !Task.isCancelled else { return }
    await withCheckedContinuation { vigils.add(id, $0) }
  }

  private func endWait(_ id: UInt64) {
    watchers.resume(id, returning: now)
    vigils.resume(id, returning: ())
    expiries.resume(id, returning: ())
    watchdogs.resume(id, returning: ())
  }

  // MARK: Watchdogs

  /// Sleeps until watchdogs are woken: no step of the clock does it, so that no call looks late which is only under way.
  nonisolated func keepWatch() async throws {
    let id = lastID.wrappingIncrementThenLoad(ordering: .relaxed)
    await withTaskCancellationHandler {
      await enterWatch(id)
    } onCancel: {
      Task { await self.endWait(id) }
    }
    try Task.checkCancellation()
  }

  private func enterWatch(_ id: UInt64) async {
    guard !Task.isCancelled else { return }
    await withCheckedContinuation {
      watchdogs.add(id, $0)
      expiries.resumeAll(returning: ())
    }
  }

  /// Waits for a watchdog, and wakes all there are.
  nonisolated func wakeWatchdogs() async {
    let id = lastID.wrappingIncrementThenLoad(ordering: .relaxed)
    await withTaskCancellationHandler {
      await waitForWatchdog(id)
    } onCancel: {
      Task { await self.endWait(id) }
    }
  }

  private func waitForWatchdog(_ id: UInt64) async {
    if watchdogs.isEmpty, !Task.isCancelled { await withCheckedContinuation { expiries.add(id, $0) } }
    watchdogs.resumeAll(returning: ())
  }

  private func endVigils() {
    if sleepers.isEmpty { vigils.resumeAll(returning: ()) }
  }
}
