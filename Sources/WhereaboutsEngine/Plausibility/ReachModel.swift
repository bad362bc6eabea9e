import WhereaboutsModel
import RealModule
import WhereaboutsGeodesy

/// The limits for a fix: the possible motion of the device, and the errors of fixes.
struct ReachModel: Sendable {
  /// The leg from one fix to another.
  struct Leg: Sendable {
    /// The distance in metres.
    var distance: Double
    /// The greatest distance that the device can have covered, in metres.
    var reach: Double
    var seconds: Double
    /// The error of both places together, in metres at 68 %.
    var error: Double
    /// The way in the plane of its start, in metres.
    var way: LocalPlane.Point
    /// The outlier, if the leg is impossible.
    var outlier: Outlier?
  }

  let settings: Outlier.Settings
  let limits: ReachLimits

  /// The error of a fix's time, in seconds: many sources state whole seconds.
  private static let timeError = 0.5
  /// The longest time between two fixes of one stated time, in seconds: both may be of the same whole second.
  private static let longestInstant = 1.0

  init(_ settings: Outlier.Settings, activity: Activity) {
    self.settings = settings
    limits = ReachLimits(
      speed: settings.maximumSpeed ?? activity.greatestSpeed,
      acceleration: settings.maximumAcceleration ?? activity.greatestAcceleration)
  }

  /// The model with the limits of an unknown activity.
  var forUnknownActivity: ReachModel {
    var settings = settings
    settings.maximumSpeed = nil
    settings.maximumAcceleration = nil
    return ReachModel(settings, activity: .other)
  }

  func accuracy(of fix: Fix) -> Double {
    max(fix.horizontalAccuracy ?? settings.assumedAccuracy, settings.leastAccuracy)
  }

  /// The longest leg that is evidence of the speed at its end, in seconds.
  private static let longestLeg = 30.0

  /// Returns the least and the greatest possible speed at the end of a leg, and the error of both at 68 %, in metres
  /// per second.
  ///
  /// With s the leg's length, t its time and a the acceleration: the mean s/t, plus or minus half the change that a
  /// causes in t; at most √(2as), which is the speed after a start from rest.
  func speed(after leg: Leg) -> (least: Double, greatest: Double, error: Double)? {
    guard leg.seconds > 0, leg.seconds <= Self.longestLeg else { return nil }
    let mean = leg.distance / leg.seconds, change = limits.acceleration * leg.seconds / 2
    let fromRest = max(mean, (2 * limits.acceleration * leg.distance).squareRoot())
    return (
      max(0, mean - ReachLimits.turningFactor * change),
      min(mean + change, fromRest, max(limits.speed, mean)),
      leg.error / leg.seconds
    )
  }

  func velocity(_ speed: Double, course: Double) -> LocalPlane.Point {
    let angle = course * (.pi / 180)
    return LocalPlane.Point(east: speed * .sin(angle), north: speed * .cos(angle))
  }

  /// Returns the leg to a fix from a state that is a number of seconds earlier, with the outlier if the leg is
  /// impossible.
  func leg(from before: PlacedState, to timed: TimedFix, in seconds: Double) -> Leg {
    let point = before.plane.point(of: timed.fix.coordinate)
    let distance = LocalPlane.Point(east: 0, north: 0).distance(to: point)
    let error = Self.sum(before.accuracy, accuracy(of: timed.fix))
    let reach = limits.reach(in: seconds, from: before.speed)
    let timeError = seconds > 0 ? Self.timeError : Self.longestInstant
    let margin =
      settings.tolerance * Self.sum(error, before.speedError * seconds) + (before.speed ?? 0) * timeError
    var leg = Leg(distance: distance, reach: reach, seconds: seconds, error: error, way: point)
    if distance > reach + margin {
      leg.outlier = Outlier(
        cause: cause(distance: distance - margin, seconds: seconds), distance: distance, seconds: seconds,
        off: distance, allowed: reach + margin)
    }
    if let velocity = before.velocity {
      let expected = LocalPlane.Point(east: velocity.east * seconds, north: velocity.north * seconds)
      let off = expected.distance(to: point)
      let allowed = ReachLimits.turningFactor * limits.acceleration / 2 * seconds * seconds + margin
      if off > allowed, off - allowed > leg.outlier.map({ $0.off - $0.allowed }) ?? 0 {
        leg.outlier = Outlier(
          cause: leg.outlier?.cause ?? cause(distance: 0, seconds: seconds), distance: distance,
          seconds: seconds,
          off: off, allowed: allowed)
      }
    }
    return leg
  }

  /// Returns whether a leg confirms the velocity that the fix at its end states: the leg is longer than the tolerated
  /// errors, and they explain its difference from the stated way.
  func confirmsStatedMotion(of fix: Fix, after leg: Leg) -> Bool {
    guard leg.seconds > 0, leg.seconds <= Self.longestLeg, let speed = fix.speed else { return false }
    let tolerated = settings.tolerance * leg.error
    guard leg.distance > tolerated else { return false }
    guard let course = fix.course else {
      return (leg.distance - speed * leg.seconds).magnitude <= tolerated
    }
    let velocity = velocity(speed, course: course)
    let stated = LocalPlane.Point(east: velocity.east * leg.seconds, north: velocity.north * leg.seconds)
    return stated.distance(to: leg.way) <= tolerated
  }

  private func cause(distance: Double, seconds: Double) -> Outlier.Cause {
    guard seconds > 0 else { return .place }
    return distance > limits.speed * seconds ? .speed : .acceleration
  }

  /// Returns the sum of two independent errors.
  private static func sum(_ one: Double, _ another: Double) -> Double {
    (one * one + another * another).squareRoot()
  }
}
