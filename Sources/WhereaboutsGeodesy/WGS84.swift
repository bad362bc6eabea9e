/// The World Geodetic System 1984 ellipsoid, on which every coordinate of this package lies.
///
/// - Source: NIMA TR8350.2 (2000), table 3.1: the semi-major axis and the flattening define it, the rest follows.
public enum WGS84 {
  // Computed, not stored: the compiler folds them into the code that uses them, where a stored one would
  // be looked up behind a once-guard.

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
