public import WhereaboutsModel

/// A fix and the instant at which it was valid.
public struct TimedFix: Hashable, Sendable {
  /// The fix.
  public var fix: Fix
  /// The instant of this run at which the fix was valid, by its `SourceSignal.AgeRule`. The instant is the fix's
  /// arrival, or earlier by the fix's age on the wall clock.
  public var validAt: Instant
  /// Whether a tracker counts the fix although it was made before the tracker's start.
  public var mayPrecedeStart = false

  /// Creates a fix that was valid at an instant of this run.
  public init(fix: Fix, validAt: Instant) {
    self.fix = fix
    self.validAt = validAt
  }

  /// Returns the age of the fix; never negative.
  public func age(at now: Instant) -> Duration {
    max(.zero, now.since(validAt))
  }
}
