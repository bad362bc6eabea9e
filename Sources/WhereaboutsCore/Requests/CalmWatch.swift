import WhereaboutsGeodesy

/// Since when fixes have said the same thing again: no better accuracy, and no movement beyond the error.
///
/// The calm begins anew with a fix that is better by at least a tenth than the best of the calm (receivers wander by
/// less), or that lies farther from the calm's anchor than both their accuracies together. The anchor is the fix the
/// calm began with, so a slow walk ends the calm as soon as it has led out of the circles. Fixes without an accuracy
/// say nothing about it.
struct CalmWatch: Sendable {
  /// When the calm began; meaningless before the first fix that has an accuracy.
  private(set) var since = Instant.start
  private var anchor: (coordinate: Coordinate, accuracy: Double)?

  /// An accuracy counts as better below this share of the best.
  private static let improvement = 0.9

  mutating func take(_ timed: TimedFix, at now: Instant) {
    guard let accuracy = timed.fix.horizontalAccuracy else { return }
    if let anchor, accuracy > anchor.accuracy * Self.improvement,
      anchor.coordinate.distance(to: timed.fix.coordinate, within: 0.01) <= anchor.accuracy + accuracy
    {
      return
    }
    anchor = (timed.fix.coordinate, accuracy)
    since = now
  }

  /// The next fix begins a calm.
  mutating func forget() {
    anchor = nil
  }
}
