import RealModule
import Testing
import WhereaboutsTesting

@testable import WhereaboutsGeodesy

@Suite struct AreaBoundingBoxTests {
  @Test(arguments: PropertyCases.seeds(2, of: 1...6 as ClosedRange<UInt64>))
  func boundingBoxContainsTheArea(seed: UInt64) throws {
    var areas = RandomAreas(seed: seed)
    for i in 0..<40 {
      let center = areas.place(), size = areas.scale(10...1e6)
      let area = try areas.area(i, around: center, size: size)
      let prepared = PreparedArea(area), box = area.boundingBox
      for _ in 0..<10 {
        let place = areas.place(near: center, within: 1.2 * size)
        let distance = prepared.signedDistance(to: place)
        guard distance.isInside else { continue }
        #expect(box.contains(place), "seed \(seed): \(area) \(place)")
        #expect(
          prepared.center.coordinate.distance(to: place) <= prepared.reach, "seed \(seed): \(area) \(place)")
      }
    }
  }

  @Test func areaAroundAPoleReachesThePole() throws {
    let ring = stride(from: -180.0, to: 180, by: 30).map { Coordinate(latitude: 70, longitude: $0)! }
    let box = Area.polygon(try Area.Polygon(exterior: ring)).boundingBox
    #expect(box.north == 90)
    #expect(box.longitudeSpan == 360)
    #expect(box.south < 70.000001 && box.south > 69.9)
  }

  @Test func edgeBulgesTowardsThePole() throws {
    let ring = [(50.0, -60.0), (50, 60), (40, 0)].map { Coordinate(latitude: $0.0, longitude: $0.1)! }
    let box = Area.polygon(try Area.Polygon(exterior: ring)).boundingBox
    // cos 60° of longitude: tan φ = tan 50°/cos 60°, but for the flattening.
    #expect((box.north - 67.24).magnitude < 0.1)
    #expect((box.west + 60).magnitude < 1e-6 && (box.east - 60).magnitude < 1e-6)
  }
}
