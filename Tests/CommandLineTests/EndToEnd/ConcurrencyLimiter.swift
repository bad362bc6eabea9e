/// Limits the number of concurrent tasks; waiting tasks run in order.
actor ConcurrencyLimiter {
  private var freeSlots: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { freeSlots = count }

  /// Does something when it is its turn.
  func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
    if freeSlots > 0 { freeSlots -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
    defer { if waiting.isEmpty { freeSlots += 1 } else { waiting.removeFirst().resume() } }
    return try await body()
  }
}
