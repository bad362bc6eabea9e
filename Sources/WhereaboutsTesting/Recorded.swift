import Whereabouts

/// What a scripted source was asked.
struct SourceRecord: Sendable {
  let demands = Recorded<Demand>()
  let questions = Recorded<Authorization.Level>()
}

/// Everything that came, in order, for whoever looks or waits.
actor Recorded<Value: Sendable> {
  private struct Waiter {
    let isExpected: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Value, Never>
  }

  private(set) var all: [Value] = []
  private var waiters: [Waiter] = []

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
  func next(_ isExpected: @escaping @Sendable (Value) -> Bool) async -> Value {
    if let last = all.last, isExpected(last) { return last }
    return await withCheckedContinuation {
      waiters.append(Waiter(isExpected: isExpected, continuation: $0))
    }
  }
}
