import WhereaboutsModel
import WhereaboutsGeodesy

/// The position data of a fix, small enough to keep a dozen fixes.
struct CompactFix: Hashable, Sendable, Codable {
  let time: UTCTime
  let coordinate: Coordinate
  let accuracy: Float?
  private(set) var speed: Float?
  let speedAccuracy: Float?
  private(set) var course: Float?

  init(_ fix: Fix, at time: UTCTime) {
    self.time = time
    coordinate = fix.coordinate
    // Programs write zero for missing values, as Android's `Location.getAccuracy()` does; and no fix is exact.
    accuracy = fix.horizontalAccuracy.flatMap { $0 > 0 ? Float($0) : nil }
    speed = fix.speed.map { Float($0) }
    speedAccuracy = fix.speedAccuracy.map { Float($0) }
    course = fix.course.map { Float($0) }
  }

  /// The accuracy in metres, or a usual one if none is stated.
  var effectiveAccuracy: Double { accuracy.map { Double($0) } ?? MotionModel.fences.unstatedAccuracy }

  /// One standard deviation of ``effectiveAccuracy`` per axis; the accuracy is the radius that holds 68 %.
  var deviation: Double { effectiveAccuracy / 1.51 }

  /// Whether the fix states a velocity: a speed and a course, or a speed so low that the device may rest.
  var statesVelocity: Bool {
    guard let speed else { return false }
    return course != nil || Double(speed) < MotionModel.fences.sureMovementSpeed
  }

  /// The fix without its speed and course.
  var withoutVelocity: CompactFix {
    var fix = self
    fix.speed = nil
    fix.course = nil
    return fix
  }

  func sample(_ model: MotionModel) -> TrackSample {
    TrackSample(
      at: time, coordinate, accuracy: accuracy.map { Double($0) }, speed: speed.map { Double($0) },
      speedAccuracy: speedAccuracy.map { Double($0) }, course: course.map { Double($0) }, model: model)
  }
}
