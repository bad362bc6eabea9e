import Testing
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsServer

@Suite struct PrivacyZoneTests {
  private func zone(
    _ latitude: Double, _ longitude: Double, radius: Double, seed: UInt64
  ) throws -> PrivacyZone {
    var random = SeededGenerator(seed: seed)
    let center = try #require(Coordinate(latitude: latitude, longitude: longitude))
    return try PrivacyZone(name: "home", center: center, radius: radius, policy: .hide, using: &random)
  }

  static let places = [(51.0, 0.0), (0, 180), (89.999, 10), (-90, 0), (-33, 151)]

  @Test(arguments: places, [50.0, 1_000, 100_000])
  func coverHoldsTheZone(place: (Double, Double), radius: Double) throws {
    for seed in UInt64(1)...20 {
      let zone = try zone(place.0, place.1, radius: radius, seed: seed)
      #expect(zone.holds(zone.center))
      #expect(zone.cover.radius == 2 * radius)
      #expect(zone.cover.center.distance(to: zone.center) <= radius)
      let plane = LocalPlane(around: zone.center)
      for (east, north) in [(1.0, 0.0), (-1, 0), (0, 1), (0, -1), (0.6, 0.8), (-0.8, 0.6)] {
        let edge = try #require(
          plane.coordinate(at: LocalPlane.Point(east: east * radius, north: north * radius)))
        #expect(zone.holds(edge), "seed \(seed)")
      }
    }
  }

  /// A reader who knows the cover exactly knows the place only to within the radius, in no preferred direction.
  @Test func displacementIsUniform() throws {
    let radius = 200.0, count = 2_000
    var quadrants = [0, 0, 0, 0], inner = 0
    for seed in 0..<UInt64(count) {
      let zone = try zone(51, 0, radius: radius, seed: seed)
      let point = LocalPlane(around: zone.center).point(of: zone.cover.center)
      quadrants[(point.east > 0 ? 1 : 0) + (point.north > 0 ? 2 : 0)] += 1
      // Half of the area.
      if point.distance(to: LocalPlane.Point(east: 0, north: 0)) < radius * 0.5.squareRoot() { inner += 1 }
    }
    for quadrant in quadrants { #expect((420...580).contains(quadrant), "\(quadrants)") }
    #expect((920...1_080).contains(inner), "\(inner)")
  }

  static let margins: [(distance: Double, accuracy: Double?, isHeld: Bool)] = [
    (399, 0, true), (401, 0, false), (401, -5, false), (430, 20, true), (441, 20, false), (499, nil, true),
    (501, nil, false), (1_000_000, .infinity, true), (401, .nan, true), (401, -.infinity, false),
  ]

  @Test(arguments: margins) func inaccurateFixIsHeld(distance: Double, accuracy: Double?, isHeld: Bool) throws
  {
    let zone = try zone(51, 0, radius: 200, seed: 1)
    let plane = LocalPlane(around: zone.cover.center)
    let place = try #require(plane.coordinate(at: LocalPlane.Point(east: distance, north: 0)))
    #expect(zone.mayHold(place, accuracy: accuracy) == isHeld)
  }

  /// Fixes of a device at rest at the private place scatter. Hardly any is outside, so they show no direction.
  @Test(arguments: [5.0, 50, 300]) func scatterOfADeviceAtRestIsHeld(accuracy: Double) throws {
    var random = SeededGenerator(seed: 7), outside = 0
    let zone = try zone(51, 0, radius: 50, seed: 3), plane = LocalPlane(around: zone.center)
    for _ in 0..<4_000 {
      // 68 % are within the accuracy: 1.51 standard deviations of each coordinate. Twelve uniform numbers make a normal one.
      func normal() -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
      }
      let point = LocalPlane.Point(east: normal() * accuracy / 1.51, north: normal() * accuracy / 1.51)
      let place = try #require(plane.coordinate(at: point))
      if !zone.mayHold(place, accuracy: accuracy) { outside += 1 }
    }
    #expect(outside < 40, "\(outside) of 4000 are outside")
  }

  static let invalid:
    [(name: String, radius: Double, policy: PrivacyZone.Policy, device: DeviceID?, words: String)] = [
      ("", 200, .hide, nil, "a name is one line"), ("a\nb", 200, .hide, nil, "a name is one line"),
      ("a", 49, .hide, nil, "50 m to 100 km"), ("a", .nan, .hide, nil, "50 m to 100 km"),
      ("a", 100_001, .hide, nil, "50 m to 100 km"), ("a", 200, .coarsen(9), nil, "10 m to 1000 km"),
      ("a", 200, .coarsen(.nan), nil, "10 m to 1000 km"), ("a", 200, .hide, "", "a device has a name"),
    ]

  @Test(arguments: invalid)
  func invalidZoneIsRefused(
    name: String, radius: Double, policy: PrivacyZone.Policy, device: DeviceID?, words: String
  ) throws {
    var random = SeededGenerator(seed: 1)
    let center = try #require(Coordinate(latitude: 51, longitude: 0))
    let error = #expect(throws: PrivacyZoneError.self) {
      try PrivacyZone(
        name: name, center: center, radius: radius, policy: policy, device: device, using: &random)
    }
    #expect(error?.description.contains(words) == true)
  }
}
