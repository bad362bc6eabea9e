import Testing
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

/// Fences from the JSON of other programs.
@Suite struct OtherFenceTests {
  private static func circle(_ latitude: Double, _ longitude: Double, radius: Double) throws -> Area {
    .circle(
      try Area.Circle(
        center: try #require(Coordinate(latitude: latitude, longitude: longitude)), radius: radius))
  }

  @Test func waypointsOfOwnTracksAreCircles() throws {
    let home = #"{"_type":"waypoint","desc":"-Home|1|2","lat":51.5,"lon":-0.1,"rad":150,"tst":1500000000}"#
    let work = #"{"_type":"waypoint","desc":"Work","lat":51.6,"lon":0.1,"rad":80}"#
    let expected = [
      Fence(id: "Home", area: try Self.circle(51.5, -0.1, radius: 150), name: "Home"),
      Fence(id: "Work", area: try Self.circle(51.6, 0.1, radius: 80), name: "Work"),
    ]
    for text in [
      "{\"_type\":\"waypoints\",\"waypoints\":[\n\(home),\(work)]}",
      "{\"waypoints\":[\(home),\(work)],\"_type\":\"configuration\",\"mode\":3}",
      "[\(home),\(work)]", "\(home)\n\(work)\n",
    ] {
      let file = readFences(text)
      #expect(file.fences == expected, "\(text)")
      #expect(file.problems.isEmpty, "\(text): \(file.problems)")
    }
  }

  @Test(arguments: [
    (#"{"_type":"waypoint","desc":"Café","lat":51.5,"lon":-0.1,"rad":0}"#, "without radius"),
    (#"{"_type":"waypoint","desc":"b","lat":0,"lon":0,"rad":0,"uuid":"12AB"}"#, "a beacon"),
    (#"{"_type":"waypoint","desc":"+follow","lat":1,"lon":1,"rad":50}"#, "moves with the phone"),
    (#"{"_type":"waypoint","desc":"gone","lat":-1000000,"lon":-1000000,"rad":50}"#, "out of range"),
    (#"{"area":"CIRCLE (51.5, 150)","name":"x"}"#, "no latitude and longitude"),
    (#"{"area":"CIRCLE (91 0, 150)","name":"x"}"#, "no latitude and longitude"),
    (#"{"area":"CIRCLE (51.5 0, -5)","name":"x"}"#, "radius is not more than 0"),
    (#"{"area":"POINT (51.5 0)","name":"x"}"#, "no CIRCLE"),
    (#"{"area":"POLYGON ((51.5 0, 51.6 0))","name":"x"}"#, "fewer than three"),
    (#"{"area":"","name":"x"}"#, "no CIRCLE"),
  ])
  func unusablePlaceIsRefusedAndTheRestIsRead(text: String, reason: String) throws {
    let good = #"{"_type":"waypoint","desc":"Work","lat":51.6,"lon":0.1,"rad":80}"#
    let file = readFences("[\(text),\n\(good)]")
    #expect(file.fences.map(\.id.name) == ["Work"])
    let problem = try #require(file.problems.first)
    #expect(file.problems.count == 1 && problem.feature == 1 && problem.line == 1)
    #expect(problem.detail.contains(reason), "\(problem)")
  }

  @Test func waypointWithoutRadiusGetsTheDefault() {
    let text = #"{"_type":"waypoint","desc":"Café","lat":51.5,"lon":-0.1,"rad":0}"#
    #expect(readFences(text, by: FenceReader(defaultRadius: 100)).fences.map(\.id.name) == ["Café"])
  }

  @Test func geofencesOfTraccarAreRead() throws {
    let file = readFences(
      #"""
      [{"id":1,"attributes":{},"calendarId":0,"name":"Home","description":"","area":"CIRCLE (51.5 -0.1, 150.5)"},
      {"id":2,"attributes":{},"calendarId":4,"name":"Yard","description":"Back",
      "area":"POLYGON ((51.5 -0.1, 51.5 0.1, 51.6 0.1, 51.5 -0.1), (51.51 0, 51.52 0.05, 51.53 0.05))"},
      {"id":3,"attributes":{"polylineDistance":30},"name":"Road","area":"LINESTRING (51.5 -0.1, 51.6 0.1)"},
      {"id":4,"attributes":{},"name":"Path","area":"LINESTRING (51.5 -0.1, 51.6 0.1)"}]
      """#)
    #expect(file.problems.isEmpty, "\(file.problems)")
    try #require(file.fences.map(\.id.name) == ["Home", "Yard", "Road", "Path"])
    let home = Fence(id: "Home", area: try Self.circle(51.5, -0.1, radius: 150.5), name: "Home")
    #expect(file.fences[0] == home)
    guard case .polygon(let polygon) = file.fences[1].area, case .corridor(let road) = file.fences[2].area,
      case .corridor(let path) = file.fences[3].area
    else {
      Issue.record("other areas: \(file.fences)")
      return
    }
    #expect(polygon.holes.count == 1)
    #expect(file.fences[1].properties == ["description": .string("Back"), "calendarId": .number(4)])
    // A device within the distance to the line is inside, on both sides.
    #expect(road.width == 60 && path.width == 50)
    #expect(road.line.first == Coordinate(latitude: 51.5, longitude: -0.1))
  }

  @Test func zonesOfHomeAssistantAreCircles() throws {
    let area = try Self.circle(51.5, -0.1, radius: 100)
    let place = #""latitude":51.5,"longitude":-0.1,"radius":100.0"#
    let states = readFences(
      #"""
      [{"entity_id":"sun.sun","state":"below_horizon","attributes":{"elevation":-3}},
      {"entity_id":"zone.home","state":"1","attributes":{\#(place),"passive":false,"friendly_name":"My home"}}]
      """#)
    #expect(states.problems.isEmpty, "\(states.problems)")
    #expect(states.fences == [Fence(id: "home", area: area, name: "My home")])
    let stored = readFences(
      #"{"version":1,"key":"zone","data":{"items":[{"id":"work","name":"Work",\#(place),"icon":"mdi:x"}]}}"#)
    #expect(stored.problems.isEmpty, "\(stored.problems)")
    #expect(stored.fences == [Fence(id: "work", area: area, name: "Work")])
  }

  @Test func geofencesOfTransistorsoftAreRead() throws {
    let home = try Self.circle(51.5, -0.1, radius: 200)
    let file = readFences(
      #"""
      [{"identifier":"Home","latitude":51.5,"longitude":-0.1,"radius":200,"notifyOnEntry":true,"notifyOnExit":false,
      "notifyOnDwell":true,"loiteringDelay":30000,"extras":{"room":7}},
      {"identifier":"Yard","latitude":51.55,"longitude":0,"radius":900,"notifyOnEntry":true,"notifyOnExit":true,
      "vertices":[[51.5,-0.1],[51.5,0.1],[51.6,0.1]]},
      {"identifier":"Bare","name":"Den","latitude":51.5,"longitude":-0.1,"radius":50}]
      """#)
    #expect(file.problems.isEmpty, "\(file.problems)")
    try #require(file.fences.map(\.id.name) == ["Home", "Yard", "Bare"])
    #expect(file.fences[0].area == home)
    #expect(file.fences[0].terms.notify == [.enter, .dwell] && file.fences[0].terms.dwell == .seconds(30))
    #expect(file.fences[0].properties == ["extras": .object(["room": .number(7)])])
    guard case .polygon(let yard) = file.fences[1].area else {
      Issue.record("another area: \(file.fences[1])")
      return
    }
    #expect(yard.holes.isEmpty && file.fences[1].terms.notify == [.enter, .exit])
    #expect(file.fences[2].terms == FenceTerms() && file.fences[2].name == "Den")
  }

  @Test(arguments: [
    "[[51.5]]", "[[51.5,0],[91,0],[51,1]]", "[51.5,0]", "[[\"51.5\",0]]", "[[51.5,0],[51.6,0]]",
  ])
  func unusableVerticesAreRefused(vertices: String) {
    let good = #"{"identifier":"Home","latitude":51.5,"longitude":-0.1,"radius":200}"#
    let file = readFences("[{\"identifier\":\"Yard\",\"vertices\":\(vertices)},\(good)]")
    #expect(file.fences.map(\.id.name) == ["Home"] && file.problems.map(\.feature) == [1], "\(file.problems)")
  }

  /// A server replaces its fences by those of a file.
  @Test(arguments: [
    #"[{"entity_id":"sun.sun","state":"below_horizon","attributes":{"elevation":-3}}]"#,
    #"{"_type":"waypoints","waypoints":[]}"#,
  ])
  func fileWithoutPlacesIsAProblem(text: String) {
    let file = readFences(text)
    #expect(file.fences.isEmpty && file.problems.map(\.kind) == [.missing], "\(file.problems)")
  }

  @Test func cutFileYieldsItsFirstPlaces() {
    let home = #"{"_type":"waypoint","desc":"Home","lat":51.5,"lon":-0.1,"rad":150}"#
    let file = readFences("[\(home),{\"_type\":\"way")
    #expect(file.fences.map(\.id.name) == ["Home"])
    #expect(file.problems.count == 1)
  }
}
