import WhereaboutsGeodesy

/// Since when fixes have said the same thing again: no better accuracy, and no movement beyond the error.
///
/// The calm begins anew with a fix that is better by at least a tenth than the one it began with (receivers wander by
/// less), or that lies farther from that one than both their accuracies together. Both are held against the beginning,
/// so neither fixes that get better little by little nor a slow walk stay calm for long. Fixes without an accuracy say
/// nothing about it. Time is when the fixes were valid: old ones that are handed over together are no calm of now.
struct CalmWatch: Sendable {
  /// When the calm began; meaningless before the first fix that has an accuracy.
  private(set) var since = Instant.start
  private var anchor: (coordinate: Coordinate, accuracy: Double)?

  /// An accuracy counts as better from this share of the first one downwards.
  private static let improvement = 0.9

  mutating func take(_ timed: TimedFix) {
    guard let accuracy = timed.fix.horizontalAccuracy else { return }
    // Nothing is better than 0, which sources state for a place that is given.
    if let anchor, accuracy > anchor.accuracy * Self.improvement || anchor.accuracy == 0,
      anchor.coordinate.distance(to: timed.fix.coordinate, within: 0.01) <= anchor.accuracy + accuracy
    {
      return
    }
    anchor = (timed.fix.coordinate, accuracy)
    since = timed.validAt
  }

  /// The next fix begins a calm.
  mutating func forget() {
    anchor = nil
  }
}
