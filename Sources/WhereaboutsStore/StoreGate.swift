import Foundation

/// Lets reading in while a store is open, and closes it once nobody reads any more.
///
/// The pool of connections must not be closed while somebody takes a connection out of it: it may hand out one that is
/// closed, which crashes.
///
/// Everything is guarded by `condition`.
final class StoreGate: @unchecked Sendable {
  private let condition = NSCondition()
  private var readers = 0
  private var isClosed = false

  /// Does something while the store is open.
  func pass<Value>(_ body: () throws -> Value) throws -> Value {
    try condition.withLock {
      if isClosed { throw StoreClosed() }
      readers += 1
    }
    defer {
      condition.withLock {
        readers -= 1
        if readers == 0 { condition.broadcast() }
      }
    }
    return try body()
  }

  /// Lets nobody in from now on, and waits until nobody is in.
  ///
  /// - Returns: false where that was done before.
  func close() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    let wasOpen = !isClosed
    isClosed = true
    while readers > 0 { condition.wait() }
    return wasOpen
  }
}

/// Somebody wants something of a store that is closed.
struct StoreClosed: Error {}
