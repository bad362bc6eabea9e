import WhereaboutsModel
import WhereaboutsGeodesy

/// The data of the last reported fix with which the next fix is compared.
struct ReportedFix: Sendable {
  let coordinate: Coordinate
  private let time: UTCTime?
  private let validAt: Instant

  init(_ timed: TimedFix) {
    coordinate = timed.fix.coordinate
    time = timed.fix.time
    validAt = timed.validAt
  }

  /// Returns the distance to a fix, in metres, within a millimetre.
  func distance(to timed: TimedFix) -> Double {
    coordinate.distance(to: timed.fix.coordinate, within: 0.001)
  }

  /// Returns the nanoseconds that have passed until a fix, clamped to the range of `Int64`.
  ///
  /// The times of the fixes count, so that a recording gives the same answer at any speed. Where a time is missing or
  /// has not moved forward, the instants of this run count. So a clock that is set back by a year blocks nothing for
  /// a year.
  func nanoseconds(until timed: TimedFix) -> Int64 {
    if let time, let later = timed.fix.time, later > time {
      let (difference, overflow) = later.nanosecondsSince1970
        .subtractingReportingOverflow(time.nanosecondsSince1970)
      return overflow ? .max : difference
    }
    let (difference, overflow) = timed.validAt.nanoseconds.subtractingReportingOverflow(validAt.nanoseconds)
    guard overflow else { return difference }
    return timed.validAt < validAt ? .min : .max
  }
}
