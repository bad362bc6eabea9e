import WhereaboutsModel

/// A monitor that compares the wall clock with the clock of the run: detects steps, and measures the age of fixes.
///
/// A fix that may be old has the time of the host's clock, or of a better one such as the satellites'. After a step, a
/// fix's time may be by the clock before or after the step, and either reading may be the right one. So the age of a
/// fix is the smaller of the two possible ages. A stale fix then passes for new only if a step is exactly as large as
/// the fix is old. The opposite choice would leave requests without an answer for as long as the clock is wrong.
struct WallClockMonitor: Sendable {
  /// The change of the wall clock against the monotonic clock that is a step, not clock discipline.
  static let step = Duration.seconds(1)

  /// The earliest time of a set clock, 2020-01-01. Machines without a battery for the clock begin in 1970, 1980 or
  /// 2000.
  static let earliest = UTCTime(nanosecondsSince1970: 1_577_836_800_000_000_000)

  /// The wall clock's lead over the monotonic clock at the last input.
  private var offset: Duration?
  /// The same lead before the last step.
  private var offsetBefore: Duration?

  enum Age: Equatable {
    case known(Duration)
    /// The fix was made in the future, by this duration.
    case negative(by: Duration)
  }

  /// Records the current time. Call with every input, since a step happens between two of them.
  mutating func recordTime(_ now: Moment) {
    guard let seen = now.wallOffset else { return }
    if let offset, seen - offset > Self.step || offset - seen > Self.step { offsetBefore = offset }
    offset = seen
  }

  /// Returns the age of a fix with a time; zero where unknown, since the fix has just arrived.
  func age(of time: UTCTime, at now: Moment) -> Age {
    guard let wall = now.wall, let offset else { return .known(.zero) }
    let age = wall.since(time)
    var possible: Duration? = age >= .zero - SourceSignal.AgeRule.futureTolerance ? age : nil
    if let offsetBefore {
      let ageBefore = age - (offset - offsetBefore)
      if ageBefore >= .zero - SourceSignal.AgeRule.futureTolerance {
        possible = min(possible ?? ageBefore, ageBefore)
      }
    }
    if let possible { return .known(max(.zero, possible)) }
    return wall < Self.earliest ? .known(.zero) : .negative(by: .zero - age)
  }
}
