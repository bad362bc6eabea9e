import WhereaboutsModel
import WhereaboutsGeodesy

extension TrackSample {
  /// Creates a sample from a fix that has a time and can be used.
  init?(_ fix: Fix, model: MotionModel) {
    guard let time = fix.time else { return nil }
    self.init(
      at: time, fix.coordinate, accuracy: fix.horizontalAccuracy, speed: fix.speed,
      speedAccuracy: fix.speedAccuracy, course: fix.course, model: model)
    heightAccuracy = fix.verticalAccuracy
    height = (fix.heightAboveGeoid ?? fix.heightAboveEllipsoid).flatMap {
      $0.magnitude < Self.greatestHeight ? $0 : nil
    }
  }

  /// Creates a sample from the parts of a fix that describe the place.
  init(
    at time: UTCTime, _ coordinate: Coordinate, accuracy: Double?, speed stated: Double?,
    speedAccuracy: Double?, course: Double?, model: MotionModel
  ) {
    let here = EarthCentred(coordinate)
    let accuracy = accuracy.flatMap { $0 >= 0 ? $0 : nil } ?? model.unstatedAccuracy
    self.time = time
    place = here.place
    let deviation = max(Self.leastAccuracy, min(accuracy, Self.greatestAccuracy)) / Self.radiusByDeviation
    gridStep = Self.gridStep(of: coordinate)
    variance = deviation * deviation
    speed = stated.flatMap { $0 >= 0 && $0 <= model.greatestSpeed ? $0 : nil }
    let growth = model.speedDeviationShare * (speed ?? 0)
    let own = speedAccuracy.flatMap { $0 >= 0 ? $0 : nil } ?? model.speedDeviation
    let poor = model.speedDeviationByAccuracy * min(accuracy, Self.greatestAccuracy)
    speedVariance = max(own * own, Self.leastSpeedVariance) + growth * growth + poor * poor
    if let speed, let course, course.isFinite {
      velocity = here.velocity(speed: speed, course: course)
    }
  }

  /// Returns the spacing, in metres, of the coarsest decimal grid that both numbers of a coordinate lie on.
  private static func gridStep(of coordinate: Coordinate) -> Double? {
    guard isWhole(coordinate, in: 1e4) else { return nil }
    return isWhole(coordinate, in: 1e3) ? metresByDegree / 1e3 : metresByDegree / 1e4
  }

  private static func isWhole(_ coordinate: Coordinate, in steps: Double) -> Bool {
    let latitude = coordinate.latitude * steps, longitude = coordinate.longitude * steps
    return (latitude - latitude.rounded()).magnitude < leastDecimal
      && (longitude - longitude.rounded()).magnitude < leastDecimal
  }

  /// The tolerance of a step, as a share of it: more than the rounding of a `Double`, less than a seventh decimal.
  private static let leastDecimal = 1e-5
  private static let metresByDegree = 111_195.0

  /// The radius that holds 68 % of a normal distribution in the plane, in standard deviations of an axis: √(−2 ln
  /// 0.32).
  private static let radiusByDeviation = 1.51
  /// The greatest height of a fix, in metres: higher than any receiver that travels.
  private static let greatestHeight = 1e6
  private static let leastAccuracy = 0.1
  private static let greatestAccuracy = 1e5
  private static let leastSpeedVariance = 0.0025
}
