import RealModule
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Holds short distances against the geodesic and their published bound on many random pairs of each size.
func checkBound(pairs count: Int, seed: UInt64) -> Bool {
  var random = SeededGenerator(seed: seed)
  var worst: [(error: Double, share: Double)] = Array(repeating: (0, 0), count: 10)
  for _ in 0..<count {
    // From a millimetre to 1 000 km; a third close to a pole, a third close to 180°.
    let exponent = Double.random(in: -3...5.9999, using: &random)
    let small = Double.pow(10, .random(in: -9...1, using: &random))
    let which = Int.random(in: 0..<3, using: &random)
    let anyLatitude = Double.random(in: -90...90, using: &random)
    let pole = Bool.random(using: &random) ? 90 - small : small - 90
    let longitude = which == 1 ? 180 + small : Double.random(in: -180...180, using: &random)
    guard
      let start = Coordinate(latitude: which == 0 ? pole : anyLatitude, wrappingLongitude: longitude),
      let end = start.destination(
        azimuth: .random(in: 0..<360, using: &random), distance: .pow(10, exponent))
    else { continue }
    let short = start.distance(to: end, within: .infinity)
    let error = (short - start.distance(to: end, within: 0)).magnitude
    let decade = Int((exponent + 3).rounded(.down))
    worst[decade].error = max(worst[decade].error, error)
    worst[decade].share = max(worst[decade].share, error / ShortDistance.errorBound(over: short))
  }
  for (decade, (error, share)) in worst.enumerated() where share > 0 {
    print("1e\(decade - 3)…1e\(decade - 2) m: worst error \(error) m, \(share) of its bound")
  }
  return worst.allSatisfy { $0.share <= 1 }
}
