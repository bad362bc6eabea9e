/// A place with precomputed values for area queries, worth storing for repeated queries.
public struct PreparedPlace: Hashable, Sendable {
  /// The coordinate of the place.
  public let coordinate: Coordinate
  /// The position in metres along the axes of `EarthCentred`.
  package let place: SIMD3<Double>
  /// The square root of 1 − e² sin²φ.
  package let w: Double

  /// Prepares a place, at about the cost of four sines.
  public init(_ coordinate: Coordinate) {
    let λ = Direction(degrees: coordinate.longitude)
    let reduced = ReducedPlace(coordinate)
    self.coordinate = coordinate
    w = reduced.w
    let across = WGS84.semiMajorAxis * reduced.cosβ
    place = SIMD3(across * λ.cosine, across * λ.sine, WGS84.semiMinorAxis * reduced.sinβ)
  }

  /// The point on the unit sphere with the reduced latitude and the longitude of this place.
  ///
  /// A path on the sphere, times a, is never shorter than on the ellipsoid, and times b never longer.
  package var onSphere: SIMD3<Double> {
    let a = WGS84.semiMajorAxis, b = WGS84.semiMinorAxis
    return SIMD3(place.x / a, place.y / a, place.z / b)
  }

  /// Returns the distance to another place and its largest error, less than 1 mm.
  package func distance(to other: PreparedPlace) -> (metres: Double, error: Double) {
    let Δ = other.place - place
    let c² = (Δ * Δ).sum()
    guard c² > 0 else { return (0, 3e-9) }
    let short = ShortDistance.arc(chordSquared: c², rise: Δ.z, w²: w * other.w)
    let error = ShortDistance.errorBound(over: short)
    return error < 1e-3 ? (short, error + 3e-9) : (coordinate.distance(to: other.coordinate), 15e-9)
  }
}
