import Atomics
import Whereabouts

/// The state behind a ``StepClock``: the time in atomics, readable at once from any task, and the sleepers in an
/// actor.
actor StepTimeline {
  private struct Sleeper {
    let id: UInt64
    let deadline: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private static let unknown = Int64.min

  private nonisolated let nanoseconds = ManagedAtomic<Int64>(0)
  /// The wall time at the clock's start, in nanoseconds since 1970; ``unknown`` if there is none.
  private nonisolated let wallAtStart: ManagedAtomic<Int64>
  private nonisolated let lastID = ManagedAtomic<UInt64>(0)

  private var sleepers: [Sleeper] = []
  /// The tasks that wait until a task sleeps.
  private var sleeperWaiters = WaitingList<Duration>()
  /// The tasks that wait until no task sleeps.
  private var idleWaiters = WaitingList<Void>()
  /// The managers that wait for their stores.
  private var watchdogs = WaitingList<Void>()
  /// The tasks that wait until a manager waits for its store.
  private var watchdogWaiters = WaitingList<Void>()

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
      try await addSleeper(id, deadline)
    } onCancel: {
      Task { await self.cancel(id) }
    }
  }

  private func addSleeper(_ id: UInt64, _ deadline: Duration) async throws {
    try Task.checkCancellation()
    guard deadline > now else { return }
    try await withCheckedThrowingContinuation { continuation in
      sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
      if let first = firstDeadline { sleeperWaiters.resumeAll(returning: first) }
    }
  }

  private var firstDeadline: Duration? { sleepers.lazy.map(\.deadline).min() }

  private func cancel(_ id: UInt64) {
    // A missing sleeper has woken. It can't be about to be added: adding and this check are one step.
    guard let index = sleepers.firstIndex(where: { $0.id == id }) else { return }
    sleepers.remove(at: index).continuation.resume(throwing: CancellationError())
    resumeIdleWaiters()
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
    resumeIdleWaiters()
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
    return await withCheckedContinuation { sleeperWaiters.add(id, $0) }
  }

  var sleeperCount: Int { sleepers.count }

  nonisolated func waitUntilNoSleepers() async {
    let id = lastID.wrappingIncrementThenLoad(ordering: .relaxed)
    await withTaskCancellationHandler {
      await waitForIdle(id)
    } onCancel: {
      Task { await self.endWait(id) }
    }
  }

  private func waitForIdle(_ id: UInt64) async {
    guard !sleepers.isEmpty, !Task.isCancelled else { return }
    await withCheckedContinuation { idleWaiters.add(id, $0) }
  }

  private func endWait(_ id: UInt64) {
    sleeperWaiters.resume(id, returning: now)
    idleWaiters.resume(id, returning: ())
    watchdogWaiters.resume(id, returning: ())
    watchdogs.resume(id, returning: ())
  }

  // MARK: Watchdogs

  /// Sleeps until watchdogs are woken. No step of the clock wakes them, so that a call under way never looks late.
  nonisolated func sleepAsWatchdog() async throws {
    let id = lastID.wrappingIncrementThenLoad(ordering: .relaxed)
    await withTaskCancellationHandler {
      await addWatchdog(id)
    } onCancel: {
      Task { await self.endWait(id) }
    }
    try Task.checkCancellation()
  }

  private func addWatchdog(_ id: UInt64) async {
    guard !Task.isCancelled else { return }
    await withCheckedContinuation {
      watchdogs.add(id, $0)
      watchdogWaiters.resumeAll(returning: ())
    }
  }

  /// Waits for a watchdog, and wakes all watchdogs.
  nonisolated func wakeWatchdogs() async {
    let id = lastID.wrappingIncrementThenLoad(ordering: .relaxed)
    await withTaskCancellationHandler {
      await waitForWatchdog(id)
    } onCancel: {
      Task { await self.endWait(id) }
    }
  }

  private func waitForWatchdog(_ id: UInt64) async {
    if watchdogs.isEmpty, !Task.isCancelled { await withCheckedContinuation { watchdogWaiters.add(id, $0) } }
    watchdogs.resumeAll(returning: ())
  }

  private func resumeIdleWaiters() {
    if sleepers.isEmpty { idleWaiters.resumeAll(returning: ()) }
  }
}
