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

  /// How fast the device was, in m/s.
  var speed: Double { smoothed.velocity.length }
  /// The variance of its velocity, in m²/s² an axis.
  var speedVariance: Double { max(1e-9, smoothed.covariance.vv) }
}

extension SIMD3<Double> {
  /// The Euclidean length.
  var length: Double { (self * self).sum().squareRoot() }
}
