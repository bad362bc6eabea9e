import WhereaboutsGeodesy

/// What of a fix tells where the device is: little enough to keep a dozen of.
struct BriefFix: Hashable, Sendable, Codable {
  let time: UTCTime
  let coordinate: Coordinate
  let accuracy: Float?
  let speed: Float?
  let speedAccuracy: Float?
  let course: Float?

  init(_ fix: Fix, at time: UTCTime) {
    self.time = time
    coordinate = fix.coordinate
    // Programs write zero for what they don't have, as Android's `Location.getAccuracy()` gives it; and no fix is exact.
    accuracy = fix.horizontalAccuracy.flatMap { $0 > 0 ? Float($0) : nil }
    speed = fix.speed.map { Float($0) }
    speedAccuracy = fix.speedAccuracy.map { Float($0) }
    course = fix.course.map { Float($0) }
  }

  /// The accuracy in metres, or one that is usual where none is stated.
  var usedAccuracy: Double { accuracy.map { Double($0) } ?? MotionModel.fences.unstatedAccuracy }

  /// One standard deviation of that, an axis; the accuracy being the radius that holds 68 %.
  var deviation: Double { usedAccuracy / 1.51 }

  func sample(_ model: MotionModel) -> WaySample {
    WaySample(
      at: time, coordinate, accuracy: accuracy.map { Double($0) }, speed: speed.map { Double($0) },
      speedAccuracy: speedAccuracy.map { Double($0) }, course: course.map { Double($0) }, model: model)
  }
}
