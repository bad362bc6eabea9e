import RealModule

/// Two places in an order and orientation that leaves few cases: β1 ≤ 0, |β2| ≤ |β1|, 0 ≤ λ12 ≤ 180°.
struct CanonicalEnds {
  let β1, β2, λ12: Direction
  /// A replacement for 0 in a direction; its square is still a normal number.
  static var tiny: Double { 1e-100 }
  private let isSwapped: Bool
  private let eastSign, northSign: Double

  init(_ pair: ReducedPair) {
    // Sines distinguish latitudes near the equator, cosines near the poles.
    isSwapped =
      pair.sinβ.x.magnitude < 0.7
      ? pair.sinβ.y.magnitude > pair.sinβ.x.magnitude : pair.cosβ.y < pair.cosβ.x
    let (first, second) = isSwapped ? (1, 0) : (0, 1)
    northSign = pair.sinβ[first] >= 0 ? -1 : 1
    eastSign = pair.halfλ12.x < 0 ? -1 : 1
    // A place on the equator is moved slightly off the equator, because a zero vector has no direction.
    β1 = Direction(
      sine: Swift.min(northSign * pair.sinβ[first], -Self.tiny), cosine: pair.cosβ[first])
    let sinβ2 = northSign * pair.sinβ[second]
    β2 = Direction(sine: sinβ2 == 0 ? Self.tiny : sinβ2, cosine: pair.cosβ[second])
    let halfSine = eastSign * pair.halfλ12.x
    λ12 = Direction(sine: 2 * halfSine * pair.halfλ12.y, cosine: 1 - 2 * halfSine * halfSine)
  }

  /// Whether a meridian joins the places; on an oblate ellipsoid it is then the shortest path.
  var areOnOneMeridian: Bool { β1.cosine == 0 || λ12.sine <= 0 }

  /// Whether both places are on the equator and near enough for it to be the shortest path.
  var areOnEquator: Bool {
    β1.sine == -Self.tiny && λ12.radians <= (1 - WGS84.flattening) * .pi
  }

  /// The starting azimuth of Newton's method: the solution to the lowest order of the flattening.
  ///
  /// - Source: Karney (2013), section 5: around the antipode the geodesics envelop an astroid.
  var startingAzimuth: Direction {
    let ε = expansionParameter(cos²α0: β1.sine * β1.sine)
    let scale = WGS84.flattening * .pi * (1 + GeodesicSeries.longitudeExcess(ε)) * β1.cosine
    let x = -Double.atan2(y: λ12.sine, x: -λ12.cosine) / scale
    let y = (β1.sine * β2.cosine + β1.cosine * β2.sine) / (scale * β1.cosine)
    // μ > 0 of x²/(1 + μ)² + y²/μ² = 1. The left side falls and is convex, so from below Newton's method only climbs.
    var μ = Swift.max(y.magnitude, x.magnitude - 1)
    guard μ > 0 else { return Direction(sine: -x, cosine: -(1 - x * x).squareRoot()) }
    for _ in 0..<50 {
      let u = x / (1 + μ), v = y / μ
      let step = (u * u + v * v - 1) / (2 * (u * u / (1 + μ) + v * v / μ))
      μ += step
      if step <= 1e-3 * μ { break }
    }
    return Direction(y: -x / (1 + μ), x: y / μ)
  }

  /// Returns the azimuths for the places in their original order and orientation.
  func originalAzimuths(_ α1: Direction, _ α2: Direction) -> (Direction, Direction) {
    // A reversed path swaps its ends and directions; with east and west exchanged too, only the cosine changes sign.
    let (start, end) = isSwapped ? (α2, α1) : (α1, α2)
    let north = isSwapped ? -northSign : northSign
    return (
      Direction(sine: eastSign * start.sine, cosine: north * start.cosine),
      Direction(sine: eastSign * end.sine, cosine: north * end.cosine)
    )
  }
}
