import WhereaboutsModel
import RealModule
import WhereaboutsGeodesy

/// The place and motion of a device by one fix: the part of the fix against which the next one is tested.
struct PlacedState: Sendable {
  /// The plane around the place.
  let plane: LocalPlane
  /// The accuracy in metres at 68 %.
  let accuracy: Double
  /// The speed in metres per second; `nil` where unknown.
  let speed: Double?
  /// The error of the speed in metres per second, at 68 %.
  let speedError: Double
  /// The velocity in metres per second, east and north; `nil` where unknown.
  let velocity: LocalPlane.Point?
  private let time: UTCTime?
  private let validAt: Instant

  /// The assumed error of a speed stated without an accuracy, in metres per second: that of a phone's receiver in town.
  private static let assumedSpeedError = 1.0

  /// - Parameter leg: the leg from the fix before, if this fix continues one.
  init(_ timed: TimedFix, _ model: ReachModel, after leg: ReachModel.Leg? = nil) {
    let fix = timed.fix
    plane = LocalPlane(around: fix.coordinate)
    accuracy = model.accuracy(of: fix)
    time = fix.time
    validAt = timed.validAt
    let derived = leg.flatMap { model.speed(after: $0) }
    let statedError = fix.speedAccuracy ?? Self.assumedSpeedError
    let tolerance = model.settings.tolerance
    if let stated = fix.speed,
      stated + tolerance * statedError >= derived.map({ $0.least - tolerance * $0.error }) ?? 0
    {
      speed = stated
      speedError = statedError
      velocity = fix.course.map { model.velocity(stated, course: $0) }
    } else {
      // Some sources without a speed state 0. The observed speed contradicts that, or none was stated.
      speed = derived?.greatest
      speedError = derived?.error ?? 0
      velocity = nil
    }
  }

  /// Creates the state of an untrusted fix: its stated speed is not used, only the speed observed since the fix before.
  init(_ timed: TimedFix, _ model: ReachModel, seenSince before: PlacedState?, _ leg: ReachModel.Leg?) {
    plane = LocalPlane(around: timed.fix.coordinate)
    accuracy = model.accuracy(of: timed.fix)
    time = timed.fix.time
    validAt = timed.validAt
    let seen = leg.flatMap { model.speed(after: $0) }
    speed = seen?.greatest
    speedError = seen?.error ?? 0
    if let before, let leg, seen != nil {
      let back = plane.point(of: before.plane.origin)
      velocity = LocalPlane.Point(east: -back.east / leg.seconds, north: -back.north / leg.seconds)
    } else {
      velocity = nil
    }
  }

  /// Returns the seconds from this state until a fix, never negative; `nil` where unknown.
  ///
  /// The times of the fixes count. Where one is missing, their arrivals count, if these are far enough apart that a
  /// delay matters little.
  func seconds(until timed: TimedFix) -> Double? {
    if let time, let later = timed.fix.time, later >= time { return later.seconds(since: time) }
    let seconds = timed.validAt.since(validAt).inSeconds
    return seconds >= 1 ? seconds : nil
  }
}

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
    /// The outlier, if the leg is impossible.
    var outlier: Outlier?
  }

  let settings: OutlierSettings
  let limits: ReachLimits

  /// The error of a fix's time, in seconds: many sources state whole seconds.
  private static let timeError = 0.5

  init(_ settings: OutlierSettings, activity: Activity) {
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
    let margin =
      settings.tolerance * Self.sum(error, before.speedError * seconds) + (before.speed ?? 0) * Self.timeError
    var leg = Leg(distance: distance, reach: reach, seconds: seconds, error: error)
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

  private func cause(distance: Double, seconds: Double) -> Outlier.Cause {
    guard seconds > 0 else { return .place }
    return distance > limits.speed * seconds ? .speed : .acceleration
  }

  /// Returns the sum of two independent errors.
  private static func sum(_ one: Double, _ another: Double) -> Double {
    (one * one + another * another).squareRoot()
  }
}
