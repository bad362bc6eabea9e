import RealModule

/// The solution of the direct problem: the end of a geodesic that leaves a place at an azimuth.
///
/// Notation as in ReducedPair.swift. Source: Karney (2013), section 3.
struct GeodesicDirect {
  /// sin α0.
  private let sinα0: Double
  private let cosα0: Double
  private let σ2: Direction
  private let longitude: Double

  /// Follows a geodesic for any finite distance in metres: several times around the Earth, or backwards.
  @inline(__always)
  init(from start: Coordinate, α1: Direction, distance: Double) {
    let sinφ1 = sines(ofDegrees: SIMD2(start.latitude, 90 - start.latitude.magnitude))
    let β1 = Direction(y: (1 - WGS84.flattening) * sinφ1.x, x: sinφ1.y)
    sinα0 = α1.sine * β1.cosine
    let upward = α1.sine * β1.sine
    cosα0 = (α1.cosine * α1.cosine + upward * upward).squareRoot()
    // On the equator σ counts from the start, since the geodesic crosses nothing. ω1 omits the factor cos β1, 0 at a
    // pole.
    let crosses = cosα0 > 0
    let σ1 = crosses ? Direction(y: β1.sine, x: α1.cosine * β1.cosine) : Direction(sine: 0, cosine: 1)
    let ω1 = crosses ? Direction(y: upward, x: α1.cosine) : Direction(sine: 0, cosine: 1)

    // The length gives the arc by way of τ, which is proportional to the length.
    let ε = expansionParameter(cos²α0: cosα0 * cosα0)
    let length = GeodesicSeries.length(ε)
    let τ12 = distance / (WGS84.semiMinorAxis * (1 + length.excess))
    let lead = length.periodicTerms(at: σ1)
    let τ2 = σ1.turned(by: lead + τ12)
    let lag = GeodesicSeries.arcOfLength(ε).periodicTerms(at: τ2)
    σ2 = τ2.turned(slightlyBy: lag)

    let difference = σ2.minus(σ1)
    let arc = GeodesicArc(
      σ12: τ12 + (lead + lag), sine: difference.sine, cosine: difference.cosine,
      cos2σm: σ1.cosine * σ2.cosine - σ1.sine * σ2.sine)
    let ω12 = Direction(sine: sinα0 * σ2.sine, cosine: σ2.cosine).minus(ω1).radians
    let λ12 = ω12 - WGS84.flattening * sinα0 * GeodesicSeries.longitude(ε).integral(over: arc)
    longitude = (start.longitude + λ12 * (180 / .pi)).remainder(dividingBy: 360)
  }

  /// The end of the geodesic.
  @inline(__always)
  var end: Coordinate {
    let sinβ2 = cosα0 * σ2.sine, northward = cosα0 * σ2.cosine
    let cosβ2 = (sinα0 * sinα0 + northward * northward).squareRoot()
    let φ2 = Double.atan2(y: sinβ2, x: (1 - WGS84.flattening) * cosβ2)
    return Coordinate(uncheckedLatitude: φ2 * (180 / .pi), longitude: longitude)
  }

  /// The azimuth at the end.
  @inline(__always)
  var α2: Direction { Direction(sine: sinα0, cosine: cosα0 * σ2.cosine) }
}
