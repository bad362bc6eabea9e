import WhereaboutsModel

/// The pauses of a receiver that reports seldom, learnt so that such a pause is no silence.
struct ReceiverPauses: Hashable, Sendable {
  /// The shortest pause that is learnt. Most receivers report every second.
  private static let shortestPause = Duration.seconds(2)
  /// The longest pause that is learnt. A longer one is a silence, however often it occurs.
  private static let longestPause = Duration.seconds(60)

  /// The usual pause; zero for a receiver that reports often, and before the first pause.
  private var usual = Duration.zero
  private var last = Duration.zero
  /// The end of the last pause; before any, the time of the first data.
  private var resumedAt: Instant?
  /// Whether the receiver has sent for a while without a pause. Then a single pause may be a stop.
  private var reportsOften = false

  /// Whether the interval of the receiver is known: its first data alone does not show it.
  var isIntervalKnown: Bool { reportsOften || usual > .zero }

  /// Records data, with the time of the data before.
  ///
  /// The usual pause is the shorter of the last two, and the only one of a receiver that never reported often. A receiver
  /// that sends without a pause for as long as its last pause reports often again.
  mutating func recordData(at now: Instant, after earlier: Instant) {
    let pause = now.since(earlier)
    if pause >= Self.shortestPause {
      usual = reportsOften ? min(last, pause) : pause
      last = pause
      resumedAt = now
      return
    }
    let began = resumedAt ?? earlier
    resumedAt = began
    guard now.since(began) >= (reportsOften ? max(last, Self.shortestPause) : Self.shortestPause) else {
      return
    }
    self = ReceiverPauses()
    reportsOften = true
  }

  /// Returns the time without data after which the receiver is silent: twice its usual pause, and never less than a
  /// given time.
  func silenceTimeout(atLeast least: Duration) -> Duration {
    usual <= Self.longestPause ? max(least, usual * 2) : least
  }
}
