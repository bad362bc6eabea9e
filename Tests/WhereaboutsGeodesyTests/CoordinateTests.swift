import Testing
import WhereaboutsGeodesy

@Suite struct CoordinateTests {
  @Test func nullIslandPolesAndAntimeridianAreValid() {
    for (latitude, longitude) in [(0.0, 0.0), (90, 0), (-90, 180), (0, -180), (51.4779, 0)] {
      #expect(Coordinate(latitude: latitude, longitude: longitude) != nil)
    }
  }

  @Test func outOfRangeOrNaNIsRefused() {
    for (latitude, longitude) in [(90.0001, 0.0), (-91, 0), (0, 180.5), (.nan, 0), (0, .nan), (.infinity, 0)]
    {
      #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
    }
  }

  @Test func longitudesWrap() {
    #expect(Coordinate(latitude: 1, wrappingLongitude: 190)?.longitude == -170)
    #expect(Coordinate(latitude: 1, wrappingLongitude: -720)?.longitude == 0)
    #expect(Coordinate(latitude: 1, wrappingLongitude: .infinity) == nil)
  }
}
