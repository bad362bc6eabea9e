/// How far a device came from one fix to the next, and how fast it was there.
///
/// As a rule that is its speed times time. Where a fix came later than usual, the source may have kept silent because
/// the device hardly moved: many give no fix before so many metres. Then place and velocity at both ends are held
/// together by a cubic (Hermite's), the most likely path of what is pushed about at random, whose speed in the middle
/// is known too; its length is the integral of the speed, by Simpson's rule. So who walks on after a pause has not
/// walked through it.
///
/// Over minutes a speed that was not stated says little of what was between, and over ten minutes none does: the way
/// is then held between the straight line and half as much again.
struct TrackStride {
  /// Metres.
  let length: Double
  /// Metres per second, at the later of the two.
  let speed: Double

  init(from before: TrackNode, _ wasMoving: Bool, to node: TrackNode, _ isMoving: Bool, _ model: MotionModel)
  {
    let duration = node.step.duration
    speed = isMoving ? Self.speed(at: node, model) : 0
    let speedBefore = wasMoving ? Self.speed(at: before, model) : 0
    guard isMoving, wasMoving, node.isLate, node.sample.speed == nil else {
      length = Self.clamped((speed + speedBefore) / 2 * duration, from: before, to: node)
      return
    }
    let mean = (node.smoothed.place - before.smoothed.place) / duration
    let middle = mean * 1.5 - (node.smoothed.velocity + before.smoothed.velocity) / 4
    let variance = (node.speedVariance + before.speedVariance) / 2
    let between = Self.expected(middle.length, variance, model)
    length = Self.clamped((speed + 4 * between + speedBefore) / 6 * duration, from: before, to: node)
  }

  private static func clamped(_ length: Double, from before: TrackNode, to node: TrackNode) -> Double {
    guard length > 0, node.step.duration >= (node.sample.speed == nil ? speedMemory : longestSpeedMemory)
    else { return length }
    let noise = max(0, before.smoothed.covariance.pp) + max(0, node.smoothed.covariance.pp)
    let way = node.smoothed.place - before.smoothed.place
    let square = (way * way).sum()
    let straight = max(0, square - 2 * noise).squareRoot()
    return min(max(length, straight), greatestDetour * square.squareRoot() + noise.squareRoot())
  }

  /// Seconds in which a speed that the places tell is forgotten, and in which any is.
  private static let speedMemory = 60.0
  private static let longestSpeedMemory = 600.0
  /// More than that ways are hardly longer than the straight line.
  private static let greatestDetour = 1.5

  private static func speed(at node: TrackNode, _ model: MotionModel) -> Double {
    let speed = node.speed, variance = node.speedVariance
    if let stated = node.sample.speed, node.sample.velocity == nil {
      // Two measurements of one thing, weighed by how sure they are.
      return speed + (stated - speed) * (variance / (variance + node.sample.speedVariance))
    }
    return expected(speed, variance, model)
  }

  /// The speed that is to be expected, which is not that of the expected velocity: what is not known of a velocity
  /// across the way makes the way longer, by its variance over twice the speed.
  private static func expected(_ speed: Double, _ variance: Double, _ model: MotionModel) -> Double {
    speed + model.hiddenDistanceShare * variance / (2 * max(speed, variance.squareRoot()))
  }
}
