/// The present moment on both clocks. Each input carries one: the engine reads no clock.
public struct Moment: Hashable, Sendable, Codable {
  /// The instant on the clock of this run, for timeouts and the age of live fixes. Never goes back.
  public var instant: Instant
  /// The time on the host's wall clock; `nil` where the host does not know it. May be wrong and may be stepped.
  public var wall: UTCTime?

  /// Creates a moment.
  public init(instant: Instant, wall: UTCTime?) {
    self.instant = instant
    self.wall = wall
  }

  /// The wall clock's lead over the run's clock; changes only where the wall clock is stepped or disciplined.
  package var wallOffset: Duration? {
    wall.map { .nanoseconds($0.nanosecondsSince1970) - .nanoseconds(instant.nanoseconds) }
  }
}
