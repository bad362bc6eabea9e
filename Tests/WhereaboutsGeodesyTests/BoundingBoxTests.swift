import RealModule
import Testing
import WhereaboutsTesting

@testable import WhereaboutsGeodesy

@Suite struct BoundingBoxTests {
  private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: latitude, longitude: longitude))
  }

  private func box(_ south: Double, _ west: Double, _ north: Double, _ east: Double) throws -> BoundingBox {
    try #require(BoundingBox(south: south, west: west, north: north, east: east))
  }

  /// A place that is often at a pole, on the seam or on a round number, where rules break.
  private func place(using random: inout SeededGenerator) -> Coordinate {
    let anywhere = Coordinate.random(using: &random)
    let latitudes = [anywhere.latitude, anywhere.latitude, 90, -90, 0]
    let longitudes = [anywhere.longitude, anywhere.longitude, 180, -180, 0, 90, -90]
    return Coordinate(
      uncheckedLatitude: latitudes.randomElement(using: &random) ?? 0,
      longitude: longitudes.randomElement(using: &random) ?? 0)
  }

  // MARK: Growing

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func boxContainsItsPlaces(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let places = (0..<12).map { _ in place(using: &random) }
    let box = try #require(BoundingBox(places))
    for place in places { #expect(box.contains(place), "seed \(seed): \(place) in \(box)") }
    for i in 0...places.count {
      guard let head = BoundingBox(places.prefix(i)), let tail = BoundingBox(places.dropFirst(i)) else {
        continue
      }
      let union = head.union(tail)
      #expect(union.longitudeSpan == tail.union(head).longitudeSpan, "seed \(seed): \(head) \(tail)")
      for place in places { #expect(union.contains(place), "seed \(seed): \(place) in \(head) and \(tail)") }
    }
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func placesWithinAHemisphereHaveTheSmallestBox(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let west = Double.random(in: -180...180, using: &random)
    let offsets = (0..<20).map { _ in Double.random(in: 0...179, using: &random) }
    let places = try offsets.map { try #require(Coordinate(latitude: 10, wrappingLongitude: west + $0)) }
    let box = try #require(BoundingBox(places))
    let expected = try #require(offsets.max()) - #require(offsets.min())
    #expect((box.longitudeSpan - expected).magnitude < 1e-12, "seed \(seed)")
    #expect(box.crossesAntimeridian == (box.west > box.east))
  }

  @Test func trackAroundTheEarthSpansAllLongitudes() throws {
    var box = BoundingBox(try place(0, 170))
    for step in 1...350 {
      box.insert(try #require(Coordinate(latitude: 0, wrappingLongitude: 170 + Double(step))))
      #expect((box.longitudeSpan - Double(step)).magnitude < 1e-9)
    }
    let (inside, outside) = try (place(0, 175), place(0, 165))
    #expect(box.contains(inside) && !box.contains(outside))
    let around = try #require(BoundingBox(south: -1, west: 10, north: 1, east: 170))
    let rest = try #require(BoundingBox(south: -1, west: 160, north: 1, east: 20))
    let all = try self.box(-1, -180, 1, 180)
    #expect(around.union(rest) == all)
    #expect(around.union(rest).longitudeSpan == 360)
  }

  @Test func poleHasNoLongitude() throws {
    var box = BoundingBox(try place(90, 45))
    #expect(box.contains(try place(90, -100)))
    box.insert(try place(80, -10))
    #expect(box == (try self.box(80, -10, 90, -10)))
    box.insert(try place(90, 170))
    #expect(box.longitudeSpan == 0)
    let union = BoundingBox(try place(-90, 5)).union(BoundingBox(try place(-80, 20)))
    #expect(union == (try self.box(-90, 20, -80, 20)))
  }

  @Test func emptyPlacesHaveNoBox() {
    #expect(BoundingBox([]) == nil)
  }

  // MARK: The seam

  @Test func bothAntimeridianLongitudesAreEqual() throws {
    for (first, second) in [(180.0, -180.0), (-180, 180)] {
      var box = BoundingBox(try place(1, first))
      box.insert(try place(1, second))
      #expect(box.longitudeSpan == 0)
      #expect(box.union(BoundingBox(try place(2, second))).longitudeSpan == 0)
      box.insert(try place(1, 179))
      #expect(box == (try self.box(1, 179, 1, 180)))
      #expect(!box.crossesAntimeridian)
      box.insert(try place(1, -179))
      #expect(box == (try self.box(1, 179, 1, -179)))
      #expect(box.crossesAntimeridian && box.longitudeSpan == 2)
      #expect(box.center.longitude.magnitude == 180)
      for longitude in [180.0, -180, 179, -179] { #expect(box.contains(try place(1, longitude))) }
      for longitude in [178.0, -178, 0] { #expect(!box.contains(try place(1, longitude))) }
    }
  }

  @Test func touchingBoxesIntersect() throws {
    let cases: [(BoundingBox, BoundingBox, Bool)] = [
      (try box(0, 0, 10, 10), try box(10, 10, 20, 20), true),
      (try box(0, 0, 10, 10), try box(11, 0, 20, 10), false),
      (try box(0, 0, 10, 10), try box(0, 11, 10, 20), false),
      (try box(0, 170, 10, -170), try box(0, -175, 10, -160), true),
      (try box(0, 170, 10, 180), try box(0, -180, 10, -170), true),
      (try box(0, 170, 10, -170), try box(0, 160, 10, -160), true),
      (try box(80, 0, 90, 10), try box(85, 100, 90, 110), true),
    ]
    for (a, b, expected) in cases {
      #expect(a.intersects(b) == expected, "\(a) \(b)")
      #expect(b.intersects(a) == expected, "\(a) \(b)")
    }
  }

  @Test func invalidBoxIsNil() {
    let refused: [(Double, Double, Double, Double)] = [
      (1, 0, 0, 0), (-91, 0, 0, 0), (0, -181, 0, 0), (0, 0, .nan, 0), (0, 0, 0, .infinity),
    ]
    for (south, west, north, east) in refused {
      #expect(BoundingBox(south: south, west: west, north: north, east: east) == nil)
    }
  }

  // MARK: Metres

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func expandedBoxContainsPlacesWithinTheDistance(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      let corner = place(using: &random)
      var box = BoundingBox(corner)
      let far = Double.pow(10, .random(in: 1...6, using: &random))
      box.insert(
        try #require(corner.destination(azimuth: .random(in: 0...360, using: &random), distance: far)))
      let distance = Double.pow(10, .random(in: -2...6.5, using: &random))
      let expanded = box.expanded(by: distance)
      for start in [corner, box.center, try place(box.south, box.east), try place(box.north, box.west)] {
        let end = try #require(
          start.destination(azimuth: .random(in: 0...360, using: &random), distance: distance))
        #expect(expanded.contains(end), "seed \(seed): \(box) by \(distance) m: \(end)")
      }
      // And is not much larger than it must be.
      #expect(expanded.height <= box.height + 2 * distance * 1.01 + 1e-6, "seed \(seed): \(box)")
    }
  }

  /// The place farthest to one side is tried, not a random one.
  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func expandedBoxContainsTheWidestPlaceOfACircle(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let start = Coordinate.random(using: &random)
    let distance = Double.pow(10, .random(in: 0...6, using: &random))
    let expanded = BoundingBox(start).expanded(by: distance)
    var widest = 0.0
    for azimuth in stride(from: 0.0, to: 360, by: 0.25) {
      let end = try #require(start.destination(azimuth: azimuth, distance: distance))
      #expect(expanded.contains(end), "seed \(seed)")
      widest = max(widest, angle(end.longitude, start.longitude))
    }
    if expanded.longitudeSpan < 360 {
      // 0.34 % for the radius b, and what a grid of azimuths misses.
      #expect(expanded.longitudeSpan / 2 < widest * 1.02 + 1e-9, "seed \(seed)")
    }
  }

  @Test func expandingOverAPoleSpansAllLongitudes() throws {
    let box = BoundingBox(try place(89.9, 20)).expanded(by: 20_000)
    #expect(box.north == 90 && box.longitudeSpan == 360)
    #expect(box.contains(try place(89.95, -160)))
    #expect(BoundingBox(try place(0, 0)).expanded(by: .infinity) == BoundingBox.world)
    #expect(box.expanded(by: -1) == box)
    #expect(box.expanded(by: .nan) == box)
  }

  @Test func sizesAreMetresOnTheGround() throws {
    let degree = try box(0, 0, 1, 1)
    #expect((degree.width - 111_319.490793274).magnitude < 1e-6)
    #expect((degree.height - 110_574.388557799).magnitude < 1e-6)
    // The longest parallel is the one nearest to the equator.
    let north = try box(60, 179, 61, -179), south = try box(-61, 179, -60, -179)
    #expect((north.width - 2 * 55_800.00157243614).magnitude < 1e-6)
    #expect(south.width == north.width)
    #expect(BoundingBox(try place(90, 0)).width == 0)
    #expect((BoundingBox.world.height - 20_003_931.458625447).magnitude < 1e-6)
  }
}
