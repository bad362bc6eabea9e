import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@Suite struct DistanceTests {
  static func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test(arguments: [
    (40.6, -73.8, 51.6, -0.5, 5_551_759.400318684),
    (0, 0, 0.5, 179.5, 19_936_288.578965314),
    (0, 0, 0.5, 179.7, 19_944_127.420750469),
    (90, 0, -90, 45, 20_003_931.458625447),
    (0, 0, 0, 180, 20_003_931.458625447),
    (0, 0, 0, 1, 111_319.490793274),
    (52.5, 13.4, 52.5001, 13.4001, 13.036227640),
    (-30, 179.9999, -30, -179.9999, 19.297256040),
    (89.9999, 0, 89.9999, 180, 22.338795916),
  ])
  func distancesAgreeWithTheReference(
    latitude1: Double, longitude1: Double, latitude2: Double, longitude2: Double, expected: Double
  ) throws {
    let start = try Self.place(latitude1, longitude1), end = try Self.place(latitude2, longitude2)
    #expect((start.distance(to: end) - expected).magnitude < 15e-9)
    #expect(start.distance(to: end) == end.distance(to: start))
  }

  @Test func samePlaceHasZeroDistance() throws {
    let pairs = [
      (51.5, 0.1, 51.5, 0.1), (10, 180, 10, -180), (90, 3, 90, -120), (-90, 0, -90, 180), (0, 0, 0, 0),
      (0, 180, 0, -180),
    ]
    for (latitude1, longitude1, latitude2, longitude2) in pairs {
      #expect(try Self.place(latitude1, longitude1).distance(to: Self.place(latitude2, longitude2)) == 0)
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func distanceIsSymmetric(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let a = Coordinate.random(using: &random), b = Coordinate.random(using: &random)
      #expect(a.distance(to: b) == b.distance(to: a), "seed \(seed)")
    }
  }
}
