/// The delay before the next attempt to reach a receiver.
///
/// Attempts that fail fast cost nothing: an absent device, or a server that refuses at once. These are repeated twice a
/// second for ten minutes, then every five seconds. Other attempts follow after 0.25 s, then twice as long each time,
/// up to 30 s. A jitter of a fifth prevents a fleet from acting in step.
struct RetryBackoff: Sendable {
  struct Settings: Hashable, Sendable {
    var pollInterval = Duration.milliseconds(500)
    var slowPollInterval = Duration.seconds(5)
    var slowPollAfter = Duration.seconds(600)
    var minDelay = Duration.milliseconds(250)
    var maxDelay = Duration.seconds(30)
  }

  private let settings: Settings
  private var totalWait = Duration.zero
  private var retryDelay: Duration

  init(_ settings: Settings = Settings()) {
    self.settings = settings
    retryDelay = settings.minDelay
  }

  /// Resets the delay after a success.
  mutating func reset() {
    self = RetryBackoff(settings)
  }

  /// - Parameters:
  ///   - failsFast: whether the attempt costs nothing.
  ///   - jitter: from -1 to 1.
  mutating func nextDelay(failsFast: Bool, jitter: Double) -> Duration {
    defer { retryDelay = min(retryDelay * 2, settings.maxDelay) }
    let wait: Duration
    if failsFast {
      wait = totalWait < settings.slowPollAfter ? settings.pollInterval : settings.slowPollInterval
    } else {
      wait = min(retryDelay, settings.maxDelay) * (1 + jitter / 5)
    }
    totalWait += wait
    return wait
  }
}
