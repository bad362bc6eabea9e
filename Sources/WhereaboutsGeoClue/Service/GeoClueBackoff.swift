package import WhereaboutsModel

/// A delay before the next attempt, doubled each time.
package struct GeoClueBackoff: Sendable {
  private static let minDelay = Duration.milliseconds(250)
  private static let maxDelay = Duration.seconds(30)
  /// The longest delay at first, for a peer that may return at any moment.
  private static let initialMaxDelay = Duration.seconds(1)
  private static let initialPhase = Duration.seconds(600)

  private var delay = minDelay
  private var startedAt: Instant?

  package init() {}

  /// Returns the time of the next attempt.
  ///
  /// - Parameter isLocal: whether to try each second for the first ten minutes: an attempt costs little, and no event
  ///   announces success.
  package mutating func nextAttempt(after now: Instant, isLocal: Bool) -> Instant {
    let began = startedAt ?? now
    self.startedAt = began
    let longest = isLocal && now.since(began) < Self.initialPhase ? Self.initialMaxDelay : Self.maxDelay
    defer { delay = min(delay * 2, Self.maxDelay) }
    return now.advanced(by: min(delay, longest))
  }
}
