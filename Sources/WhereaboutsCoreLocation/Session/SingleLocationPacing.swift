import WhereaboutsModel

/// The times of single locations, where a platform has no updates: one after the other, with longer and longer pauses
/// while there is no position.
struct SingleLocationPacing: Hashable, Sendable {
  static let pause = Duration.seconds(10)
  static let longestPause = Duration.seconds(600)
  /// The time after which a request that nothing answered is made again; Core Location gives up after some 10 s.
  static let answerTimeout = Duration.seconds(60)

  private var nextPause = pause

  /// Returns when to request again without an answer.
  func requested(at now: Instant) -> Instant { now.advanced(by: Self.answerTimeout) }

  /// Returns the instant for requesting the next location after a received one.
  mutating func answered(at now: Instant, interval: Duration) -> Instant {
    nextPause = Self.pause
    return now.advanced(by: max(Self.pause, interval))
  }

  /// Returns when to request again after a failure; the pauses double.
  mutating func failed(at now: Instant) -> Instant {
    defer { nextPause = min(nextPause * 2, Self.longestPause) }
    return now.advanced(by: nextPause)
  }
}
