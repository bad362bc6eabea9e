import RealModule

/// A place on the ellipsoid in earth-centred coordinates, with the directions east and north of it.
///
/// Coordinates are in metres along axes that turn with the Earth. x points through the equator at Greenwich, y
/// through the equator at 90° east, z through the north pole. Poles and the meridian of 180° need no special cases,
/// so plain vectors can follow a device anywhere. A straight line is shorter than the geodesic by about 1 mm at 10 km
/// and 1 m at 100 km. The difference grows with the cube of the distance.
package struct EarthCentred: Sendable {
  /// The position, in metres.
  package let place: SIMD3<Double>
  /// The unit vector to the east.
  package let east: SIMD3<Double>
  /// The unit vector to the north.
  package let north: SIMD3<Double>

  /// Creates the position of a coordinate. At a pole north follows the coordinate's longitude.
  package init(_ coordinate: Coordinate) {
    let φ = Direction(degrees: coordinate.latitude), λ = Direction(degrees: coordinate.longitude)
    // The radius of curvature in the prime vertical.
    let n = WGS84.semiMajorAxis / (1 - WGS84.eccentricitySquared * (φ.sine * φ.sine)).squareRoot()
    place = SIMD3(
      n * φ.cosine * λ.cosine, n * φ.cosine * λ.sine, n * (1 - WGS84.eccentricitySquared) * φ.sine)
    east = SIMD3(-λ.sine, λ.cosine, 0)
    north = SIMD3(-φ.sine * λ.cosine, -φ.sine * λ.sine, φ.cosine)
  }

  /// Returns the velocity vector of a speed in metres per second along a course in degrees from north.
  package func velocity(speed: Double, course: Double) -> SIMD3<Double> {
    let direction = Direction(degrees: course)
    return east * (speed * direction.sine) + north * (speed * direction.cosine)
  }

  /// Returns the coordinate below or above a place near the ellipsoid; `nil` if a number is not finite.
  ///
  /// - Accuracy: within 1 nm up to 10 km from the ellipsoid.
  /// - Source: Bowring, "Transformation from spatial to geographical coordinates", *Survey Review* 23 (181), 1976.
  package static func coordinate(of place: SIMD3<Double>) -> Coordinate? {
    let a = WGS84.semiMajorAxis, b = WGS84.semiMinorAxis
    let p = Double.hypot(place.x, place.y)
    let h = Double.hypot(place.z * a, p * b)
    guard h > 0, h.isFinite else { return nil }
    let sine = place.z * a / h, cosine = p * b / h
    let φ = Double.atan2(
      y: place.z + WGS84.secondEccentricitySquared * b * (sine * sine * sine),
      x: p - WGS84.eccentricitySquared * a * (cosine * cosine * cosine))
    let λ = Double.atan2(y: place.y, x: place.x)
    return Coordinate(latitude: φ * 180 / .pi, longitude: λ * 180 / .pi)
  }
}
