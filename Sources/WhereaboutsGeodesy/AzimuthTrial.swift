import RealModule

/// A geodesic that leaves the first place at a given azimuth and is followed to the latitude of the second.
///
/// Notation as in ReducedPair.swift. Source: Karney (2013), section 4.
struct AzimuthTrial {
  let α1, α2: Direction
  /// The overshoot beyond the target longitude, in radians, and its derivative by α1.
  let excess, rate: Double
  /// The length in metres, less the overshoot.
  let distance: Double

  init(_ ends: CanonicalEnds, α1: Direction) {
    let β1 = ends.β1, β2 = ends.β2
    let sinα0 = α1.sine * β1.cosine
    let upward = α1.sine * β1.sine
    let cos²α0 = α1.cosine * α1.cosine + upward * upward
    let north1 = α1.cosine * β1.cosine
    // cos²β2 − cos²β1, from sines or cosines, whichever distinguish the two better.
    let widening =
      β1.cosine < -β1.sine
      ? (β2.cosine - β1.cosine) * (β2.cosine + β1.cosine) : (β1.sine - β2.sine) * (β1.sine + β2.sine)
    let north2 = Swift.max(0, north1 * north1 + widening).squareRoot()
    let σ1 = Direction(y: β1.sine, x: north1), σ2 = Direction(y: β2.sine, x: north2)
    let ω1 = Direction(y: sinα0 * β1.sine, x: north1), ω2 = Direction(y: sinα0 * β2.sine, x: north2)

    let ε = expansionParameter(cos²α0: cos²α0)
    let arc = GeodesicArc(from: σ1, to: σ2)
    let lag = WGS84.flattening * sinα0 * GeodesicSeries.longitude(ε).integral(over: arc)
    excess = ω2.minus(ω1).clampedNonnegative.minus(ends.λ12).radians - lag
    self.α1 = α1
    α2 = Direction(y: sinα0, x: north2)
    if north2 > 0 {
      rate = (1 - WGS84.flattening) * arc.reducedLength(σ1, σ2, ε: ε) / north2
    } else {
      // Both ends are vertices: the limit of the other case.
      let w² = 1 - WGS84.eccentricitySquared * β1.cosine * β1.cosine
      rate = -2 * w².squareRoot() / β1.sine
    }
    distance = arc.length(ε, less: WGS84.semiMajorAxis * sinα0 * excess)
  }

  /// Creates the meridian through both places, over the pole nearer to the first if they are on opposite sides.
  init(alongMeridian ends: CanonicalEnds) {
    α1 = ends.λ12
    α2 = Direction(sine: 0, cosine: 1)
    let σ1 = Direction(sine: ends.β1.sine, cosine: ends.λ12.cosine < 0 ? -ends.β1.cosine : ends.β1.cosine)
    let arc = GeodesicArc(from: σ1, to: ends.β2)
    distance = arc.length(expansionParameter(cos²α0: 1), less: 0)
    excess = 0
    rate = 0
  }

  /// Creates the equator between two places on it.
  init(alongEquator ends: CanonicalEnds) {
    α1 = Direction(sine: 1, cosine: 0)
    α2 = α1
    distance = WGS84.semiMajorAxis * ends.λ12.radians
    excess = 0
    rate = 0
  }
}

extension GeodesicArc {
  /// Returns the reduced length m12 in units of b: the distance of two geodesics' ends per radian between their
  /// starts.
  ///
  /// - Source: Karney (2013), equations 38 to 40.
  fileprivate func reducedLength(_ σ1: Direction, _ σ2: Direction, ε: Double) -> Double {
    let root = (1 + ε) / (1 - ε)
    let k² = root * root - 1
    let stretch1 = (1 + k² * σ1.sine * σ1.sine).squareRoot()
    let stretch2 = (1 + k² * σ2.sine * σ2.sine).squareRoot()
    let J12 = GeodesicSeries.length(ε).growth(over: self) - GeodesicSeries.reducedLength(ε).growth(over: self)
    return stretch2 * σ1.cosine * σ2.sine - stretch1 * σ1.sine * σ2.cosine - σ1.cosine * σ2.cosine * J12
  }
}
