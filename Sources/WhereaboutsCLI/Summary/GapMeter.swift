import WhereaboutsCore

/// Finds the pauses of a recording: times between fixes that are long for it.
///
/// Long is over 10 s, over five times the usual (median) time between its fixes, and over three times what nine in ten
/// of them keep: a recording with one fix a minute is not all gaps, nor one that leaves out fixes on straight roads.
struct GapMeter: Sendable {
  private static let least = 10.0
  private static let timesUsual = 5.0
  private static let timesNineInTen = 3.0

  /// Seconds between successive fixes.
  private(set) var intervals = Distribution()
  /// When the longest one began.
  private(set) var longestBegan: UTCTime?

  /// Takes the time between two successive fixes in.
  mutating func add(seconds: Double, from start: UTCTime) {
    if seconds > intervals.greatest ?? 0 { longestBegan = start }
    intervals.add(seconds)
  }

  /// Seconds beyond which a time between two fixes is a gap.
  var threshold: Double {
    max(
      Self.least, Self.timesUsual * (intervals.quantile(0.5) ?? 0),
      Self.timesNineInTen * (intervals.quantile(0.9) ?? 0))
  }

  /// How many gaps there are.
  var count: Int { intervals.count(above: threshold) }

  /// Seconds of the longest gap, `nil` where there is none.
  var longest: Double? {
    guard let longest = intervals.greatest, longest > threshold else { return nil }
    return longest
  }
}
