import Whereabouts
import WhereaboutsModel

/// The delay before the next attempt to connect.
///
/// A user who restarts gpsd or plugs in a receiver expects success at once. So for the first ten minutes the delay is
/// one second at most; afterwards the delay grows.
struct GPSDBackoff {
  static let initialMaxDelay = Duration.seconds(1)
  private static let initialPhase = Duration.seconds(600)
  private static let laterMaxDelay = Duration.seconds(30)

  private var startedAt: Instant?
  private var lastDelay = Duration.milliseconds(125)

  /// Returns the next delay, twice the one before.
  mutating func nextDelay(at now: Instant) -> Duration {
    lastDelay = min(lastDelay * 2, maxDelay(at: now))
    return lastDelay
  }

  /// Returns the longest delay at a time.
  mutating func maxDelay(at now: Instant) -> Duration {
    let since = startedAt ?? now
    self.startedAt = since
    return now.since(since) < Self.initialPhase ? Self.initialMaxDelay : Self.laterMaxDelay
  }
}
