import WhereaboutsGeodesy

/// Sees whether two sources that deliver at the same time put the device in two places.
///
/// Two fixes are of the same time where they came within ``window``. They contradict each other where they lie further
/// apart than ``confidence`` times what their accuracies say of the distance between them, and than the device goes
/// meanwhile. Errors of a receiver last for seconds, so a contradiction has to be there in each of ``least`` comparisons
/// over ``duration`` in a row, and is over as soon as one of them is not.
struct SourceComparison: Sendable {
  /// Fixes further apart are not compared.
  private static let window = Duration.seconds(2)
  /// Of an accuracy at 68 %: with errors in each direction alike and normal, 68 % are within 1.51 standard deviations and
  /// all but one in a million within 5.3 of them (Rayleigh distribution), which is 3.5 times as far.
  private static let confidence = 3.5
  private static let least = 5
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

  /// Compares what one source says with what another said last.
  ///
  /// - Returns: how far apart they are and may be, once that has lasted; `nil` where they agree, or it is not known yet.
  mutating func compare(
    _ fix: Fix, of place: Int, with other: (fix: Fix, at: Instant), of otherPlace: Int, at now: Instant
  ) -> (distance: Double, allowed: Double)? {
    let pair = Pair(one: min(place, otherPlace), another: max(place, otherPlace))
    let apart = now.since(other.at)
    guard apart <= Self.window, let here = fix.horizontalAccuracy, let there = other.fix.horizontalAccuracy
    else { return nil }
    let speed = max(fix.speed ?? 0, other.fix.speed ?? 0)
    // A fix may have been on its way for as long as another takes to come.
    let allowed = Self.confidence * (here * here + there * there).squareRoot() + speed * Self.window.inSeconds
    let distance = fix.coordinate.distance(to: other.fix.coordinate)
    guard distance > allowed else {
      runs[pair] = nil
      return nil
    }
    var run = runs[pair] ?? Run(began: now)
    run.count += 1
    runs[pair] = run
    return run.count >= Self.least && now.since(run.began) >= Self.duration ? (distance, allowed) : nil
  }

  /// Whether they have contradicted each other when they were compared last.
  func isDoubtful(_ place: Int, _ other: Int) -> Bool {
    runs[Pair(one: min(place, other), another: max(place, other))] != nil
  }

  mutating func forget() { runs.removeAll() }
}
