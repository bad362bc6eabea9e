/// A list of waiting tasks, each with its own number so that a cancelled one can be resumed alone.
struct WaitingList<Value: Sendable> {
  private var waiters: [(id: UInt64, continuation: CheckedContinuation<Value, Never>)] = []

  var isEmpty: Bool { waiters.isEmpty }

  mutating func add(_ id: UInt64, _ continuation: CheckedContinuation<Value, Never>) {
    waiters.append((id, continuation))
  }

  /// Resumes one task; no effect if the task was resumed before.
  mutating func resume(_ id: UInt64, returning value: Value) {
    guard let place = waiters.firstIndex(where: { $0.id == id }) else { return }
    waiters.remove(at: place).continuation.resume(returning: value)
  }

  /// Resumes all tasks, in the order in which they were added.
  mutating func resumeAll(returning value: Value) {
    let all = waiters
    waiters = []
    for waiter in all { waiter.continuation.resume(returning: value) }
  }
}
