import HTTPTypes
import Synchronization

/// The limit of requests whose fixes are read or stored at the same time.
///
/// A refused phone keeps its fixes and sends them again. Otherwise the fixes would fill the memory of the server. One
/// token has at most half of the places: bodies that arrive slowly must not keep out the phones of others.
final class IngestionGate: Sendable {
  private struct Counts {
    var all = 0
    var byToken: [Int64: Int] = [:]
  }

  private let limits: LiveLimits
  private let counts = Mutex(Counts())

  init(_ limits: LiveLimits) { self.limits = limits }

  /// Runs a body if there is room.
  ///
  /// - Parameter token: the id of the request's token.
  /// - Throws: ``Problem`` 429, and the errors of the body.
  func run<Value>(for token: Int64, _ body: () async throws -> Value) async throws -> Value {
    let limit = limits.current.ingestions
    let enters = counts.withLock { counts in
      let own = counts.byToken[token] ?? 0
      guard counts.all < limit, own < (limit + 1) / 2 else { return false }
      counts.all += 1
      counts.byToken[token] = own + 1
      return true
    }
    guard enters else {
      throw Problem(.tooManyRequests, "Too many requests at the same time.", retryAfter: 5)
    }
    defer {
      counts.withLock { counts in
        counts.all -= 1
        let own = (counts.byToken[token] ?? 1) - 1
        counts.byToken[token] = own > 0 ? own : nil
      }
    }
    return try await body()
  }
}
