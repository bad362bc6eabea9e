import WhereaboutsModel
import RealModule
import WhereaboutsGeodesy

/// Where and how fast a device was, as one fix says: of that, what the next one is held against.
struct PlacedState: Sendable {
  /// The plane around its place.
  let plane: LocalPlane
  /// Metres at 68 %.
  let accuracy: Double
  /// Metres per second; `nil` where nothing is known of it.
  let speed: Double?
  /// Metres per second at 68 %.
  let speedError: Double
  /// Metres per second east and north, where they are known.
  let velocity: LocalPlane.Point?
  private let time: UTCTime?
  private let validAt: Instant

  /// The error of a stated speed whose source does not say: that of a phone's receiver in town.
  private static let assumedSpeedError = 1.0

  /// - Parameter leg: from the one before, where there was one that this follows on.
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
      // Sources that know no speed may say 0. What was seen contradicts that, or nothing was said.
      speed = derived?.greatest
      speedError = derived?.error ?? 0
      velocity = nil
    }
  }

  /// A fix that is not trusted: what it states of its speed is not either, only what was seen from the one before.
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

  /// The time from this until a fix in seconds, never negative; `nil` where that can't be told.
  ///
  /// By the times of the fixes. Where one is missing, by their arrivals, if these are far enough apart that a delay
  /// on the way makes little of it.
  func seconds(until timed: TimedFix) -> Double? {
    if let time, let later = timed.fix.time, later >= time { return later.seconds(since: time) }
    let seconds = timed.validAt.since(validAt).inSeconds
    return seconds >= 1 ? seconds : nil
  }
}

/// What a fix is held to: how a device can move, and how far fixes may err.
struct ReachModel: Sendable {
  /// From one fix to another.
  struct Leg: Sendable {
    /// Metres.
    var distance: Double
    /// How far the device can have come, in metres.
    var reach: Double
    var seconds: Double
    /// Of both places together, in metres at 68 %.
    var error: Double
    /// Set where it can't be.
    var outlier: Outlier?
  }

  let settings: OutlierSettings
  let limits: ReachLimits

  /// By how much the time of a fix may be wrong, in seconds: many state whole seconds.
  private static let timeError = 0.5

  init(_ settings: OutlierSettings, activity: Activity) {
    self.settings = settings
    limits = ReachLimits(
      speed: settings.maximumSpeed ?? activity.greatestSpeed,
      acceleration: settings.maximumAcceleration ?? activity.greatestAcceleration)
  }

  /// The same for anything that moves.
  var forUnknownActivity: ReachModel {
    var settings = settings
    settings.maximumSpeed = nil
    settings.maximumAcceleration = nil
    return ReachModel(settings, activity: .other)
  }

  func accuracy(of fix: Fix) -> Double {
    max(fix.horizontalAccuracy ?? settings.assumedAccuracy, settings.leastAccuracy)
  }

  /// A leg whose time is longer says too little of the speed at its end, in seconds.
  private static let longestLeg = 30.0

  /// Between what the speed can have been at the end of a leg, and the error of both at 68 %, in metres per second.
  ///
  /// With s the leg's length, t its time and a the acceleration: the mean s/t, more or less half of what a does in t;
  /// and at most √(2as), which is reached from rest.
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

  /// Judges a fix by another that came so many seconds before.
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

  /// Of two errors that have nothing to do with each other.
  private static func sum(_ one: Double, _ another: Double) -> Double {
    (one * one + another * another).squareRoot()
  }
}
