/// A plane around a place in which geodesics are straight lines.
///
/// A place keeps its true azimuth from the origin. Its distance in the plane is R tan(s/R). s is the true distance,
/// and R the radius of the sphere with the ellipsoid's curvature at the origin. The plane is the gnomonic map of that
/// sphere. Vectors (x, y, R) show which lines are straight or near on the sphere.
///
/// - Source: The ellipsoidal gnomonic projection of Karney, *Journal of Geodesy* 87 (2013), section 8. The radius of
///   the sphere replaces m/M, equal to the order of the flattening times the third power of s/R.
package struct GnomonicFrame: Hashable, Sendable {
  /// The origin.
  package let origin: PreparedPlace
  /// The radius R in metres.
  package let radius: Double
  private let east, north: SIMD3<Double>
  /// The angle from a normal section to the geodesic, for each m² of east × north.
  private let twist: Double

  /// The greatest distance of places from the origin, in metres.
  package static var reach: Double { 100_000 }

  /// Creates the plane around a place. At a pole north follows the place's longitude.
  package init(around origin: PreparedPlace) {
    let axes = EarthCentred(origin.coordinate)
    self.origin = origin
    east = axes.east
    north = axes.north
    let a = WGS84.semiMajorAxis, w² = origin.w * origin.w
    radius = WGS84.semiMinorAxis / w²
    // e′² cos²φ is w²/(1 − e²) − 1.
    twist = (w² / (1 - WGS84.eccentricitySquared) - 1) * w² / (6 * a * a)
  }

  /// Returns the point of a place in the plane, in metres; `nil` if the place is out of reach.
  @inline(__always)
  package func point(of place: PreparedPlace) -> SIMD2<Double>? {
    let Δ = place.place - origin.place
    let c² = (Δ * Δ).sum()
    guard c² < Self.reach * Self.reach else { return nil }
    guard c² > 0 else { return .zero }
    let x = (Δ * east).sum(), y = (Δ * north).sum()
    // As in LocalPlane.point(of:), with the same error.
    let s = ShortDistance.arc(chordSquared: c², rise: Δ.z, w²: place.w * origin.w)
    let δ = twist * (x * y)
    let σ = s / radius
    let σ² = σ * σ
    let tangent = s * (1 + σ² * (1 / 3 + σ² * (2 / 15 + σ² * (17 / 315))))
    let scale = tangent / (x * x + y * y).squareRoot()
    return SIMD2(scale * (x - δ * y), scale * (y + δ * x))
  }

  /// Returns the largest error of a distance in this plane, for places and lines within a radius of the origin.
  ///
  /// - Source: Three parts. Points have the error `LocalPlane.errorBound`. The curvature of the ellipsoid changes by
  ///   at most 0.0135 of itself for each R along a path, which stretches lengths by 0.0135/12 (r/R)³. Geodesics bend
  ///   away from straight lines by f/8 (r/R)³ r (Karney 2013, section 8), here with 2 for 1.
  package static func errorBound(within radius: Double, over distance: Double) -> Double {
    let r = radius / WGS84.semiMinorAxis
    let r³ = r * r * r
    return 2 * LocalPlane.errorBound(at: radius)
      + r³ * (0.00113 * distance + WGS84.flattening / 4 * radius)
  }
}
