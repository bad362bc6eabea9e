import Atomics

/// A value that is set once, for any number of waiters.
package actor Promise<Value: Sendable> {
  /// The result of a wait.
  package enum WaitResult: Sendable {
    /// The value is set.
    case value(Value)
    /// The waiting task was cancelled first.
    ///
    /// - Parameter wasLast: whether no other task waits.
    case cancelled(wasLast: Bool)
  }

  private var value: Value?
  private var waiters: [UInt64: CheckedContinuation<WaitResult, Never>] = [:]
  private nonisolated let lastWaiter = ManagedAtomic<UInt64>(0)

  /// Creates a promise without a value.
  package init() {}

  /// The number of waiters.
  var waiterCount: Int { waiters.count }

  /// Sets the value. Later calls are ignored.
  ///
  /// - Returns: whether the call was the first.
  @discardableResult
  package func fulfil(_ value: Value) -> Bool {
    guard self.value == nil else { return false }
    self.value = value
    for waiter in waiters.values { waiter.resume(returning: .value(value)) }
    waiters = [:]
    return true
  }

  /// The value, as soon as the value is set. Cancelling the waiting task does not end the wait.
  package var result: Value {
    get async {
      if let value { return value }
      let number = lastWaiter.wrappingIncrementThenLoad(ordering: .relaxed)
      let wait = await withCheckedContinuation { waiters[number] = $0 }
      guard case .value(let value) = wait else { preconditionFailure("only cancellable waits are cancelled") }
      return value
    }
  }

  /// Waits for the value until the waiting task is cancelled.
  package nonisolated func wait() async -> WaitResult {
    let number = lastWaiter.wrappingIncrementThenLoad(ordering: .relaxed)
    return await withTaskCancellationHandler {
      await addWaiter(number)
    } onCancel: {
      Task { await self.cancelWaiter(number) }
    }
  }

  private func addWaiter(_ number: UInt64) async -> WaitResult {
    if let value { return .value(value) }
    // Check in one step with the insertion: a cancellation finds the waiter, or this check finds the cancellation.
    if Task.isCancelled { return .cancelled(wasLast: waiters.isEmpty) }
    return await withCheckedContinuation { waiters[number] = $0 }
  }

  private func cancelWaiter(_ number: UInt64) {
    guard let waiter = waiters.removeValue(forKey: number) else { return }
    waiter.resume(returning: .cancelled(wasLast: waiters.isEmpty))
  }
}
