/// The geodesic between nearly antipodal places, solved for its azimuth at the start.
///
/// Geodesics cross again near the antipode, where the small flattening decides between routes that leave in quite
/// different directions. The method is the paper's own, valid for any two places: Newton's method for α1, inside a
/// bracket that only shrinks. The method therefore converges from any start. Notation as in ReducedPair.swift.
///
/// - Source: Karney (2013), sections 4 and 5.
struct AntipodalGeodesic {
  /// The length in metres.
  let distance: Double
  /// The azimuths at the start and at the end.
  let α1, α2: Direction

  init(_ pair: ReducedPair) {
    let ends = CanonicalEnds(pair)
    let trial = ends.areOnOneMeridian ? AzimuthTrial(alongMeridian: ends) : Self.solve(ends)
    distance = trial.distance
    (α1, α2) = ends.originalAzimuths(trial.α1, trial.α2)
  }

  private static func solve(_ ends: CanonicalEnds) -> AzimuthTrial {
    if ends.areOnEquator { return AzimuthTrial(alongEquator: ends) }
    // Longitude grows with α1, so a trial always shows the side of the solution.
    var low = Direction(sine: CanonicalEnds.tiny, cosine: 1)
    var high = Direction(sine: CanonicalEnds.tiny, cosine: -1)
    var α1 = ends.startingAzimuth
    var isLast = false
    for _ in 0..<100 {
      let trial = AzimuthTrial(ends, α1: α1)
      if isLast || trial.excess.magnitude < .ulpOfOne { return trial }
      if trial.excess > 0 { high = α1 } else { low = α1 }
      let next = α1.turned(by: -trial.excess / trial.rate)
      // With this form, a NaN selects the middle.
      if trial.rate > 0, next.minus(low).sine > 0, high.minus(next).sine > 0 {
        α1 = next
        // A smaller excess is rounding; one more step removes the rest.
        isLast = trial.excess.magnitude < 16 * .ulpOfOne
      } else {
        α1 = Direction(y: low.sine + high.sine, x: low.cosine + high.cosine)
      }
    }
    return AzimuthTrial(ends, α1: α1)
  }
}
