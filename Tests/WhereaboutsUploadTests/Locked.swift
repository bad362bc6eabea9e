import Foundation

/// A value that threads share.
final class Locked<Value: Sendable>: @unchecked Sendable {
  // Guarded by `lock`.
  private var value: Value
  private let lock = NSLock()

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }

  var current: Value { withLock { $0 } }
}
