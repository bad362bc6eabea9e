import Atomics

/// A value that comes once, for any number of waiters.
package actor Promise<Value: Sendable> {
  /// The end of a wait.
  package enum Wait: Sendable {
    /// The value is there.
    case value(Value)
    /// The waiting task was cancelled first.
    ///
    /// - Parameter wasLast: whether nobody else waits.
    case cancelled(wasLast: Bool)
  }

  private var value: Value?
  private var waiters: [UInt64: CheckedContinuation<Wait, Never>] = [:]
  private nonisolated let lastWaiter = ManagedAtomic<UInt64>(0)

  /// A promise without a value yet.
  package init() {}

  /// How many wait.
  var waiterCount: Int { waiters.count }

  /// Gives the value. Whatever comes second is ignored.
  ///
  /// - Returns: whether it was the first.
  @discardableResult
  package func fulfil(_ value: Value) -> Bool {
    guard self.value == nil else { return false }
    self.value = value
    for waiter in waiters.values { waiter.resume(returning: .value(value)) }
    waiters = [:]
    return true
  }

  /// The value, as soon as it is there, whether or not the waiting task is cancelled.
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
  package nonisolated func wait() async -> Wait {
    let number = lastWaiter.wrappingIncrementThenLoad(ordering: .relaxed)
    return await withTaskCancellationHandler {
      await enter(number)
    } onCancel: {
      Task { await self.cancel(number) }
    }
  }

  private func enter(_ number: UInt64) async -> Wait {
    if let value { return .value(value) }
    // One step with entering the list, so that a cancellation finds the waiter or is found here.
    if Task.isCancelled { return .cancelled(wasLast: waiters.isEmpty) }
    return await withCheckedContinuation { waiters[number] = $0 }
  }

  private func cancel(_ number: UInt64) {
    guard let waiter = waiters.removeValue(forKey: number) else { return }
    waiter.resume(returning: .cancelled(wasLast: waiters.isEmpty))
  }
}
