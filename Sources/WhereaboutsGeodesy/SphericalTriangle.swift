import RealModule

/// The triangle of two places and a pole on the auxiliary sphere. Notation as in ReducedPair.swift.
struct SphericalTriangle {
  private let pair: ReducedPair
  private let along: Double
  private let sinProduct: Double
  /// The side between the places.
  let sinσ12, cosσ12, σ12: Double
  /// The azimuth at which the prolonged side crosses the equator.
  let sinα0, cos²α0: Double
  /// d sin α0/dω12.
  let sinα0Rate: Double

  @inline(__always)
  init(_ pair: ReducedPair, along: Double, _ ω12: SphereLongitude) {
    self.pair = pair
    self.along = along
    sinProduct = pair.sinβ.x * pair.sinβ.y
    let cosProduct = pair.cosβ.x * pair.cosβ.y
    let across = cosProduct * ω12.sine
    let cosω12 = 1 - ω12.versine
    // sin σ12 is the length of the direction from either end to the other. The mean of both squares is symmetric.
    let north = Self.north(pair, along, ω12)
    let east = pair.cosβ * ω12.sine
    let squares = north * north + east * east
    sinσ12 = ((squares.x + squares.y) / 2).squareRoot()
    cosσ12 = sinProduct + cosProduct * cosω12
    σ12 = Double.atan2(y: sinσ12, x: cosσ12)
    sinα0 = across / sinσ12
    cos²α0 = 1 - sinα0 * sinα0
    sinα0Rate = (cosProduct * cosω12 - sinα0 * sinα0 * cosσ12) / sinσ12
  }

  /// Returns sin σ12 cos α1 and sin σ12 cos α2.
  @inline(__always)
  private static func north(_ pair: ReducedPair, _ along: Double, _ ω12: SphereLongitude) -> SIMD2<Double> {
    along + SIMD2(pair.sinβ.x * pair.cosβ.y, -pair.cosβ.x * pair.sinβ.y) * ω12.versine
  }

  /// Returns the azimuths of the side at its start and end.
  func azimuths(_ ω12: SphereLongitude) -> (start: Direction, end: Direction) {
    let north = Self.north(pair, along, ω12)
    let east = pair.cosβ * ω12.sine
    return (Direction(sine: east.y, cosine: north.x), Direction(sine: east.x, cosine: north.y))
  }

  /// Returns the side as a piece of a geodesic.
  @inline(__always)
  var arc: GeodesicArc {
    // On the equator 2σm is undefined, and its factor is 0.
    let cos2σm = cos²α0 > 1e-14 ? cosσ12 - 2 * sinProduct / cos²α0 : 0
    return GeodesicArc(σ12: σ12, sine: sinσ12, cosine: cosσ12, cos2σm: cos2σm)
  }

  /// dλ12/dω12 to the first order of the flattening.
  @inline(__always)
  var longitudeRate: Double {
    1 - WGS84.flattening * (σ12 * sinα0Rate + sinα0 * sinα0)
  }

  /// ω12 − λ12 to the second order of the flattening.
  @inline(__always)
  var approximateLead: Double {
    // ε is k²/4, and cos²α0 cos 2σm needs no division.
    let eighth = WGS84.secondEccentricitySquared / 8
    let waves = sinσ12 * (cos²α0 * cosσ12 - 2 * sinProduct)
    return WGS84.flattening * sinα0 * (σ12 + eighth * (waves - σ12 * cos²α0))
  }
}
