/// Now, on both clocks. Comes with every input: nothing in the engine reads a clock.
public struct Moment: Hashable, Sendable, Codable {
  /// Now on the clock of this run, for timeouts and the age of live fixes. Never goes back.
  public var instant: Instant
  /// Now on the host's wall clock; `nil` where the host does not know. May be wrong and may be stepped.
  public var wall: UTCTime?

  /// Now on both clocks.
  public init(instant: Instant, wall: UTCTime?) {
    self.instant = instant
    self.wall = wall
  }

  /// How far the wall clock is ahead of the run's; changes only where the wall clock is stepped or disciplined.
  var wallOffset: Duration? {
    wall.map { .nanoseconds($0.nanosecondsSince1970) - .nanoseconds(instant.nanoseconds) }
  }
}

/// A fix and the instant it came.
public struct TimedFix: Hashable, Sendable {
  /// The fix.
  public var fix: Fix
  /// The instant of this run at which the fix was valid, by its ``AgeRule``: its arrival, or as long before its
  /// arrival as its own time was before wall time.
  public var validAt: Instant

  /// A fix that was valid at an instant of this run.
  public init(fix: Fix, validAt: Instant) {
    self.fix = fix
    self.validAt = validAt
  }

  /// How old it is; never negative.
  public func age(at now: Instant) -> Duration {
    max(.zero, now.since(validAt))
  }
}
