import RealModule

/// Where a device is, how it moves, and how far its fixes are off, with how sure each is.
///
/// A Kalman filter's state in earth-centred coordinates: place, velocity, and the part of a fix's error that lasts
/// (the *offset*), three axes each. Since what is measured is as sure in one direction as in another, the axes share
/// one covariance, so that a step costs little more than one of a single axis; and since nothing in it knows of
/// north, it is the same everywhere on Earth, at the poles and at 180° too.
///
/// - Source: the steps are those of the Kalman filter (Kalman 1960), the offset is a first-order Gauss–Markov
///   process, as in Brown and Hwang, *Introduction to Random Signals and Applied Kalman Filtering*.
struct MotionState: Sendable, Hashable {
  /// Metres, earth-centred.
  var place: SIMD3<Double>
  /// Metres per second.
  var velocity: SIMD3<Double>
  /// Metres by which fixes lie beside the place, as long as it lasts.
  var offset: SIMD3<Double>
  /// Of place (p), velocity (v) and offset (o) of each axis.
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

  /// How a state goes on from one instant to the next.
  struct Step: Sendable, Hashable {
    /// Seconds.
    var duration: Double
    /// How fast the velocity wanders: the density of the acceleration, in m²/s³ an axis.
    var agility: Double
    /// What is left of the offset.
    var memory: Double
    /// Variance of the offset where nothing is known of it, in m².
    var offsetVariance: Double
  }

  /// Goes on by a step.
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

  /// Variance an axis of a fix's place as foreseen, without what is only its own.
  var predictedPlaceVariance: Double { covariance.pp + 2 * covariance.po + covariance.oo }

  /// Takes in a place that is off by the offset and by an error of its own.
  ///
  /// - Parameters:
  ///   - innovation: how far it is from where it was foreseen.
  ///   - variance: of its own error, an axis.
  mutating func updatePlace(_ innovation: SIMD3<Double>, variance: Double) {
    let c = covariance
    update(innovation, c.pp + c.po, c.pv + c.vo, c.po + c.oo, variance: predictedPlaceVariance + variance)
  }

  /// Takes in a velocity.
  mutating func updateVelocity(_ innovation: SIMD3<Double>, variance: Double) {
    let c = covariance
    update(innovation, c.pv, c.vv, c.vo, variance: c.vv + variance)
  }

  /// - Parameters:
  ///   - p: covariance of the place with what is measured; v and o likewise.
  ///   - variance: of the innovation.
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
