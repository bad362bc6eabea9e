import WhereaboutsModel
import WhereaboutsGeodesy

/// The detector of settled fixes: since when neither accuracy nor place has changed beyond the error.
///
/// The settled time begins anew with a fix that is better than its first fix by at least a tenth; receivers wander by
/// less. The settled time also begins anew with a fix that lies farther from its first fix than both accuracies
/// together. Both comparisons use the first fix, so neither slow improvement nor a slow walk counts as settled for
/// long. Fixes without an accuracy are no evidence. Time is the validity time of fixes: old fixes that arrive
/// together do not count as settled now.
struct SettlingDetector: Sendable {
  /// The instant when fixes settled; meaningless before the first fix that has an accuracy.
  private(set) var stableSince = Instant.start
  private var anchor: (coordinate: Coordinate, accuracy: Double)?

  /// The share of the first accuracy at or below which an accuracy counts as better.
  private static let improvement = 0.9

  mutating func process(_ timed: TimedFix) {
    guard let accuracy = timed.fix.horizontalAccuracy else { return }
    // No accuracy is better than 0, which sources state for a given place.
    if let anchor, accuracy > anchor.accuracy * Self.improvement || anchor.accuracy == 0,
      anchor.coordinate.distance(to: timed.fix.coordinate, within: 0.01) <= anchor.accuracy + accuracy
    {
      return
    }
    anchor = (timed.fix.coordinate, accuracy)
    stableSince = timed.validAt
  }

  /// Makes the next fix begin a new settled time.
  mutating func reset() {
    anchor = nil
  }
}
