import RealModule

/// A geodesic that leaves the first place at a given azimuth and is followed to the latitude of the second.
///
/// Notation as in ReducedPair.swift. Source: Karney (2013), section 4, equations 5 to 12, 38, 45 and 46.
struct AzimuthTrial {
  let α1, α2: Direction
  /// By how much it overshoots the longitude asked for, in radians, and how that changes with α1.
  let excess, rate: Double
  /// Its length in metres, corrected for what it overshoots.
  let distance: Double

  init(_ ends: CanonicalEnds, α1: Direction) {
    let β1 = ends.β1, β2 = ends.β2
    let sinα0 = α1.sine * β1.cosine
    let cosα0 = Double.hypot(α1.cosine, α1.sine * β1.sine)
    let north1 = α1.cosine * β1.cosine
    // cos²β2 − cos²β1, from the smaller of sines and cosines.
    let widening =
      β1.cosine < -β1.sine
      ? (β2.cosine - β1.cosine) * (β2.cosine + β1.cosine) : (β1.sine - β2.sine) * (β1.sine + β2.sine)
    let north2 = Swift.max(0, north1 * north1 + widening).squareRoot()
    let α2 = Direction(y: sinα0, x: north2)
    let σ1 = Direction(y: β1.sine, x: north1), σ2 = Direction(y: β2.sine, x: north2)
    let ω1 = Direction(y: sinα0 * β1.sine, x: north1), ω2 = Direction(y: sinα0 * β2.sine, x: north2)

    let arc = GeodesicArc(from: σ1, to: σ2, cos²α0: cosα0 * cosα0)
    let ω12 = ω2.minus(ω1).madeNonnegative
    let lag = WGS84.flattening * sinα0 * longitudeIntegral(σ12: arc.σ12, arc.ends, ε: arc.ε)
    let excess = ω12.minus(ends.λ12).radians - lag
    self.α1 = α1
    self.α2 = α2
    self.excess = excess
    if north2 > 0 {
      rate = arc.reducedLength(σ1, σ2) * (1 - WGS84.flattening) / north2
    } else {
      let e² = WGS84.eccentricitySquared
      rate = -2 * (1 - e² * β1.cosine * β1.cosine).squareRoot() / β1.sine
    }
    distance = arc.length - WGS84.semiMajorAxis * sinα0 * excess
  }

  /// The meridian through both places, over the pole nearer to the first where they are on opposite sides.
  init(alongMeridian ends: CanonicalEnds) {
    α1 = ends.λ12
    α2 = Direction(sine: 0, cosine: 1)
    let σ1 = Direction(sine: ends.β1.sine, cosine: ends.λ12.cosine < 0 ? -ends.β1.cosine : ends.β1.cosine)
    distance = GeodesicArc(from: σ1, to: ends.β2, cos²α0: 1).length
    excess = 0
    rate = 0
  }

  /// The equator, between two places on it.
  init(alongEquator ends: CanonicalEnds) {
    α1 = Direction(sine: 1, cosine: 0)
    α2 = α1
    distance = WGS84.semiMajorAxis * ends.λ12.radians
    excess = 0
    rate = 0
  }
}

/// A piece of a geodesic between two arc lengths from its crossing of the equator.
struct GeodesicArc {
  let σ12, ε: Double
  let ends: SineDifferences

  init(from σ1: Direction, to σ2: Direction, cos²α0: Double) {
    let difference = σ2.minus(σ1).madeNonnegative
    σ12 = difference.radians
    ε = expansionParameter(cos²α0: cos²α0)
    ends = SineDifferences(
      sinσ12: difference.sine, cosσ12: difference.cosine,
      cos2σm: σ1.cosine * σ2.cosine - σ1.sine * σ2.sine)
  }

  /// Its length in metres.
  var length: Double { WGS84.semiMinorAxis * lengthIntegral(σ12: σ12, ends, ε: ε) }

  /// The reduced length m12, in units of b: how far apart two geodesics end that leave with a radian between them.
  func reducedLength(_ σ1: Direction, _ σ2: Direction) -> Double {
    let root = (1 + ε) / (1 - ε)
    let k² = root * root - 1
    let dn1 = (1 + k² * σ1.sine * σ1.sine).squareRoot()
    let dn2 = (1 + k² * σ2.sine * σ2.sine).squareRoot()
    let J12 =
      lengthIntegral(σ12: σ12, ends, ε: ε) - reducedLengthIntegral(σ12: σ12, ends, ε: ε)
    return dn2 * σ1.cosine * σ2.sine - dn1 * σ1.sine * σ2.cosine - σ1.cosine * σ2.cosine * J12
  }
}
