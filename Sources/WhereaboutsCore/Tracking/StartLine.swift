/// The moment from which on a tracker's fixes count: those that were made before are not of its way, whenever they come.
///
/// By the clock of the run that is the instant. By the fixes' own times it is what their clock said then, read off the
/// last fix before, since a host's wall clock may be wrong. Where the two agree as well as clocks do that are set, the
/// later counts, because a fix takes a while to arrive. Where there was no fix before, the wall clock is all there is.
///
/// A clock can be wrong all the same, or the fixes be of another time: a recording that stood still meanwhile, a receiver
/// whose time was put back. Fixes that were kept come all at once. So where they come with as much time between them as
/// they were made, what comes is made now, and it is the line that is moved.
struct StartLine: Sendable {
  /// How far a clock that is set may be from the times of live fixes.
  private static let agreement = Duration.seconds(2)
  /// A fix that is this old by the wall clock is not of the same timeline: a recording, or a
  /// clock that was never set.
  private static let otherTimeline = Duration.seconds(3600)

  /// How much the steps of a live source may differ from those of the run.
  private static let punctuality = Duration.milliseconds(500)

  private let instant: Instant
  /// What the clock of the fixes said then; `nil` where that can't be known.
  private var time: UTCTime?
  /// A fix that was made too early, to hold the next against.
  private var suspect: TimedFix?

  /// - Parameter last: the last fix that was used before.
  init(at now: Moment, after last: TimedFix?) {
    instant = now.instant
    if let last, let made = last.fix.time {
      let byFixes = made.advanced(by: now.instant.since(last.validAt))
      time = byFixes
      if let wall = now.wall, wall > byFixes, wall.since(byFixes) <= Self.agreement { time = wall }
    } else {
      time = now.wall
    }
  }

  /// Whether a fix was made at the line or after it.
  mutating func isPassed(by timed: TimedFix) -> Bool {
    guard timed.validAt >= instant else { return false }
    guard let time, let made = timed.fix.time, made < time else { return true }
    guard time.since(made) <= Self.otherTimeline else { return true }
    guard let suspect, let first = suspect.fix.time else {
      suspect = timed
      return false
    }
    let apart = timed.validAt.since(suspect.validAt)
    guard apart >= Self.agreement else { return false }
    let off = made.since(first) - apart
    if off > .zero - Self.punctuality && off < Self.punctuality {
      self.time = first.advanced(by: instant.since(suspect.validAt))
      return true
    }
    self.suspect = timed
    return false
  }
}
