import WhereaboutsModel

/// A detector of gaps in a recording: unusually long times between fixes.
///
/// A gap exceeds 10 s, five times the median interval, and three times the 90th percentile of the intervals. A
/// recording with one fix a minute therefore has no gaps, nor has a recording without fixes on straight roads.
struct GapMeter: Sendable {
  private static let shortestGap = 10.0
  private static let medianFactor = 5.0
  private static let ninetiethPercentileFactor = 3.0

  /// Seconds between successive fixes.
  private(set) var intervals = Distribution()
  /// The start of the longest interval.
  private(set) var longestBegan: UTCTime?

  /// Adds the interval between two successive fixes.
  mutating func add(seconds: Double, from start: UTCTime) {
    if seconds > intervals.greatest ?? 0 { longestBegan = start }
    intervals.add(seconds)
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
}
