/// How often fixes come, and so how long none must have come to call it a gap.
struct FixIntervalEstimator: Sendable, Hashable, Codable {
  /// Seconds that are a gap at the least.
  private let least: Double
  /// Seconds from one fix to the next, as they usually are; 0 where that is not known.
  private var usual = 0.0

  init(gap: Double) { least = gap }

  /// More seconds than this without a fix are a gap.
  var gap: Double { max(least, Self.gapFactor * usual) }

  /// A source that gives a fix a minute has no gap when one is missing, or two.
  private static let gapFactor = 3.0

  /// Whether fixes that lie so far apart are further apart than they usually are: where a source keeps silent while
  /// the device hardly moves, it has.
  func isLong(_ interval: Double) -> Bool { usual > 0 && interval > Self.longFactor * usual }

  private static let longFactor = 2.0

  /// Notes the time between two fixes that follow each other.
  mutating func record(_ interval: Double) {
    guard usual > 0 else {
      usual = interval
      return
    }
    // Towards the median: as many are longer as are shorter.
    usual *= interval > usual ? 1.1 : 1 / 1.1
  }

  /// Whether fixes that lie so far apart follow each other after all: they come as seldom as that.
  mutating func adoptLongInterval(_ one: Double, _ next: Double) -> Bool {
    guard max(one, next) <= Self.gapFactor * min(one, next) else { return false }
    usual = max(one, next)
    return true
  }
}
