import WhereaboutsModel

/// The pauses of a receiver that reports seldom, learnt so that such a pause is no silence.
struct ReceiverPauses: Hashable, Sendable {
  /// The shortest pause that is learnt. Most receivers report every second.
  private static let shortestPause = Duration.seconds(2)
  /// The longest pause that is learnt. A longer one is a silence, however often it occurs.
  private static let longestPause = Duration.seconds(60)

  /// The shorter of the last two pauses; zero for a receiver that reports often.
  private var usual = Duration.zero
  private var last = Duration.zero
  /// The end of the last pause.
  private var resumedAt: Instant?

  /// Records data, with the time of the data before. A receiver that sends without a pause for as long as its last
  /// pause reports often again.
  mutating func recordData(at now: Instant, after earlier: Instant) {
    let pause = now.since(earlier)
    if pause >= Self.shortestPause {
      usual = min(last, pause)
      last = pause
      resumedAt = now
    } else if let resumedAt, now.since(resumedAt) >= last {
      self = ReceiverPauses()
    }
  }

  /// Returns the time without data after which the receiver is silent: twice its usual pause, and never less than a
  /// given time.
  func silenceTimeout(atLeast least: Duration) -> Duration {
    usual <= Self.longestPause ? max(least, usual * 2) : least
  }
}
