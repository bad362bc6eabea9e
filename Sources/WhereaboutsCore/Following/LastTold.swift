import WhereaboutsGeodesy

/// Of the last fix told, what the next one is measured against.
struct LastTold: Sendable {
  let coordinate: Coordinate
  private let time: UTCTime?
  private let validAt: Instant

  init(_ timed: TimedFix) {
    coordinate = timed.fix.coordinate
    time = timed.fix.time
    validAt = timed.validAt
  }

  /// How far off a fix is, in metres, within a millimetre.
  func distance(to timed: TimedFix) -> Double {
    coordinate.distance(to: timed.fix.coordinate, within: 0.001)
  }

  /// The nanoseconds that have passed until a fix, held at the ends of the range.
  ///
  /// By the times of the fixes, so that a recording gives the same answer at any speed. Where one is missing, or
  /// where time has not moved forward (the clock behind it was set back, or stands), by the instants of this run: a
  /// clock set back by a year blocks nothing for a year.
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
