public import Whereabouts

extension Fix {
  /// Returns a fix for a test. No measured value has a default except absence.
  ///
  /// - Parameters:
  ///   - latitude: degrees; an invalid place traps.
  ///   - longitude: degrees.
  ///   - accuracy: horizontal accuracy in metres at 68 %.
  ///   - time: time of validity; `nil` for a fix without one.
  ///   - speed: speed over ground in metres per second.
  ///   - course: course over ground in degrees from true north in [0, 360).
  public static func test(
    latitude: Double, longitude: Double, accuracy: Double?, time: UTCTime?, speed: Double? = nil,
    course: Double? = nil
  ) -> Fix {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      preconditionFailure("\(latitude), \(longitude) is no place")
    }
    var fix = Fix(coordinate: coordinate, time: time, source: .scripted, isSimulated: true)
    fix.horizontalAccuracy = accuracy
    fix.speed = speed
    fix.course = course
    return fix
  }
}
