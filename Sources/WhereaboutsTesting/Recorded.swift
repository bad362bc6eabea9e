import Atomics
import Whereabouts

/// What a scripted source was asked.
struct SourceRecord: Sendable {
  let demands = Recorded<Demand>()
  let questions = Recorded<Authorization.Level>()
}

/// Everything that came, in order, for whoever looks or waits.
actor Recorded<Value: Sendable> {
  private struct Waiter {
    let id: UInt64
    let isExpected: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Value?, Never>
  }

  private(set) var all: [Value] = []
  private var waiters: [Waiter] = []
  private nonisolated let lastID = ManagedAtomic<UInt64>(0)

  func note(_ value: Value) {
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

  /// The last that came, if it is expected; else the next that is.
  ///
  /// - Returns: `nil` where the task is cancelled first.
  nonisolated func next(_ isExpected: @escaping @Sendable (Value) -> Bool) async -> Value? {
    let id = lastID.wrappingIncrementThenLoad(ordering: .relaxed)
    return await withTaskCancellationHandler {
      await enter(id, isExpected)
    } onCancel: {
      Task { await self.cancel(id) }
    }
  }

  private func enter(_ id: UInt64, _ isExpected: @escaping @Sendable (Value) -> Bool) async -> Value? {
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
