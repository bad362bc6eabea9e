import WhereaboutsGeodesy
import WhereaboutsModel

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

  /// - Parameters:
  ///   - leg: the leg from the fix before, if this fix continues one.
  ///   - usesStated: whether the motion that the source states counts, where the leg does not contradict it.
  init(
    _ timed: TimedFix, _ model: ReachModel, after leg: ReachModel.Leg? = nil, usesStated: Bool = true
  ) {
    let fix = timed.fix
    plane = LocalPlane(around: fix.coordinate)
    accuracy = model.accuracy(of: fix)
    time = fix.time
    validAt = timed.validAt
    let derived = leg.flatMap { model.speed(after: $0) }
    let statedError = fix.speedAccuracy ?? Self.assumedSpeedError
    let tolerance = model.settings.tolerance
    if usesStated, let stated = fix.speed,
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
