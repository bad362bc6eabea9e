public import WhereaboutsModel

/// The delays after failed attempts, by a key such as an address.
///
/// The first failures are free. Each later failure doubles the delay, up to 30 s. A key is forgotten after a success,
/// or after ten minutes without a failure. The memory is bounded: in a flood of keys, the keys with the oldest failures
/// are forgotten first. Count the addresses of one IPv6 network (/64) as one key.
public struct AttemptLimiter: Sendable {
  /// The number of failures without a delay.
  public static let freeFailures = 3
  /// The delay after the first failure that is not free.
  public static let firstDelay = Duration.seconds(1)
  /// The greatest delay.
  public static let greatestDelay = Duration.seconds(30)
  /// The time after which a key without further failures is forgotten.
  public static let memory = Duration.seconds(600)

  private struct Failures {
    var count: Int
    var last: Instant
  }

  private let capacity: Int
  private var keys: [String: Failures] = [:]
  /// The attempts whose results are not known yet, by key, each with the number of its beginnings.
  private var pending: [String: [String: Int]] = [:]

  /// Creates a limiter without failures.
  ///
  /// - Parameter capacity: the greatest number of remembered keys, at least 1.
  public init(capacity: Int = 4_096) {
    self.capacity = max(1, capacity)
  }

  /// The number of remembered keys.
  public var count: Int { keys.count }

  /// Returns how long a key must wait until the next attempt; zero if it need not wait.
  ///
  /// - Parameters:
  ///   - key: the key of the client.
  ///   - now: the current instant.
  public func delay(for key: String, at now: Instant) -> Duration {
    guard let failures = keys[key] else { return .zero }
    return max(.zero, failures.last.advanced(by: Self.delay(after: failures.count)).since(now))
  }

  /// Returns whether a key has failed, and was not forgotten since.
  func hasFailed(_ key: String, at now: Instant) -> Bool {
    keys[key].map { now.since($0.last) < Self.memory } ?? false
  }

  /// Begins an attempt whose result is not known at once, unless too many are pending. Equal attempts count once.
  ///
  /// As many different attempts may be pending as may be made one after the other without a delay.
  ///
  /// - Returns: whether the attempt may be made; ``end(_:of:)`` must follow then.
  mutating func begin(_ attempt: String, of key: String, at now: Instant) -> Bool {
    let failures = hasFailed(key, at: now) ? keys[key]?.count ?? 0 : 0
    let others = pending[key, default: [:]].keys.count { $0 != attempt }
    guard others <= max(0, Self.freeFailures - failures) else { return false }
    pending[key, default: [:]][attempt, default: 0] += 1
    return true
  }

  /// Ends an attempt. Record its result at the same time.
  mutating func end(_ attempt: String, of key: String) {
    guard let count = pending[key]?[attempt] else { return }
    pending[key]?[attempt] = count > 1 ? count - 1 : nil
    if pending[key]?.isEmpty == true { pending[key] = nil }
  }

  /// Records a failed attempt.
  ///
  /// - Parameters:
  ///   - key: the key of the client.
  ///   - now: the current instant.
  public mutating func recordFailure(of key: String, at now: Instant) {
    var failures = keys[key] ?? Failures(count: 0, last: now)
    if now.since(failures.last) >= Self.memory { failures.count = 0 }
    if keys[key] == nil, keys.count >= capacity { makeRoom(at: now) }
    failures.count = min(failures.count + 1, 64)
    failures.last = now
    keys[key] = failures
  }

  /// Records a successful attempt, which forgets the failures of its key.
  ///
  /// - Parameter key: the key of the client.
  public mutating func recordSuccess(of key: String) { keys[key] = nil }

  private static func delay(after failures: Int) -> Duration {
    guard failures > freeFailures else { return .zero }
    // 2^5 s exceeds the greatest delay.
    return min(greatestDelay, firstDelay * (1 << min(failures - freeFailures - 1, 5)))
  }

  /// Forgets old keys, and a quarter of all keys if none is old: a flood then costs little for each key.
  private mutating func makeRoom(at now: Instant) {
    keys = keys.filter { now.since($0.value.last) < Self.memory }
    guard keys.count >= capacity else { return }
    let oldest = keys.sorted { $0.value.last < $1.value.last }.prefix(max(1, capacity / 4))
    for (key, _) in oldest { keys[key] = nil }
  }
}

/// The attempts with passwords, which count for their address and for their user there.
extension AttemptLimiter {
  /// The keys of an attempt.
  struct Origin {
    /// The key of the address.
    var address: String
    /// The key of the user at the address.
    var user: String
  }

  /// Returns how long an attempt must wait.
  func delay(for origin: Origin, at now: Instant) -> Duration {
    max(delay(for: origin.address, at: now), delay(for: origin.user, at: now))
  }

  /// Begins the check of a password, unless too many passwords of the user, or too many users of the address, are
  /// checked at present. Otherwise one password could be tried with many names at once.
  ///
  /// - Returns: whether the check may be made; ``end(_:of:)`` must follow then.
  mutating func begin(_ password: String, of origin: Origin, at now: Instant) -> Bool {
    guard begin(origin.user, of: origin.address, at: now) else { return false }
    guard begin(password, of: origin.user, at: now) else {
      end(origin.user, of: origin.address)
      return false
    }
    return true
  }

  /// Ends the check of a password. Record its result at the same time.
  mutating func end(_ password: String, of origin: Origin) {
    end(password, of: origin.user)
    end(origin.user, of: origin.address)
  }

  /// Records a wrong password. For the address each user counts once: behind a proxy all users have one address, and a
  /// phone with a wrong password must not delay the others. Many names from one address are guesses: each further name
  /// waits for the delay of the address, and each name that has failed for its own.
  mutating func recordFailure(of origin: Origin, at now: Instant) {
    if !hasFailed(origin.user, at: now) { recordFailure(of: origin.address, at: now) }
    recordFailure(of: origin.user, at: now)
  }
}
