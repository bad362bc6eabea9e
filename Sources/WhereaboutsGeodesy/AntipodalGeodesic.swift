import RealModule

/// The geodesic between nearly antipodal places, solved for its azimuth at the start.
///
/// There geodesics cross again, and what little the flattening does decides between routes that leave in quite different
/// directions. This is the paper's own way, which is good for any two places: Newton's method for α1, kept inside a
/// bracket that only shrinks, so that it ends whatever the start. Notation as in ReducedPair.swift.
///
/// - Source: Karney (2013), sections 4 and 5.
struct AntipodalGeodesic {
  /// Length in metres.
  let distance: Double
  /// The azimuths at the start and at the end.
  let α1, α2: Direction

  init(_ pair: ReducedPair) {
    let ends = CanonicalEnds(pair)
    let trial = ends.onOneMeridian ? AzimuthTrial(alongMeridian: ends) : Self.solve(ends)
    distance = trial.distance
    (α1, α2) = ends.restore(trial.α1, trial.α2)
  }

  private static func solve(_ ends: CanonicalEnds) -> AzimuthTrial {
    if ends.areJoinedByEquator { return AzimuthTrial(alongEquator: ends) }
    // Longitude grows with α1, so a trial always tells on which side the solution is.
    var low = Direction(sine: CanonicalEnds.hair, cosine: 1)
    var high = Direction(sine: CanonicalEnds.hair, cosine: -1)
    var α1 = ends.startingAzimuth
    var isLast = false
    for _ in 0..<100 {
      let trial = AzimuthTrial(ends, α1: α1)
      if isLast || trial.excess.magnitude < .ulpOfOne { return trial }
      if trial.excess > 0 { high = α1 } else { low = α1 }
      let next = α1.turned(by: -trial.excess / trial.rate)
      // Written so that a NaN takes the middle.
      if trial.rate > 0, next.minus(low).sine > 0, high.minus(next).sine > 0 {
        α1 = next
        // Below this the excess is rounding; one more step takes what is left.
        isLast = trial.excess.magnitude < 16 * .ulpOfOne
      } else {
        α1 = Direction(y: low.sine + high.sine, x: low.cosine + high.cosine)
      }
    }
    return AzimuthTrial(ends, α1: α1)
  }
}

/// Two places in an order and orientation that leaves few cases: β1 ≤ 0, |β2| ≤ |β1|, 0 ≤ λ12 ≤ 180°.
struct CanonicalEnds {
  let β1, β2, λ12: Direction
  /// What stands for 0 where a direction is wanted; its square is still a normal number.
  static var hair: Double { 1e-100 }
  private let isSwapped: Bool
  private let eastSign, northSign: Double

  init(_ pair: ReducedPair) {
    // Sines tell latitudes apart near the equator, cosines near the poles.
    isSwapped =
      pair.sinβ.x.magnitude < 0.7
      ? pair.sinβ.y.magnitude > pair.sinβ.x.magnitude : pair.cosβ.y < pair.cosβ.x
    let (first, second) = isSwapped ? (1, 0) : (0, 1)
    northSign = pair.sinβ[first] >= 0 ? -1 : 1
    eastSign = pair.halfλ12.x < 0 ? -1 : 1
    // A place on the equator is put a hair off it, so that none is the direction of a zero vector.
    β1 = Direction(
      sine: Swift.min(northSign * pair.sinβ[first], -Self.hair), cosine: pair.cosβ[first])
    let sinβ2 = northSign * pair.sinβ[second]
    β2 = Direction(sine: sinβ2 == 0 ? Self.hair : sinβ2, cosine: pair.cosβ[second])
    let halfSine = eastSign * pair.halfλ12.x
    λ12 = Direction(sine: 2 * halfSine * pair.halfλ12.y, cosine: 1 - 2 * halfSine * halfSine)
  }

  /// Whether a meridian joins them; on an oblate ellipsoid it is then the shortest path.
  var onOneMeridian: Bool { β1.cosine == 0 || λ12.sine <= 0 }

  /// Whether both are on the equator and near enough for it to be the shortest path.
  var areJoinedByEquator: Bool {
    β1.sine == -Self.hair && λ12.radians <= (1 - WGS84.flattening) * .pi
  }

  /// An azimuth that Newton's method can start from: the solution to the lowest order of the flattening.
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

  /// The azimuths for the places as they were given.
  func restore(_ α1: Direction, _ α2: Direction) -> (Direction, Direction) {
    // A path taken backwards leaves where it arrived, the other way; with east and west exchanged too, that turns the cosine.
    let (start, end) = isSwapped ? (α2, α1) : (α1, α2)
    let north = isSwapped ? -northSign : northSign
    return (
      Direction(sine: eastSign * start.sine, cosine: north * start.cosine),
      Direction(sine: eastSign * end.sine, cosine: north * end.cosine)
    )
  }
}
