/// An estimator of the usual interval between fixes, and thus of the interval that is a gap.
struct FixIntervalEstimator: Sendable, Hashable, Codable {
  /// The least gap, in seconds.
  private let least: Double
  /// The usual interval between fixes, in seconds; 0 where unknown.
  private(set) var usual = 0.0

  init(gap: Double) { least = gap }

  /// The interval in seconds beyond which there is a gap.
  var gap: Double { max(least, Self.gapFactor * usual) }

  /// The length of a gap in usual intervals. A source with one fix a minute has no gap when one or two are missing.
  private static let gapFactor = 3.0

  /// Returns whether an interval is longer than usual. A source that is silent while the device hardly moves has such
  /// intervals.
  func isLong(_ interval: Double) -> Bool { usual > 0 && interval > Self.longFactor * usual }

  private static let longFactor = 2.0

  /// Records the interval between two consecutive fixes.
  mutating func record(_ interval: Double) {
    guard usual > 0 else {
      usual = interval
      return
    }
    // Moves towards the median: as many intervals are longer as are shorter.
    usual *= interval > usual ? 1.1 : 1 / 1.1
  }

  /// Adopts two long intervals as the usual ones if the source delivers fixes that seldom, and returns whether it does.
  mutating func adoptLongInterval(_ one: Double, _ next: Double) -> Bool {
    guard max(one, next) <= Self.gapFactor * min(one, next) else { return false }
    usual = max(one, next)
    return true
  }
}
