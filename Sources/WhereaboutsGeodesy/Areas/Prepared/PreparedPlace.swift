/// A place with what every question about areas needs of it, worth keeping where many are asked.
public struct PreparedPlace: Hashable, Sendable {
  /// Where it is.
  public let coordinate: Coordinate
  /// Where it is in metres along the axes of `EarthCentred`.
  package let place: SIMD3<Double>
  /// The root of 1 − e² sin²φ.
  package let w: Double

  /// A place made ready. It costs about as much as four sines.
  public init(_ coordinate: Coordinate) {
    let λ = Direction(degrees: coordinate.longitude)
    let reduced = ReducedPlace(coordinate)
    self.coordinate = coordinate
    w = reduced.w
    let across = WGS84.semiMajorAxis * reduced.cosβ
    place = SIMD3(across * λ.cosine, across * λ.sine, WGS84.semiMinorAxis * reduced.sinβ)
  }

  /// The place on the sphere of radius 1 that has the reduced latitude and the longitude of this one.
  ///
  /// A path on it, times a, is never shorter than on the ellipsoid, and times b never longer.
  package var onSphere: SIMD3<Double> {
    let a = WGS84.semiMajorAxis, b = WGS84.semiMinorAxis
    return SIMD3(place.x / a, place.y / a, place.z / b)
  }

  /// The distance to another place, with how far it can be off: less than 1 mm.
  package func distance(to other: PreparedPlace) -> (metres: Double, error: Double) {
    let Δ = other.place - place
    let c² = (Δ * Δ).sum()
    guard c² > 0 else { return (0, 3e-9) }
    let short = ShortDistance.arc(chordSquared: c², rise: Δ.z, w²: w * other.w)
    let error = ShortDistance.errorBound(over: short)
    return error < 1e-3 ? (short, error + 3e-9) : (coordinate.distance(to: other.coordinate), 15e-9)
  }
}
