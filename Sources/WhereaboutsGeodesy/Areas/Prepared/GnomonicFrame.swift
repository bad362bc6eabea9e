/// A plane around a place in which geodesics are straight lines.
///
/// A place keeps its true azimuth from the origin, and lies R tan(s/R) away from it, s being its true distance and R the
/// radius of the sphere that bends as the ellipsoid does at the origin. So the plane is the gnomonic map of that sphere, and what
/// is straight or near on the sphere is told by vectors (x, y, R).
///
/// - Source: the ellipsoidal gnomonic projection of Karney, *Journal of Geodesy* 87 (2013), section 8, with the radius of the
///   sphere in place of m/M, which is the same to the order of the flattening times the third power of s/R.
package struct GnomonicFrame: Hashable, Sendable {
  /// The origin.
  package let origin: PreparedPlace
  /// R in metres.
  package let radius: Double
  private let east, north: SIMD3<Double>
  /// The angle from a normal section to the geodesic, for each m² of east × north.
  private let twist: Double

  /// How far from the origin places may be, in metres.
  package static var reach: Double { 100_000 }

  /// The plane around a place. At a pole north is that of the place's longitude.
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

  /// Where a place is in the plane, in metres; `nil` for one that is out of reach.
  @inline(__always)
  package func point(of place: PreparedPlace) -> SIMD2<Double>? {
    let Δ = place.place - origin.place
    let c² = (Δ * Δ).sum()
    guard c² < Self.reach * Self.reach else { return nil }
    guard c² > 0 else { return .zero }
    let x = (Δ * east).sum(), y = (Δ * north).sum()
    // As LocalPlane.point(of:), whose error this has too.
    let s = ShortDistance.arc(chordSquared: c², rise: Δ.z, w²: place.w * origin.w)
    let δ = twist * (x * y)
    let σ = s / radius
    let σ² = σ * σ
    let tangent = s * (1 + σ² * (1 / 3 + σ² * (2 / 15 + σ² * (17 / 315))))
    let scale = tangent / (x * x + y * y).squareRoot()
    return SIMD2(scale * (x - δ * y), scale * (y + δ * x))
  }

  /// How far a distance in this plane can be from the true one, for places and lines within a radius of the origin.
  ///
  /// - Source: three parts. Places are where they are to `LocalPlane.errorBound`. The curvature of the ellipsoid changes by at most
  ///   0.0135 of itself for each R along a path, which stretches lengths by 0.0135/12 (r/R)³. And geodesics bend away from straight lines
  ///   by f/8 (r/R)³ r (Karney 2013, section 8), here with 2 for 1.
  package static func errorBound(within radius: Double, over distance: Double) -> Double {
    let r = radius / WGS84.semiMinorAxis
    let r³ = r * r * r
    return 2 * LocalPlane.errorBound(at: radius)
      + r³ * (0.00113 * distance + WGS84.flattening / 4 * radius)
  }
}
