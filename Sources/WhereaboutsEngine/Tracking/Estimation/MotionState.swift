import RealModule

/// The place and motion of a device and the error of its fixes, with their covariance.
///
/// The state is a Kalman filter's, in earth-centred coordinates: place, velocity, and the correlated part of a fix's
/// error (the *offset*), three axes each. Measurements are equally accurate in every direction, so the axes share one
/// covariance, and a step costs little more than one of a single axis. The state does not depend on north, so it works
/// everywhere on Earth, at the poles and at 180° too.
///
/// - Source: the steps are those of the Kalman filter (Kalman 1960), the offset is a first-order Gauss–Markov process,
///   as in Brown and Hwang, *Introduction to Random Signals and Applied Kalman Filtering*.
struct MotionState: Sendable, Hashable {
  /// The place in metres, earth-centred.
  var place: SIMD3<Double>
  /// The velocity in metres per second.
  var velocity: SIMD3<Double>
  /// The offset of fixes from the place, in metres.
  var offset: SIMD3<Double>
  /// The covariance of place (p), velocity (v) and offset (o) of each axis.
  var covariance: Covariance

  /// A symmetric matrix of three rows.
  struct Covariance: Sendable, Hashable {
    var pp = 0.0
    var pv = 0.0
    var po = 0.0
    var vv = 0.0
    var vo = 0.0
    var oo = 0.0
  }

  /// The transition of a state from one instant to the next.
  struct Step: Sendable, Hashable {
    /// The duration in seconds.
    var duration: Double
    /// The rate at which the velocity wanders: the density of the acceleration, in m²/s³ an axis.
    var agility: Double
    /// The share of the offset that remains after the step.
    var memory: Double
    /// The variance of the offset where nothing is known of it, in m².
    var offsetVariance: Double
  }

  /// Predicts the state after a step.
  mutating func predict(_ step: Step) {
    let t = step.duration, q = step.agility, m = step.memory, c = covariance
    place += velocity * t
    offset *= m
    covariance.pp = c.pp + 2 * t * c.pv + t * t * c.vv + q * t * t * t / 3
    covariance.pv = c.pv + t * c.vv + q * t * t / 2
    covariance.po = (c.po + t * c.vo) * m
    covariance.vv = c.vv + q * t
    covariance.vo = c.vo * m
    covariance.oo = c.oo * m * m + step.offsetVariance * (1 - m * m)
  }

  /// The variance an axis of a fix's predicted place, without the fix's uncorrelated error.
  var predictedPlaceVariance: Double { covariance.pp + 2 * covariance.po + covariance.oo }

  /// Updates the state with a place whose error is the offset and an uncorrelated part.
  ///
  /// - Parameters:
  ///   - innovation: the difference between the measured and the predicted place.
  ///   - variance: the variance of the uncorrelated error, an axis.
  mutating func updatePlace(_ innovation: SIMD3<Double>, variance: Double) {
    let c = covariance
    update(innovation, c.pp + c.po, c.pv + c.vo, c.po + c.oo, variance: predictedPlaceVariance + variance)
  }

  /// Updates the state with a velocity.
  mutating func updateVelocity(_ innovation: SIMD3<Double>, variance: Double) {
    let c = covariance
    update(innovation, c.pv, c.vv, c.vo, variance: c.vv + variance)
  }

  /// - Parameters:
  ///   - p: the covariance of the place with the measured quantity; v and o likewise.
  ///   - variance: the variance of the innovation.
  private mutating func update(
    _ innovation: SIMD3<Double>, _ p: Double, _ v: Double, _ o: Double, variance: Double
  ) {
    let kp = p / variance, kv = v / variance, ko = o / variance
    place += innovation * kp
    velocity += innovation * kv
    offset += innovation * ko
    covariance.pp -= kp * p
    covariance.pv -= kp * v
    covariance.po -= kp * o
    covariance.vv -= kv * v
    covariance.vo -= kv * o
    covariance.oo -= ko * o
  }
}
