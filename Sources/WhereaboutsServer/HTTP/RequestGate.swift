import HTTPTypes
import Synchronization

/// A limit of requests at the same time, such as those whose fixes are read or stored.
///
/// A refused phone keeps its fixes and sends them again. Otherwise the fixes would fill the memory of the server. One
/// token has at most half of the places: bodies that arrive slowly must not keep out the phones of others.
final class RequestGate: Sendable {
  private struct Counts {
    var all = 0
    var byToken: [Int64: Int] = [:]
  }

  private let limits: LiveLimits
  private let places: @Sendable (ServerLimits) -> Int
  private let counts = Mutex(Counts())

  /// The number of requests that run now.
  var count: Int { counts.withLock { $0.all } }

  /// Creates a gate.
  ///
  /// - Parameters:
  ///   - limits: the limits that apply now.
  ///   - places: the limit of this gate.
  init(_ limits: LiveLimits, _ places: @escaping @Sendable (ServerLimits) -> Int) {
    self.limits = limits
    self.places = places
  }

  /// Runs a body if there is room.
  ///
  /// - Parameter token: the id of the request's token.
  /// - Throws: ``Problem`` 429, and the errors of the body.
  func run<Value>(for token: Int64, _ body: () async throws -> Value) async throws -> Value {
    let limit = places(limits.current)
    let enters = counts.withLock { counts in
      let own = counts.byToken[token] ?? 0
      guard counts.all < limit, own < limit.tokenShare else { return false }
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

extension Int {
  /// The places that one token may have of this number, a half. The holder of one link must not keep out all others.
  var tokenShare: Int { (self + 1) / 2 }
}
