import Foundation

/// A gate that admits readers while a store is open, and closes the store after the last reader.
///
/// A connection pool must not close while a reader takes a connection: the reader could get a closed connection and
/// crash.
///
/// Unchecked: `condition` guards everything.
final class StoreGate: @unchecked Sendable {
  private let condition = NSCondition()
  private var readers = 0
  private var isClosed = false

  /// Runs a closure while the store is open.
  func withOpenStore<Value>(_ body: () throws -> Value) throws -> Value {
    try condition.withLock {
      if isClosed { throw StoreClosedError() }
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

  /// Refuses new readers and waits for the current ones.
  ///
  /// - Returns: false if the gate was closed before.
  func close() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    let wasOpen = !isClosed
    isClosed = true
    while readers > 0 { condition.wait() }
    return wasOpen
  }
}

/// An error: the store is closed.
struct StoreClosedError: Error {}
