import HTTPTypes
import Synchronization

/// The limit of requests whose fixes are read or stored at the same time.
///
/// A refused phone keeps its fixes and sends them again. Otherwise the fixes would fill the memory of the server.
final class IngestionGate: Sendable {
  private let limits: LiveLimits
  private let count = Mutex(0)

  init(_ limits: LiveLimits) { self.limits = limits }

  /// Runs a body if there is room.
  ///
  /// - Throws: ``Problem`` 429, and the errors of the body.
  func run<Value>(_ body: () async throws -> Value) async throws -> Value {
    let limit = limits.current.ingestions
    let enters = count.withLock { count in
      guard count < limit else { return false }
      count += 1
      return true
    }
    guard enters else {
      throw Problem(.tooManyRequests, "Too many requests at the same time.", retryAfter: 5)
    }
    defer { count.withLock { $0 -= 1 } }
    return try await body()
  }
}
