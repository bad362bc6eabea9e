/// A fix on its way through the estimator: what it made known, and what later ones did.
struct TrackNode: Sendable, Hashable {
  let sample: TrackSample
  /// From the node before to this.
  let step: MotionState.Step
  let filtered: MotionState
  var smoothed: MotionState
  /// Whether a velocity was taken in.
  let hasVelocity: Bool
  /// How far the device came since the node before, as it seemed at once, in metres.
  let liveStride: Double
  /// Whether it came later after the one before than fixes usually do.
  var isLate = false
  /// How many fixes in a row, this the last of them, were far from where they were expected.
  let surprisesInARow: Int
  /// Metres by which the fix was further from where it was expected than chance explains.
  let excess: Double
  /// The square of how far the fix was from where it was expected, as a share of what chance makes it on average.
  var surprise = 1.0
  /// By how much the variances are too great, as the surprises around it show; see ``SurpriseMedian``.
  var varianceScale = 1.0

  /// How fast the device was, in m/s.
  var speed: Double { smoothed.velocity.length }
  /// The variance of its velocity, in m²/s² an axis.
  var speedVariance: Double { max(1e-9, smoothed.covariance.vv * varianceScale) }
}

extension SIMD3<Double> {
  /// The Euclidean length.
  var length: Double { (self * self).sum().squareRoot() }
}
