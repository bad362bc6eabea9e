/// Tasks that wait for something, each under a number of its own, so that one that is cancelled can be let go.
struct WaitingList<Value: Sendable> {
  private var waiters: [(id: UInt64, continuation: CheckedContinuation<Value, Never>)] = []

  var isEmpty: Bool { waiters.isEmpty }

  mutating func add(_ id: UInt64, _ continuation: CheckedContinuation<Value, Never>) {
    waiters.append((id, continuation))
  }

  /// Lets one go; no effect where it was let go before.
  mutating func resume(_ id: UInt64, returning value: Value) {
    guard let place = waiters.firstIndex(where: { $0.id == id }) else { return }
    waiters.remove(at: place).continuation.resume(returning: value)
  }

  /// Lets all of them go, in the order in which they came.
  mutating func resumeAll(returning value: Value) {
    let all = waiters
    waiters = []
    for waiter in all { waiter.continuation.resume(returning: value) }
  }
}
