import WhereaboutsModel

/// What the wall clock says, held against the clock of the run: whether it was stepped, and how old a fix is by it.
///
/// A fix that may be old is stamped by the host's clock, or by a better one such as the satellites'. After a step the
/// one and the other may be of the clock as it is now or as it was: the step may have put it right, or wrong. So a
/// fix is as old as the smaller of the two ages that can be. That a stale fix passes for new takes a step of just as
/// much as it is old; that a new one passes for stale would take a request its answer for as long as the clock is
/// wrong.
struct WallClockMonitor: Sendable {
  /// How far ahead of the wall clock a fix may claim to be. Two clocks set by NTP and by satellites agree far better;
  /// a phone without network for days may not.
  static let futureTolerance = Duration.seconds(10)

  /// A wall clock that moved against the monotonic one by more than this was stepped, not disciplined.
  static let step = Duration.seconds(1)

  /// 2020-01-01. A clock that says less was never set: machines without a battery for it begin in 1970, 1980 or 2000.
  private static let earliest = UTCTime(nanosecondsSince1970: 1_577_836_800_000_000_000)

  /// How far the wall clock was ahead of the monotonic one when last seen.
  private var offset: Duration?
  /// The same before the last step.
  private var offsetBefore: Duration?

  enum Age: Equatable {
    case known(Duration)
    /// Made in the future, by so much.
    case negative(by: Duration)
  }

  /// Sees what time it is; to be called with every input, since a step is between two of them.
  mutating func recordTime(_ now: Moment) {
    guard let seen = now.wallOffset else { return }
    if let offset, seen - offset > Self.step || offset - seen > Self.step { offsetBefore = offset }
    offset = seen
  }

  /// How old a fix of that time is; zero where that can't be known, since it has just arrived.
  func age(of time: UTCTime, at now: Moment) -> Age {
    guard let wall = now.wall, let offset else { return .known(.zero) }
    let age = wall.since(time)
    var possible: Duration? = age >= .zero - Self.futureTolerance ? age : nil
    if let offsetBefore {
      let ageBefore = age - (offset - offsetBefore)
      if ageBefore >= .zero - Self.futureTolerance { possible = min(possible ?? ageBefore, ageBefore) }
    }
    if let possible { return .known(max(.zero, possible)) }
    return wall < Self.earliest ? .known(.zero) : .negative(by: .zero - age)
  }
}
