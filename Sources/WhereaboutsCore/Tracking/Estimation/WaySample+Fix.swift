import WhereaboutsGeodesy

extension WaySample {
  /// What the estimator makes of a fix that has a time.
  init?(_ fix: Fix, model: MotionModel) {
    guard let time = fix.time else { return nil }
    let here = EarthCentred(fix.coordinate)
    let accuracy = fix.horizontalAccuracy.flatMap { $0 >= 0 ? $0 : nil } ?? model.unstatedAccuracy
    self.time = time
    place = here.place
    let deviation = max(Self.leastAccuracy, min(accuracy, Self.greatestAccuracy)) / Self.radiusByDeviation
    variance = deviation * deviation
    speed = fix.speed.flatMap { $0 >= 0 && $0 <= model.greatestSpeed ? $0 : nil }
    let growth = model.speedDeviationShare * (speed ?? 0)
    let stated = fix.speedAccuracy.flatMap { $0 >= 0 ? $0 : nil } ?? model.speedDeviation
    speedVariance = max(stated * stated, Self.leastSpeedVariance) + growth * growth
    if let speed, let course = fix.course, course.isFinite {
      velocity = here.velocity(speed: speed, course: course)
    }
    heightAccuracy = fix.verticalAccuracy
    height = (fix.heightAboveGeoid ?? fix.heightAboveEllipsoid).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The radius that holds 68 % of a normal distribution in the plane, in standard deviations of an axis: √(−2 ln 0.32).
  private static let radiusByDeviation = 1.51
  private static let leastAccuracy = 0.1
  private static let greatestAccuracy = 1e5
  private static let leastSpeedVariance = 0.0025
}
