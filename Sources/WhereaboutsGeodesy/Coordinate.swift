/// A place on the WGS 84 ellipsoid.
///
/// A value is always a real place: both numbers are finite and in range, so no later check is needed. (0°, 0°), the
/// poles and the antimeridian are ordinary places; *no place* is `nil`.
///
/// - Units: degrees. Latitude in [-90, 90], north positive; longitude in [-180, 180], east positive.
/// - Edge cases: -180° and 180° are kept as given and are the same meridian in every calculation. The operator `==`
///   compares numbers and finds them different.
public struct Coordinate: Hashable, Sendable {
  /// Geodetic latitude in degrees, in [-90, 90], north positive.
  public let latitude: Double
  /// Longitude in degrees, in [-180, 180], east positive.
  public let longitude: Double

  /// Creates a place; `nil` if a number is not finite or out of range.
  public init?(latitude: Double, longitude: Double) {
    // This form rejects NaN.
    guard latitude >= -90, latitude <= 90, longitude >= -180, longitude <= 180 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Creates a place from a longitude of any finite number of degrees, wrapped into [-180, 180].
  public init?(latitude: Double, wrappingLongitude longitude: Double) {
    guard longitude.isFinite else { return nil }
    self.init(latitude: latitude, longitude: longitude.remainder(dividingBy: 360))
  }

  /// Creates a place from numbers that this package has just computed or checked.
  package init(uncheckedLatitude latitude: Double, longitude: Double) {
    assert(latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180)
    self.latitude = latitude
    self.longitude = longitude
  }
}
