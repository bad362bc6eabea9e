import RealModule
import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@Suite struct ShortDistanceTests {
  /// A pair up to 1 000 km apart, as often millimetres as kilometres, and often at a pole or on both sides of 180°.
  private func pair(using random: inout SeededGenerator) -> (Coordinate, Coordinate) {
    var start = Coordinate.random(using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let colatitude = Double.pow(10, .random(in: -9...1, using: &random))
      let pole = Bool.random(using: &random) ? 90 - colatitude : colatitude - 90
      start = Coordinate(latitude: pole, longitude: start.longitude) ?? start
    case 1:
      let offset = Double.pow(10, .random(in: -9...0, using: &random))
      start = Coordinate(latitude: start.latitude, wrappingLongitude: 180 + offset) ?? start
    default: break
    }
    let distance = Double.pow(10, .random(in: -3...5.999, using: &random))
    let end = start.destination(azimuth: .random(in: 0...360, using: &random), distance: distance)
    return (start, end ?? start)
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func shortDistanceIsWithinItsErrorBound(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<10_000 {
      let (start, end) = pair(using: &random)
      // No error allowed is the geodesic, any error allowed is the short distance.
      let exact = start.distance(to: end, within: 0)
      let short = start.distance(to: end, within: .infinity)
      let bound = ShortDistance.errorBound(over: short)
      #expect((short - exact).magnitude <= bound, "seed \(seed): \(start) \(end)")
      // The plain distance is never worse than the smallest bound there is.
      #expect((start.distance(to: end) - exact).magnitude < 5e-9, "seed \(seed): \(start) \(end)")
    }
  }

  @Test func errorBoundIsSmallForShortDistances() {
    #expect(ShortDistance.errorBound(over: 0) == 4e-9)
    #expect(ShortDistance.errorBound(over: 1_000) < 4.1e-9)
    #expect(ShortDistance.errorBound(over: 30_000) < 5e-9)
    #expect(ShortDistance.errorBound(over: 100_000) < 200e-9)
    #expect(ShortDistance.errorBound(over: 500_000) < 0.6e-3)
    #expect(ShortDistance.errorBound(over: 1_000_000) < 20e-3)
  }

  @Test func errorBoundIsInfiniteBeyondTheReach() {
    for distance in [-1, 1_000_001, .infinity, .nan] {
      #expect(ShortDistance.errorBound(over: distance) == .infinity)
    }
  }

  @Test func geodesicIsUsedBeyondTheAllowedError() throws {
    let start = try #require(Coordinate(latitude: 0, longitude: 0))
    let end = try #require(start.destination(azimuth: 0, distance: 400_000))
    #expect((start.distance(to: end, within: 1e-6) - 400_000).magnitude < 5e-9)
    let short = start.distance(to: end, within: 1e-3) - 400_000
    #expect(short.magnitude > 1e-6 && short.magnitude < 1e-3)
    #expect(start.distance(to: start, within: 0) == 0)
  }
}
