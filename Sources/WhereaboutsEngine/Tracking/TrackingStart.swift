import WhereaboutsModel

/// The moment from which a tracker's fixes count: fixes made before are not of its track, whenever they arrive.
///
/// The moment has an instant on the clock of the run, and a time on the clock of the fixes. The latter is the time of
/// the last fix before, since a host's wall clock may be wrong. Where both clocks agree as well as set clocks do, the
/// later time counts, because a fix takes a while to arrive. Without a fix before, the wall clock counts.
///
/// A clock can still be wrong, or the fixes can be of another time: a paused recording, or a receiver whose time was
/// set back. Stored fixes arrive all at once. So fixes whose arrivals are as far apart as their times are made now, and
/// the start moves to them.
struct TrackingStart: Sendable {
  /// The greatest difference between a set clock and the times of live fixes.
  private static let clockTolerance = Duration.seconds(2)
  /// The age by the wall clock from which a fix is not of the same timeline: a recording, or a clock that was never
  /// set.
  private static let timelineTolerance = Duration.seconds(3600)

  /// The greatest difference between the steps of a live source and those of the run.
  private static let intervalTolerance = Duration.milliseconds(500)

  private let instant: Instant
  /// The time of the start by the clock of the fixes; `nil` where unknown.
  private var time: UTCTime?
  /// A fix that was made too early, to compare the next with.
  private var suspect: TimedFix?

  /// - Parameter last: the last fix that was used before.
  init(at now: Moment, after last: TimedFix?) {
    instant = now.instant
    if let last, let made = last.fix.time {
      let byFixes = made.advanced(by: now.instant.since(last.validAt))
      time = byFixes
      if let wall = now.wall, wall > byFixes, wall.since(byFixes) <= Self.clockTolerance { time = wall }
    } else {
      time = now.wall
    }
  }

  /// Returns whether a fix was made at the start or after it.
  mutating func isReached(by timed: TimedFix) -> Bool {
    guard timed.validAt >= instant else { return false }
    guard let time, let made = timed.fix.time, made < time else { return true }
    guard time.since(made) <= Self.timelineTolerance else { return true }
    guard let suspect, let first = suspect.fix.time else {
      suspect = timed
      return false
    }
    let apart = timed.validAt.since(suspect.validAt)
    guard apart >= Self.clockTolerance else { return false }
    let off = made.since(first) - apart
    if off > .zero - Self.intervalTolerance && off < Self.intervalTolerance {
      self.time = first.advanced(by: instant.since(suspect.validAt))
      return true
    }
    self.suspect = timed
    return false
  }
}
