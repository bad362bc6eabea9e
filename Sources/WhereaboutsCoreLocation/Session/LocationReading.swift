import WhereaboutsGeodesy
import WhereaboutsModel

/// A location as Core Location states it, with its own marks of absent values.
struct LocationReading: Hashable, Sendable {
  var latitude: Double
  var longitude: Double
  /// The time in seconds since 1970.
  var time: Double
  var horizontalAccuracy: Double
  var verticalAccuracy = -1.0
  var altitude = 0.0
  var ellipsoidalAltitude = 0.0
  var course = -1.0
  var courseAccuracy = -1.0
  var speed = -1.0
  var speedAccuracy = -1.0
  /// The storey; `nil` where Core Location does not know the building.
  var floor: Int?
  var isSimulated = false

  /// The fix; `nil` if the numbers are no valid place.
  ///
  /// - A negative horizontal accuracy marks an invalid place, and is forwarded unchanged: the engine refuses the fix
  ///   and counts it.
  /// - A vertical accuracy of 0 or less marks both heights as invalid. Other negative numbers mean absent.
  /// - Core Location states one standard deviation for heights, which is 68 %. For the radius of a place it states no
  ///   confidence; 68 % is assumed.
  /// - The floor is Core Location's level: 0 is the ground floor. A level that no building has is absent.
  var fix: Fix? {
    guard Self.isAngle(latitude), Self.isAngle(longitude),
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    var fix = Fix(
      coordinate: coordinate, time: UTCTime(secondsSince1970: time), source: .coreLocation,
      isSimulated: isSimulated)
    fix.horizontalAccuracy = horizontalAccuracy
    if verticalAccuracy > 0 {
      fix.verticalAccuracy = verticalAccuracy
      fix.heightAboveGeoid = altitude.isFinite ? altitude : nil
      fix.heightAboveEllipsoid = ellipsoidalAltitude.isFinite ? ellipsoidalAltitude : nil
    }
    if let speed = Self.present(speed) {
      fix.speed = speed
      fix.speedAccuracy = Self.present(speedAccuracy)
    }
    if let course = Self.present(course), course <= 360 {
      fix.course = course == 360 ? 0 : course
      fix.courseAccuracy = Self.present(courseAccuracy)
    }
    fix.floor = floor.flatMap(Int16.init(exactly:))
    return fix
  }

  private static func present(_ value: Double) -> Double? { value >= 0 && value.isFinite ? value : nil }

  /// Returns whether an angle is plausible: numbers of about 1e-315 are uninitialized memory. Exactly 0 is a valid
  /// angle.
  private static func isAngle(_ degrees: Double) -> Bool { degrees == 0 || abs(degrees) >= 1e-9 }
}

/// A heading as Core Location states it.
struct HeadingReading: Hashable, Sendable {
  var magneticHeading: Double
  /// Negative where there is none: it needs location updates.
  var trueHeading: Double
  /// Negative where the heading is no use.
  var accuracy: Double
  /// The time in seconds since 1970.
  var time: Double

  var heading: Heading? {
    let isTrue = trueHeading >= 0
    return Heading(
      degrees: isTrue ? trueHeading : magneticHeading, reference: isTrue ? .trueNorth : .magneticNorth,
      accuracy: accuracy, time: UTCTime(secondsSince1970: time))
  }
}
