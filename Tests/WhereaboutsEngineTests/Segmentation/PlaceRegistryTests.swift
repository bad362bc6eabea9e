import Testing
import WhereaboutsGeodesy

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

@Suite struct PlaceRegistryTests {
  private func visit(_ hour: Int, north: Double, east: Double = 0, accuracy: Double = 10) throws
    -> VisitSegment
  {
    let plane = LocalPlane(around: try #require(Coordinate(latitude: 60, longitude: 25)))
    let start = UTCTime(nanosecondsSince1970: Int64(hour) * 3_600_000_000_000)
    let end = start.advanced(by: .seconds(1_800))
    return VisitSegment(
      id: SegmentID(.visit, startingAt: start, window: 299),
      coordinate: try #require(plane.coordinate(at: LocalPlane.Point(east: east, north: north))),
      accuracy: accuracy, arrival: EstimatedTime(time: start, uncertainty: 10),
      departure: EstimatedTime(time: end, uncertainty: 10), lastFix: end, fixes: 30, gaps: [])
  }

  @Test func nearVisitsAreOnePlace() throws {
    var registry = PlaceRegistry([])
    let first = registry.add(try visit(1, north: 0))
    #expect(registry.add(try visit(2, north: 60)).id == first.id)
    #expect(registry.add(try visit(3, north: 0, east: 70)).id == first.id)
    let far = registry.add(try visit(4, north: 400))
    #expect(far.id != first.id && registry.places.map(\.visits) == [3, 1])
    #expect(registry.places[0].duration == 5_400)
  }

  @Test func placeIsFoundAcrossTheBordersOfItsGrid() throws {
    for offset in stride(from: 0.0, to: 500, by: 7) {
      var registry = PlaceRegistry([])
      let first = registry.add(try visit(1, north: offset, east: offset))
      #expect(registry.add(try visit(2, north: offset + 60, east: offset + 60)).id == first.id, "\(offset)")
    }
  }

  @Test func namedPlaceReceivesItsVisits() throws {
    let home = Place(id: "p1", name: "Home", coordinate: try visit(0, north: 0).coordinate, radius: 150)
    var registry = PlaceRegistry([home])
    #expect(registry.add(try visit(1, north: 140)).name == "Home")
    #expect(registry.add(try visit(2, north: 160)).name == nil)
    #expect(registry.places.count == 2)
  }

  @Test func mergedPlaceTransfersItsVisits() throws {
    let home = Place(id: "p1", name: "Home", coordinate: try visit(0, north: 0).coordinate)
    let garden = Place(id: "p2", coordinate: try visit(0, north: 300).coordinate, mergedInto: "p1")
    var registry = PlaceRegistry([home, garden])
    #expect(registry.add(try visit(1, north: 300)).id == "p1")
    #expect(registry.places.map(\.place.id) == ["p1"] && registry.places[0].visits == 1)
  }

  @Test func circleOfMergesEnds() throws {
    let one = Place(id: "p1", coordinate: try visit(0, north: 0).coordinate, mergedInto: "p2")
    let two = Place(id: "p2", coordinate: try visit(0, north: 300).coordinate, mergedInto: "p1")
    var registry = PlaceRegistry([one, two])
    _ = registry.add(try visit(1, north: 0))
  }
}
