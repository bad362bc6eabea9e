/// Distances from the chord through the ellipsoid, without a geodesic: accurate to nanometres over tens of
/// kilometres.
///
/// The straight line between two places needs no special case for poles, the antimeridian or coincidence. The arc
/// above the chord is that of a circle with the curvature of the ellipsoid half-way in that direction.
/// `Coordinate.distance(to:)` uses these distances automatically when accurate enough; the public members bound the
/// error.
public enum ShortDistance {
  /// The length of the longest path that the bound covers.
  ///
  /// - Units: metres.
  public static var reach: Double { 1_000_000 }

  /// Returns the largest error of a short distance against the length of the shortest path.
  ///
  /// - Units: metres in, metres out.
  /// - Domain: 0 up to `reach`; infinite beyond, and for NaN.
  /// - Accuracy: The first term is the rounding of double precision, twice the largest error seen. The second is the
  ///   first omitted term of the series, greatest along a meridian at the equator (0.00428 there), with a margin of 5
  ///   %.
  @inlinable
  public static func errorBound(over distance: Double) -> Double {
    guard distance >= 0, distance <= reach else { return .infinity }
    return rounding + truncation * (distance * distance) * (distance * distance) * distance
  }

  /// The part of the error that does not grow with the distance, in metres.
  @inlinable static var rounding: Double { 4e-9 }

  /// The part that grows with the fifth power of the distance, per metre⁴.
  @inlinable static var truncation: Double {
    let a = WGS84.semiMajorAxis
    return 0.0045 * WGS84.eccentricitySquared / (a * a * a * a)
  }

  /// Returns whether a chord's arc is as accurate as the geodesic: below 30 km, for an error of 0.5 nm.
  @inline(__always)
  static func isShort(chordSquared c²: Double) -> Bool { c² < 30_000 * 30_000 }

  /// Returns the square of the chord between two places, in square metres.
  @inline(__always)
  static func chordSquared(_ pair: ReducedPair) -> Double {
    let Δz = WGS84.semiMinorAxis * (pair.sinβ.y - pair.sinβ.x)
    let Δp = WGS84.semiMajorAxis * (pair.cosβ.y - pair.cosβ.x)
    let across = 2 * WGS84.semiMajorAxis * pair.halfλ12.x
    return Δz * Δz + Δp * Δp + pair.cosβ.x * pair.cosβ.y * (across * across)
  }

  /// Returns the length of the arc above a nonzero chord, in metres.
  ///
  /// - Source: the curvature in a direction by Euler's theorem, (1 + e′² cos²φ cos²α)/N; cos φ cos α is the rise
  ///   in z. The arc of a circle over a chord c is 2/k asin(ck/2).
  @inline(__always)
  static func arc(_ pair: ReducedPair, chordSquared c²: Double) -> Double {
    let Δz = WGS84.semiMinorAxis * (pair.sinβ.y - pair.sinβ.x)
    return arc(chordSquared: c², rise: Δz, w²: pair.w.x * pair.w.y)
  }

  /// Returns the length of the arc from the chord's rise in z and the geometric mean of 1 − e² sin²φ at both ends.
  @inline(__always)
  static func arc(chordSquared c²: Double, rise Δz: Double, w²: Double) -> Double {
    let a = WGS84.semiMajorAxis
    let c²kN = c² + WGS84.secondEccentricitySquared * (Δz * Δz)
    // (ck/2)², with N of both ends.
    let h = w² * c²kN * c²kN / (4 * a * a * c²)
    return c².squareRoot() * (1 + h * (1 / 6 + h * (3 / 40 + h * (5 / 112))))
  }
}
