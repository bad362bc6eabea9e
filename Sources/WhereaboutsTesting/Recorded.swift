import Atomics
import Whereabouts

/// The record of the requests to a scripted source.
struct SourceRecord: Sendable {
  let demands = Recorded<Demand>()
  let authorizationRequests = Recorded<Authorization.Level>()
}

/// A log of values in order, which tasks can read or wait on.
actor Recorded<Value: Sendable> {
  private struct Waiter {
    let id: UInt64
    let isExpected: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Value?, Never>
  }

  private(set) var all: [Value] = []
  private var waiters: [Waiter] = []
  private nonisolated let lastID = ManagedAtomic<UInt64>(0)

  func record(_ value: Value) {
    all.append(value)
    let waiting = waiters
    waiters = []
    for waiter in waiting {
      if waiter.isExpected(value) {
        waiter.continuation.resume(returning: value)
      } else {
        waiters.append(waiter)
      }
    }
  }

  /// Returns the last value if expected; otherwise waits for the next expected one.
  ///
  /// - Returns: `nil` if the task is cancelled first.
  nonisolated func next(_ isExpected: @escaping @Sendable (Value) -> Bool) async -> Value? {
    let id = lastID.wrappingIncrementThenLoad(ordering: .relaxed)
    return await withTaskCancellationHandler {
      await addWaiter(id, isExpected)
    } onCancel: {
      Task { await self.cancel(id) }
    }
  }

  private func addWaiter(_ id: UInt64, _ isExpected: @escaping @Sendable (Value) -> Bool) async -> Value? {
    if let last = all.last, isExpected(last) { return last }
    if Task.isCancelled { return nil }
    return await withCheckedContinuation {
      waiters.append(Waiter(id: id, isExpected: isExpected, continuation: $0))
    }
  }

  private func cancel(_ id: UInt64) {
    guard let place = waiters.firstIndex(where: { $0.id == id }) else { return }
    waiters.remove(at: place).continuation.resume(returning: nil)
  }
}
