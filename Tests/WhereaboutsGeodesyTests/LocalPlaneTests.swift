import RealModule
import Testing
import WhereaboutsTesting

@testable import WhereaboutsGeodesy

@Suite struct LocalPlaneTests {
  private func origin(_ kind: Int, using random: inout SeededGenerator) -> Coordinate {
    let anywhere = Coordinate.random(using: &random)
    switch kind {
    case 0: return Coordinate(uncheckedLatitude: 90, longitude: anywhere.longitude)
    case 1: return Coordinate(uncheckedLatitude: -89.99, longitude: anywhere.longitude)
    case 2: return Coordinate(uncheckedLatitude: anywhere.latitude, longitude: 179.9999)
    default: return anywhere
    }
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func distanceAndAzimuthFromTheOriginAreExact(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for i in 0..<4_000 {
      let plane = LocalPlane(around: origin(i % 8, using: &random))
      let azimuth = Double.random(in: 0..<360, using: &random) * .pi / 180
      let distance = Double.pow(10, .random(in: -2...7, using: &random))
      let expected = LocalPlane.Point(east: distance * .sin(azimuth), north: distance * .cos(azimuth))
      let place = try #require(plane.coordinate(at: expected))
      let error = plane.point(of: place).distance(to: expected)
      #expect(
        error <= LocalPlane.errorBound(at: distance) + 15e-9, "seed \(seed): \(plane.origin) \(expected)")
    }
  }

  @Test(arguments: 6...9 as ClosedRange<UInt64>)
  func stretchIsWithinItsBound(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for i in 0..<4_000 {
      let plane = LocalPlane(around: origin(i % 8, using: &random))
      let radius = Double.pow(10, .random(in: 1...5, using: &random))
      func point() -> LocalPlane.Point {
        // Within a square inside the circle, so that the line between two is inside it too.
        LocalPlane.Point(
          east: radius * 0.7 * .random(in: -1...1, using: &random),
          north: radius * 0.7 * .random(in: -1...1, using: &random))
      }
      let a = point(), b = point()
      let start = try #require(plane.coordinate(at: a)), end = try #require(plane.coordinate(at: b))
      let length = start.distance(to: end)
      let stretch = a.distance(to: b) - length
      #expect(stretch <= length * LocalPlane.stretchBound(within: radius) + 30e-9, "seed \(seed)")
      #expect(stretch >= -30e-9 - length * 1e-9, "seed \(seed)")
    }
  }

  @Test(arguments: [(0.0, 0.99), (45, 0.98), (90, 0.97)], [1_000.0, 30_000, 100_000, 1_000_000])
  func stretchAtTheRimEqualsTheBound(_ at: (latitude: Double, share: Double), radius: Double) throws {
    let plane = LocalPlane(around: try #require(Coordinate(latitude: at.latitude, longitude: 7)))
    let bound = LocalPlane.stretchBound(within: radius)
    for turn in 0..<8 {
      let angle = Double(turn) / 8 * 2 * .pi, step = 0.01
      let ends = try [angle, angle + step].map {
        try #require(plane.coordinate(at: .init(east: radius * .sin($0), north: radius * .cos($0))))
      }
      // Along the rim, whose length in the plane is true to the eye; the chord of so small an angle is as good.
      let stretch = 2 * radius * .sin(step / 2) / ends[0].distance(to: ends[1]) - 1
      #expect(stretch <= bound + 1e-9, "\(turn)")
      #expect(stretch >= bound * at.share - 1e-9, "\(turn)")
    }
  }

  @Test func axesPointEastAndNorth() throws {
    let plane = LocalPlane(around: try #require(Coordinate(latitude: 47, longitude: 179.9999)))
    let east = plane.point(of: try #require(Coordinate(latitude: 47, longitude: -179.9999)))
    #expect(east.east > 15 && east.north.magnitude < 1e-3)
    let north = plane.point(of: try #require(Coordinate(latitude: 47.001, longitude: 179.9999)))
    #expect(north.north > 111 && north.east.magnitude < 1e-8)
  }

  @Test func originIsZero() throws {
    for (latitude, longitude) in [(0.0, 0.0), (90, 12), (-33, 180)] {
      let origin = try #require(Coordinate(latitude: latitude, longitude: longitude))
      let plane = LocalPlane(around: origin)
      #expect(plane.point(of: origin) == LocalPlane.Point(east: 0, north: 0))
      #expect(plane.coordinate(at: LocalPlane.Point(east: 0, north: 0)) == origin)
    }
  }

  @Test func nonFinitePointIsNoPlace() throws {
    let plane = LocalPlane(around: try #require(Coordinate(latitude: 1, longitude: 2)))
    #expect(plane.coordinate(at: LocalPlane.Point(east: .nan, north: 0)) == nil)
    #expect(plane.coordinate(at: LocalPlane.Point(east: .infinity, north: 0)) == nil)
    #expect(LocalPlane.errorBound(at: .nan) == .infinity)
    #expect(LocalPlane.stretchBound(within: 2_000_000) == .infinity)
  }
}
