public import Foundation

/// The values of a location. Absent ones have the numbers by which Core Location marks them.
struct LocationValues: Sendable {
  var coordinate: CLLocationCoordinate2D
  var timestamp: Date
  var altitude = 0.0
  var ellipsoidalAltitude = 0.0
  var horizontalAccuracy = 0.0
  var verticalAccuracy = -1.0
  var course = -1.0
  var courseAccuracy = -1.0
  var speed = -1.0
  var speedAccuracy = -1.0
  var floor: Int?
  var isSimulated: Bool?
  var isFromAccessory = false

  /// The distance on a sphere, in metres: enough for filters and circles.
  func distance(to other: CLLocationCoordinate2D) -> Double {
    let radians = Double.pi / 180
    let (from, to) = (coordinate.latitude * radians, other.latitude * radians)
    let turn = (other.longitude - coordinate.longitude) * radians
    let square =
      pow(sin((to - from) / 2), 2) + cos(from) * cos(to) * pow(sin(turn / 2), 2)
    return 2 * 6_371_008.8 * asin(min(1, square.squareRoot()))
  }
}

@_spi(Simulation) extension CLLocation {
  /// A location with the members that no initializer of Apple's sets.
  public convenience init(
    latitude: Double, longitude: Double, at timestamp: Date, horizontalAccuracy: Double = 5,
    altitude: Double = 0, ellipsoidalAltitude: Double = 0, verticalAccuracy: Double = -1, course: Double = -1,
    courseAccuracy: Double = -1, speed: Double = -1, speedAccuracy: Double = -1, floor: Int? = nil,
    isSimulated: Bool? = nil
  ) {
    self.init(
      values: LocationValues(
        coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), timestamp: timestamp,
        altitude: altitude, ellipsoidalAltitude: ellipsoidalAltitude, horizontalAccuracy: horizontalAccuracy,
        verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: courseAccuracy, speed: speed,
        speedAccuracy: speedAccuracy, floor: floor, isSimulated: isSimulated))
  }
}
