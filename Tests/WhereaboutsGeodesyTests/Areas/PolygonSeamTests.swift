import RealModule
import Testing
import WhereaboutsTesting

@testable import WhereaboutsGeodesy

@Suite struct PolygonSeamTests {
  private func ring(_ corners: [(latitude: Double, longitude: Double)]) -> [Coordinate] {
    corners.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude)! }
  }

  private func distance(_ area: Area, _ latitude: Double, _ longitude: Double) -> SignedDistance {
    area.signedDistance(to: Coordinate(latitude: latitude, longitude: longitude)!)
  }

  /// The same places, as a polygon that needs no cut and as one that was cut.
  private func expectEqual(_ whole: Area, _ cut: Area, seed: UInt64, around center: Coordinate, size: Double)
  {
    var areas = RandomAreas(seed: seed)
    for _ in 0..<60 {
      let place = areas.place(near: center, within: 2 * size)
      let a = whole.signedDistance(to: place), b = cut.signedDistance(to: place)
      #expect((a.metres - b.metres).magnitude <= a.errorBound + b.errorBound, "seed \(seed): \(place)")
    }
  }

  @Test func cutAtTheAntimeridianIsNoBoundary() throws {
    let whole = Area.polygon(
      try Area.Polygon(
        exterior: ring([(-17, 179), (-17, 180), (-17, -179), (-16, -179), (-16, 180), (-16, 179)])))
    // The corners along the cut differ, and so do the signs of 180.
    let west = try Area.Polygon(
      exterior: ring([(-17, 179), (-17, 180), (-16.5, 180), (-16, 180), (-16, 179)]))
    let east = try Area.Polygon(
      exterior: ring([(-17, -180), (-17, -179), (-16, -179), (-16, -180), (-16.7, -180)]))
    let cut = Area.multiPolygon(try Area.MultiPolygon([east, west]))
    expectEqual(whole, cut, seed: 1, around: Coordinate(latitude: -16.5, longitude: 180)!, size: 100_000)
    #expect(distance(cut, -16.5, 180).metres < -50_000)
    #expect(cut.boundingBox.crossesAntimeridian)
    #expect(cut.boundingBox.longitudeSpan < 2.01)
  }

  @Test func unmatchedPartOfACutIsBoundary() throws {
    // The western half reaches farther along the cut than the eastern one.
    let west = try Area.Polygon(exterior: ring([(-17, 179.9), (-17, 180), (-16, 180), (-16, 179.9)]))
    let east = try Area.Polygon(
      exterior: ring([(-16.8, -180), (-16.8, -179.9), (-16.2, -179.9), (-16.2, -180)]))
    let cut = Area.multiPolygon(try Area.MultiPolygon([west, east]))
    #expect(distance(cut, -16.1, 180).metres.magnitude < 1e-3)
    #expect(distance(cut, -16.1, 179.99).isInside)
    #expect(!distance(cut, -16.1, -179.99).isInside)
    #expect(distance(cut, -16.5, 180).metres < -9_000)
  }

  @Test func ringDrawnToThePoleSurroundsIt() throws {
    let coast = stride(from: -180.0, through: 180, by: 10).map {
      (latitude: -70 + 3 * Double.sin($0 / 20), longitude: $0)
    }
    // Both ends of the coast are one place; sines of ±9 are not.
    let ends = coast.map { $0.longitude.magnitude == 180 ? (latitude: -70.0, longitude: $0.longitude) : $0 }
    let drawn = Area.polygon(try Area.Polygon(exterior: ring([(-90, -180)] + ends + [(-90, 180)])))
    let around = Area.polygon(try Area.Polygon(exterior: ring(Array(ends.dropLast()))))
    expectEqual(around, drawn, seed: 2, around: Coordinate(latitude: -90, longitude: 0)!, size: 2_200_000)
    #expect(distance(drawn, -90, 0).metres < -1_000_000)
    #expect(distance(drawn, -80, 180).metres < -500_000)
    #expect(drawn.boundingBox.south == -90)
  }

  @Test func polygonsSharingABorderAreMerged() throws {
    let west = try Area.Polygon(exterior: ring([(10, 10), (10, 11), (11, 11), (11, 10)]))
    let east = try Area.Polygon(exterior: ring([(10, 11), (10, 12), (11, 12), (11, 11)]))
    let both = Area.multiPolygon(try Area.MultiPolygon([west, east]))
    #expect(distance(both, 10.5, 11).metres < -50_000)
  }

  @Test func borderAlongTheAntimeridianIsBoundary() throws {
    let half = Area.polygon(try Area.Polygon(exterior: ring([(10, 179), (10, 180), (11, 180), (11, 179)])))
    #expect(distance(half, 10.5, -180).metres.magnitude < 1e-3)
    #expect(distance(half, 10.5, 179.99).isInside)
    #expect(!distance(half, 10.5, -179.99).isInside)
  }

  @Test func bridgeToAHoleIsNoBoundary() throws {
    // The way of drawing a hole where there are only outer rings.
    let drawn = Area.polygon(
      try Area.Polygon(
        exterior: ring([
          (0, 0), (0, 3), (3, 3), (3, 0), (0, 0), (1, 1), (2, 1), (2, 2), (1, 2), (1, 1),
        ])))
    let holed = Area.polygon(
      try Area.Polygon(
        exterior: ring([(0, 0), (0, 3), (3, 3), (3, 0)]), holes: [ring([(1, 1), (2, 1), (2, 2), (1, 2)])]))
    expectEqual(holed, drawn, seed: 3, around: Coordinate(latitude: 1.5, longitude: 1.5)!, size: 200_000)
  }
}
