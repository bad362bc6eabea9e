/// The distance of a device from one fix to the next, and its speed at the latter.
///
/// As a rule, the distance is the speed times the time. Where a fix is later than usual, the source may have been
/// silent because the device hardly moved: many sources report a fix only after some metres. Then a cubic (Hermite's)
/// joins place and velocity at both ends. This is the most likely path under random accelerations, and its length is
/// the integral of the speed, by Simpson's rule. So a walk after a pause does not count the pause as walking.
///
/// A late fix may also follow a stop between two fixes: the distance is then no longer than the straight line and the
/// usual detour.
///
/// Over minutes, a speed that was not stated is weak evidence of the motion between. So are the stated speeds of a device
/// that stood at one fix and moved at the other: it may have set off or stopped at any time between. Over ten minutes any
/// speed is weak evidence. The distance is then limited to the straight line and half as much again, and the device moved
/// at a walker's pace at least.
struct TrackStride {
  /// The distance in metres.
  let length: Double
  /// The speed in metres per second, at the later fix.
  let speed: Double
  /// The time in which the device moved, in seconds.
  let moving: Double
  /// The greatest distance that the places allow, in metres; infinite where only the speeds count.
  let greatest: Double

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
    let limits = Limits(
      from: before, before.smoothed, speedBefore, to: node, node.smoothed, speed, model)
    length = limits.limited(distance)
    greatest = limits.greatest
    let pace = max(speed, speedBefore, Self.walkingPace(model))
    moving = length > 0 ? limits.isForgotten ? min(duration, length / pace) : duration : 0
  }

  /// Returns the distance to a fix by the filter alone, in metres: provisional, and 0 where the device hardly moves.
  static func live(from before: TrackNode, to node: TrackNode, _ model: MotionModel) -> Double {
    let now = node.filtered.velocity.length, earlier = before.filtered.velocity.length
    let deviation = max(0, node.filtered.covariance.vv).squareRoot()
    guard now > max(model.possibleMovementSpeed, 2 * deviation) else { return 0 }
    let limits = Limits(from: before, before.filtered, earlier, to: node, node.filtered, now, model)
    return limits.limited((now + earlier) / 2 * node.step.duration)
  }

  /// Returns whether a step is so long that the speeds at both ends are weak evidence of the motion between.
  ///
  /// - Parameters:
  ///   - before: the speed in metres per second at the earlier fix.
  ///   - speed: the speed at the later fix.
  ///   - duration: the duration of the step in seconds.
  ///   - areStated: whether both fixes state their speeds.
  static func forgets(
    _ before: Double, _ speed: Double, after duration: Double, areStated: Bool, _ model: MotionModel
  ) -> Bool {
    let stood = before <= model.possibleMovementSpeed, stands = speed <= model.possibleMovementSpeed
    return duration >= (!areStated || stood != stands ? speedMemory : longestSpeedMemory)
  }

  /// The limits of a distance by the places at both ends.
  private struct Limits {
    /// Whether the speeds at both ends are forgotten.
    let isForgotten: Bool
    /// The least and the greatest distance, in metres.
    let least: Double
    let greatest: Double

    /// - Parameters:
    ///   - here: the state at the earlier node, with its speed in m/s.
    ///   - there: the state at the later node, with its speed in m/s.
    init(
      from before: TrackNode, _ here: MotionState, _ speedBefore: Double, to node: TrackNode,
      _ there: MotionState,
      _ speed: Double, _ model: MotionModel
    ) {
      isForgotten = TrackStride.forgets(
        speedBefore, speed, after: node.step.duration,
        areStated: before.sample.speed != nil && node.sample.speed != nil, model)
      guard isForgotten || node.isLate else {
        least = 0
        greatest = .infinity
        return
      }
      let noise = max(0, here.covariance.pp) + max(0, there.covariance.pp)
      let way = there.place - here.place
      let square = (way * way).sum()
      least = isForgotten ? max(0, square - 2 * noise).squareRoot() : 0
      let detour = isForgotten ? TrackStride.greatestDetour : model.circuity
      greatest = detour * square.squareRoot() + noise.squareRoot()
    }

    /// Returns a distance within the limits; a distance of zero stays zero.
    func limited(_ distance: Double) -> Double {
      distance > 0 ? min(max(distance, least), greatest) : distance
    }
  }

  /// The times in seconds in which a speed from places or at one end alone, and any speed, is forgotten.
  private static let speedMemory = 60.0
  private static let longestSpeedMemory = 600.0
  /// The greatest ratio of the distance to the straight line.
  private static let greatestDetour = 1.5

  /// The pace of a slow walker, in m/s.
  private static func walkingPace(_ model: MotionModel) -> Double { 2 * model.sureMovementSpeed }

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
