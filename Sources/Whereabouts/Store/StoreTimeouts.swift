import Atomics
import WhereaboutsModel

/// The time limits of a manager's calls to its store. A store that hangs blocks nothing else.
struct StoreTimeouts: Sendable {
  /// The longest wait for a commit, for reading and for an acknowledgement.
  static let limit = Duration.seconds(10)
  /// The longest wait for loading the record of an earlier process. After a timeout nothing is stored before the
  /// call has returned and another one succeeds.
  static let loadingLimit = Duration.seconds(30)

  private let clock: ManagerClock.FreeClock?
  /// The number of calls that timed out and have not returned yet.
  private let abandonedCalls = ManagedAtomic(0)

  /// - Parameter clock: the manager's clock. If the source drives time, waits are unbounded, because time stops while
  ///   the loop waits.
  init(_ clock: ManagerClock) {
    self.clock = if case .free(let clock) = clock.kind { clock } else { nil }
  }

  /// Whether a call that timed out has not returned yet. Another call would wait as long.
  var hasAbandonedCall: Bool { abandonedCalls.load(ordering: .relaxed) > 0 }

  /// Returns the instant at which a call has ended that began at a moment. A pause counts from the end: from the
  /// beginning, it would be over where the call took longer.
  func end(of began: Moment) -> Instant { max(began.instant, clock?.now().instant ?? began.instant) }

  /// Waits for a call up to a time limit.
  ///
  /// - Parameters:
  ///   - limit: the time limit.
  ///   - body: the call, which continues after a timeout.
  ///   - onLateResult: receives the result of a call that returns after its timeout.
  /// - Returns: the result, or `nil` after a timeout.
  func wait<Value: Sendable>(
    _ limit: Duration = Self.limit, for body: @escaping @Sendable () async -> Value,
    onLateResult: @escaping @Sendable (Value) -> Void = { _ in }
  ) async -> Value? {
    guard let clock else { return await body() }
    let deadline = clock.now().instant.advanced(by: limit), hasEnded = ManagedAtomic(false)
    return await withCheckedContinuation { continuation in
      Task { [abandonedCalls] in
        let watch = await clock.watch(deadline) {
          // Count first: the call may return at once.
          abandonedCalls.wrappingIncrement(ordering: .relaxed)
          if hasEnded.exchange(true, ordering: .acquiringAndReleasing) {
            abandonedCalls.wrappingDecrement(ordering: .relaxed)
          } else {
            continuation.resume(returning: nil)
          }
        }
        let value = await body()
        await watch.end()
        guard hasEnded.exchange(true, ordering: .acquiringAndReleasing) else {
          return continuation.resume(returning: value)
        }
        abandonedCalls.wrappingDecrement(ordering: .relaxed)
        onLateResult(value)
      }
    }
  }
}
