import Atomics
import WhereaboutsCore

/// Bounds how long a manager's loop waits for its store, so that a store which hangs stops nothing else.
struct StorePatience: Sendable {
  /// The longest wait for a commit, for reading and for an acknowledgement.
  static let limit = Duration.seconds(10)
  /// The longest wait for what another process has left, which may be much; after it nothing is kept in this run.
  static let loadingLimit = Duration.seconds(30)

  private let clock: ManagerClock.FreeClock?
  /// Calls that were given up and have not returned yet.
  private let late = ManagedAtomic(0)

  /// - Parameter clock: where the source brings its own time, time stands still while the loop waits, and waits are not
  ///   bounded.
  init(_ clock: ManagerClock) {
    self.clock = if case .free(let clock) = clock.kind { clock } else { nil }
  }

  /// Whether a call that was given up has not returned yet: another would only wait as long.
  var isWaitingInVain: Bool { late.load(ordering: .relaxed) > 0 }

  /// Waits for a call.
  ///
  /// - Parameters:
  ///   - limit: how long.
  ///   - body: the call. It goes on when it was given up.
  ///   - comesLate: takes the result of a call that was given up and has returned after all.
  /// - Returns: the result; `nil` where it did not come in time.
  func wait<Value: Sendable>(
    _ limit: Duration = Self.limit, for body: @escaping @Sendable () async -> Value,
    comesLate: @escaping @Sendable (Value) -> Void = { _ in }
  ) async -> Value? {
    guard let clock else { return await body() }
    let promise = Promise<Value?>(), deadline = clock.now().instant.advanced(by: limit)
    Task { [late] in
      let value = await body()
      guard !(await promise.fulfil(value)) else { return }
      late.wrappingDecrement(ordering: .relaxed)
      comesLate(value)
    }
    let watchdog = Task { [late] in
      do { try await clock.watch(deadline) } catch { return }
      // Counted first: the call may return at once.
      late.wrappingIncrement(ordering: .relaxed)
      if !(await promise.fulfil(nil)) { late.wrappingDecrement(ordering: .relaxed) }
    }
    let value = await promise.result
    watchdog.cancel()
    // Only then is the next watchdog the only one.
    await watchdog.value
    return value
  }
}
