/// A fix in the estimator, with the filtered and the smoothed state.
struct TrackNode: Sendable, Hashable {
  /// The fix as stated, before the receiver's noise scales its variance.
  let sample: TrackSample
  /// The step from the node before.
  let step: MotionState.Step
  let filtered: MotionState
  var smoothed: MotionState
  /// Whether a velocity was processed.
  let hasVelocity: Bool
  /// The distance from the node before by the filter alone, in metres.
  var liveStride = 0.0
  /// Whether the device may have stood since the fix before: the interval is longer than usual, or the source reports by
  /// distance.
  var isLate = false
  /// The number of consecutive surprising fixes, of which this is the last.
  let surprisesInARow: Int
  /// The distance of the fix from its predicted place beyond what chance explains, in metres.
  let excess: Double
  /// The squared distance of the fix from its predicted place, as a share of its mean by chance.
  var surprise = 1.0
  /// The agility learned before this fix, in m²/s³ an axis.
  var agility: Double
  /// The agility of a manoeuvre in the step to this fix, in m²/s³ an axis; 0 where none is known.
  var manoeuvre = 0.0
  /// The factor for the variances, from the surprises of the nodes around; see ``SurpriseMedian``.
  var varianceScale = 1.0
  /// The share of the distance hidden by noise that is missing from the smoothed path around this fix; see
  /// ``VelocityChanges``.
  var hiddenShare = 1.0

  /// The smoothed speed of the device, in m/s.
  var speed: Double { smoothed.velocity.length }
  /// The variance of the velocity, in m²/s² an axis.
  var speedVariance: Double { max(1e-9, smoothed.covariance.vv * varianceScale) }
}

extension SIMD3<Double> {
  /// The Euclidean length.
  var length: Double { (self * self).sum().squareRoot() }
}
