/// The distance of a device from one fix to the next, and its speed at the latter.
///
/// As a rule, the distance is the speed times the time. Where a fix is later than usual, the source may have been
/// silent because the device hardly moved: many sources report a fix only after some metres. Then a cubic (Hermite's)
/// joins place and velocity at both ends. This is the most likely path under random accelerations, and its length is
/// the integral of the speed, by Simpson's rule. So a walk after a pause does not count the pause as walking.
///
/// Over minutes, a speed that was not stated is weak evidence of the motion between. So are the stated speeds of a device
/// that stood at one fix and moved at the other: it may have set off or stopped at any time between. Over ten minutes any
/// speed is weak evidence. The distance is then limited to the straight line and half as much again.
struct TrackStride {
  /// The distance in metres.
  let length: Double
  /// The speed in metres per second, at the later fix.
  let speed: Double

  init(from before: TrackNode, _ wasMoving: Bool, to node: TrackNode, _ isMoving: Bool, _ model: MotionModel)
  {
    let duration = node.step.duration
    speed = isMoving ? Self.speed(at: node, model) : 0
    let speedBefore = wasMoving ? Self.speed(at: before, model) : 0
    let distance: Double
    if isMoving, wasMoving, node.isLate, node.sample.speed == nil {
      let mean = (node.smoothed.place - before.smoothed.place) / duration
      let middle = mean * 1.5 - (node.smoothed.velocity + before.smoothed.velocity) / 4
      let variance = (node.speedVariance + before.speedVariance) / 2
      let between = Self.expected(middle.length, variance, share: node.hiddenShare, model)
      distance = (speed + 4 * between + speedBefore) / 6 * duration
    } else {
      distance = (speed + speedBefore) / 2 * duration
    }
    let isForgotten = Self.forgets(
      speedBefore, speed, after: duration, isStated: node.sample.speed != nil, model)
    length = isForgotten ? Self.limited(distance, from: before.smoothed, to: node.smoothed) : distance
  }

  /// Returns whether a step is so long that the speeds at both ends are weak evidence of the motion between.
  ///
  /// - Parameters:
  ///   - before: the speed in metres per second at the earlier fix.
  ///   - speed: the speed at the later fix.
  ///   - duration: the duration of the step in seconds.
  ///   - isStated: whether the later fix states its speed.
  static func forgets(
    _ before: Double, _ speed: Double, after duration: Double, isStated: Bool, _ model: MotionModel
  ) -> Bool {
    let stood = before <= model.possibleMovementSpeed, stands = speed <= model.possibleMovementSpeed
    return duration >= (!isStated || stood != stands ? speedMemory : longestSpeedMemory)
  }

  /// Returns a distance limited by the places at both ends; a distance of zero stays zero.
  static func limited(_ distance: Double, from before: MotionState, to after: MotionState) -> Double {
    guard distance > 0 else { return distance }
    let noise = max(0, before.covariance.pp) + max(0, after.covariance.pp)
    let way = after.place - before.place
    let square = (way * way).sum()
    let straight = max(0, square - 2 * noise).squareRoot()
    return min(max(distance, straight), greatestDetour * square.squareRoot() + noise.squareRoot())
  }

  /// The times in seconds in which a speed from places or at one end alone, and any speed, is forgotten.
  private static let speedMemory = 60.0
  private static let longestSpeedMemory = 600.0
  /// The greatest ratio of the distance to the straight line.
  private static let greatestDetour = 1.5

  private static func speed(at node: TrackNode, _ model: MotionModel) -> Double {
    let speed = node.speed, variance = node.speedVariance
    if let stated = node.sample.speed, node.sample.velocity == nil {
      // Two measurements of one quantity, weighted by their variances.
      return speed + (stated - speed) * (variance / (variance + node.sample.speedVariance))
    }
    return expected(speed, variance, share: node.hiddenShare, model)
  }

  /// Returns the expected speed, which is not that of the expected velocity. The unknown velocity across the track
  /// lengthens it, by its variance over twice the speed.
  private static func expected(
    _ speed: Double, _ variance: Double, share: Double, _ model: MotionModel
  ) -> Double {
    speed + share * model.hiddenDistanceShare * variance / (2 * max(speed, variance.squareRoot()))
  }
}
