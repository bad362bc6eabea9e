/// How long to wait before the next try to reach a receiver.
///
/// A device that can be back at any moment, and a server that says at once that it is not there, cost nothing to look
/// for: twice a second for ten minutes, then every five seconds. Who has to be waited for is tried after 0.25 s, then
/// after twice as long each time, up to 30 s, give or take a fifth so that a fleet does not come in step.
struct RetryPace: Sendable {
  struct Settings: Hashable, Sendable {
    var poll = Duration.milliseconds(500)
    var slowPoll = Duration.seconds(5)
    var slowsAfter = Duration.seconds(600)
    var shortest = Duration.milliseconds(250)
    var longest = Duration.seconds(30)
  }

  private let settings: Settings
  private var waited = Duration.zero
  private var next: Duration

  init(_ settings: Settings = Settings()) {
    self.settings = settings
    next = settings.shortest
  }

  /// It was there: begin anew.
  mutating func reset() {
    self = RetryPace(settings)
  }

  /// - Parameters:
  ///   - answersAtOnce: whether the try costs nothing.
  ///   - jitter: from -1 to 1.
  mutating func wait(answersAtOnce: Bool, jitter: Double) -> Duration {
    defer { next = min(next * 2, settings.longest) }
    let wait: Duration
    if answersAtOnce {
      wait = waited < settings.slowsAfter ? settings.poll : settings.slowPoll
    } else {
      wait = min(next, settings.longest) * (1 + jitter / 5)
    }
    waited += wait
    return wait
  }
}
