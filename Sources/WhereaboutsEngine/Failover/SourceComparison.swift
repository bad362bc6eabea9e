import WhereaboutsModel
import WhereaboutsGeodesy

/// A comparison that detects whether two sources report the device in two places at the same time.
///
/// Two fixes are simultaneous if they arrived within ``window``. They contradict each other if their distance exceeds
/// the device's movement meanwhile plus ``confidence`` times the accuracy of the distance. Errors of a receiver last
/// for seconds. So a contradiction must appear in each of ``least`` comparisons in a row over
/// ``duration``, and ends with the first comparison without one.
struct SourceComparison: Sendable {
  /// The greatest time between two fixes that are compared.
  private static let window = Duration.seconds(2)
  /// The multiple of an accuracy at 68 % beyond which places contradict. With equal normal errors in each direction, 68
  /// % are within 1.51 standard deviations and all but one in a million within 5.3 (Rayleigh distribution), which is
  /// 3.5 times as far.
  private static let confidence = 3.5
  private static let requiredCount = 5
  private static let duration = Duration.seconds(10)

  private struct Run: Sendable {
    var count = 0
    var began: Instant
  }

  private var runs: [Pair: Run] = [:]

  private struct Pair: Hashable, Sendable {
    var one: Int
    var another: Int
  }

  /// Compares a source's fix with another source's last fix.
  ///
  /// - Returns: the distance and the allowed distance, once the contradiction has lasted; `nil` where the sources
  ///   agree, or while it is unknown.
  mutating func compare(
    _ fix: Fix, of place: Int, with other: (fix: Fix, at: Instant), of otherPlace: Int, at now: Instant
  ) -> (distance: Double, allowed: Double)? {
    let pair = Pair(one: min(place, otherPlace), another: max(place, otherPlace))
    let apart = now.since(other.at)
    guard apart <= Self.window, let here = fix.horizontalAccuracy, let there = other.fix.horizontalAccuracy
    else { return nil }
    let speed = max(fix.speed ?? 0, other.fix.speed ?? 0)
    // A fix may have been delayed for as long as another takes to arrive.
    let allowed = Self.confidence * (here * here + there * there).squareRoot() + speed * Self.window.inSeconds
    let distance = fix.coordinate.distance(to: other.fix.coordinate)
    guard distance > allowed else {
      runs[pair] = nil
      return nil
    }
    var run = runs[pair] ?? Run(began: now)
    run.count += 1
    runs[pair] = run
    return run.count >= Self.requiredCount && now.since(run.began) >= Self.duration
      ? (distance, allowed) : nil
  }

  /// Returns whether the last comparison of two sources was a contradiction.
  func isContradicted(_ place: Int, _ other: Int) -> Bool {
    runs[Pair(one: min(place, other), another: max(place, other))] != nil
  }

  mutating func reset() { runs.removeAll() }
}
