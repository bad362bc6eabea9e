/// The World Geodetic System 1984 ellipsoid, the reference of every coordinate in this package.
///
/// - Source: NIMA TR8350.2 (2000), table 3.1: the semi-major axis and the flattening define the ellipsoid.
public enum WGS84 {
  // Computed properties, because the compiler folds them into their callers. A stored property needs a lookup behind
  // a once-guard.

  /// The equatorial radius *a*, in metres.
  @inlinable public static var semiMajorAxis: Double { 6_378_137 }
  /// The flattening *f* = (a − b)/a, without unit.
  @inlinable public static var flattening: Double { 1 / 298.257223563 }
  /// The polar semi-axis *b* = a(1 − f), in metres.
  @inlinable public static var semiMinorAxis: Double { semiMajorAxis * (1 - flattening) }
  /// The eccentricity squared *e²* = f(2 − f), without unit.
  @inlinable public static var eccentricitySquared: Double { flattening * (2 - flattening) }
  /// The second eccentricity squared *e′²* = e²/(1 − e²), without unit.
  @inlinable public static var secondEccentricitySquared: Double {
    eccentricitySquared / (1 - eccentricitySquared)
  }
  /// The third flattening *n* = (a − b)/(a + b) = f/(2 − f), without unit.
  @inlinable public static var thirdFlattening: Double { flattening / (2 - flattening) }
}
