import Testing
import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsGeodesy

@Suite struct GeoJSONFenceTests {
  @Test func aPointWithARadiusIsACircle() throws {
    let file = read(collection(point, #"{"radius":50,"name":"home","colour":"red","tags":[1,null,true]}"#))
    #expect(file.problems.isEmpty)
    let place = try #require(Coordinate(latitude: 52.5, longitude: 13.4))
    let fence = Fence(
      id: "a", area: .circle(try Area.Circle(center: place, radius: 50)), name: "home",
      properties: ["colour": .string("red"), "tags": .array([.number(1), .null, .bool(true)])])
    #expect(file.fences == [fence])
  }

  @Test func aPolygonKeepsItsHoles() throws {
    let holes = """
      {"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]],[[0.2,0.2],[0.2,0.4],[0.4,0.4],[0.2,0.2]]]}
      """
    let file = read(collection(holes))
    #expect(file.problems.isEmpty)
    guard case .polygon(let polygon)? = file.fences.first?.area else {
      Issue.record("no polygon but \(file.fences)")
      return
    }
    #expect(polygon.exterior.count == 4)
    #expect(polygon.holes.map(\.count) == [3])
  }

  @Test func aLineWithAWidthIsACorridor() throws {
    let file = read(collection(#"{"type":"LineString","coordinates":[[0,0],[0.1,0.1]]}"#, #"{"width":30}"#))
    #expect(file.problems.isEmpty)
    guard case .corridor(let corridor)? = file.fences.first?.area else {
      Issue.record("no corridor but \(file.fences)")
      return
    }
    #expect(corridor.width == 30)
  }

  @Test func theCallersRadiusAndWidthStandInForMissingOnes() throws {
    let reader = FenceReader(defaultRadius: 100, defaultWidth: 20)
    #expect(read(collection(point), by: reader).fences.count == 1)
    #expect(
      read(collection(#"{"type":"LineString","coordinates":[[0,0],[0.1,0.1]]}"#), by: reader).fences.count
        == 1)
  }

  @Test func everyTermIsRead() throws {
    let properties = """
      {"radius":50,"enterConfidence":0.9,"exitConfidence":0.99,"hysteresisMargin":10,"enterDwell":5,"exitDwell":"1m",
      "dwell":"PT5M","notify":["enter","dwell"],"tellsInitialSide":true,"once":true,"expiry":"2026-01-01T00:00:00Z",
      "activeHours":["Mo-Fr 09:00-17:00","Sa 22:00-02:00"],"utcOffset":"+01:00","responsiveness":2.5}
      """
    let file = read(collection(point, properties))
    #expect(file.problems.isEmpty)
    let weekdays = (0..<5).map { ActiveHours.Window(start: $0 * 1440 + 540, minutes: 480) }
    let hours = ActiveHours(
      weekdays + [ActiveHours.Window(start: 5 * 1440 + 1320, minutes: 240)], aheadOfUTC: .seconds(3600))
    let terms = FenceTerms(
      enterConfidence: 0.9, exitConfidence: 0.99, hysteresisMargin: 10, enterDwell: .seconds(5),
      exitDwell: .seconds(60), dwell: .seconds(300), notify: [.enter, .dwell], tellsInitialSide: true,
      once: true,
      expiry: UTCTime(iso8601: "2026-01-01T00:00:00Z"), activeHours: hours,
      responsiveness: .milliseconds(2500))
    #expect(file.fences.first?.terms == terms)
    #expect(file.fences.first?.properties == [:])
  }
}
