import WhereaboutsModel

/// A detector of gaps in a recording: unusually long times between fixes.
///
/// A gap exceeds 10 s, five times the median interval, and three times the 90th percentile of the intervals. A
/// recording with one fix a minute therefore has no gaps, nor has a recording without fixes on straight roads.
///
/// The time between two segments is no gap, but a break, if it is as long. Breaks do not change the limit.
struct GapMeter: Sendable {
  private static let shortestGap = 10.0
  private static let medianFactor = 5.0
  private static let ninetiethPercentileFactor = 3.0

  /// Seconds between successive fixes.
  private(set) var intervals = Distribution()
  /// The start of the longest interval.
  private(set) var longestBegan: UTCTime?
  /// Seconds between successive segments.
  private(set) var pauses = Distribution()
  /// The start of the longest time between segments.
  private(set) var longestBreakBegan: UTCTime?

  /// Adds the interval between two successive fixes.
  mutating func add(seconds: Double, from start: UTCTime) {
    if seconds > intervals.greatest ?? 0 { longestBegan = start }
    intervals.add(seconds)
  }

  /// Adds the time between two successive segments. A negative time is ignored.
  mutating func addPause(seconds: Double, from start: UTCTime) {
    if seconds > pauses.greatest ?? 0 { longestBreakBegan = start }
    pauses.add(seconds)
  }

  /// The interval in seconds beyond which an interval is a gap.
  var threshold: Double {
    max(
      Self.shortestGap, Self.medianFactor * (intervals.quantile(0.5) ?? 0),
      Self.ninetiethPercentileFactor * (intervals.quantile(0.9) ?? 0))
  }

  /// The number of gaps.
  var count: Int { intervals.count(above: threshold) }

  /// The duration of the longest gap in seconds; `nil` without gaps.
  var longest: Double? {
    guard let longest = intervals.greatest, longest > threshold else { return nil }
    return longest
  }

  /// The number of breaks between segments.
  var breaks: Int { pauses.count(above: threshold) }

  /// The duration of the longest break in seconds; `nil` without breaks.
  var longestBreak: Double? {
    guard let longest = pauses.greatest, longest > threshold else { return nil }
    return longest
  }
}
