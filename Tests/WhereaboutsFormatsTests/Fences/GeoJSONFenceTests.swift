import Testing
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

@Suite struct GeoJSONFenceTests {
  @Test func pointWithRadiusIsACircle() throws {
    let file = readFences(
      featureCollection(point, #"{"radius":50,"name":"home","colour":"red","tags":[1,null,true]}"#))
    #expect(file.problems.isEmpty)
    let place = try #require(Coordinate(latitude: 52.5, longitude: 13.4))
    let fence = Fence(
      id: "a", area: .circle(try Area.Circle(center: place, radius: 50)), name: "home",
      properties: ["colour": .string("red"), "tags": .array([.number(1), .null, .bool(true)])])
    #expect(file.fences == [fence])
  }

  /// PowerShell writes UTF-16 with a byte order mark.
  @Test(arguments: [true, false], ["\u{FEFF}", ""]) func utf16IsDecoded(isBigEndian: Bool, mark: String) {
    let text = featureCollection(point, #"{"radius":50,"name":"Büro"}"#)
    let bytes = (mark + text).utf16.flatMap { unit in
      isBigEndian ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
    }
    let file = FenceReader().read(bytes)
    #expect(file.problems.isEmpty && file.fences.first?.name == "Büro", "\(file.problems)")
    #expect(file == readFences(text))
  }

  @Test func polygonRetainsItsHoles() throws {
    let holes = """
      {"type":"Polygon","coordinates":[[[0,0],[0.1,0],[0.1,0.1],[0,0.1],[0,0]],[[0.02,0.02],[0.02,0.04],[0.04,0.04],[0.02,0.02]]]}
      """
    let file = readFences(featureCollection(holes))
    #expect(file.problems.isEmpty)
    guard case .polygon(let polygon)? = file.fences.first?.area else {
      Issue.record("no polygon but \(file.fences)")
      return
    }
    #expect(polygon.exterior.count == 4)
    #expect(polygon.holes.map(\.count) == [3])
  }

  @Test func lineWithWidthIsACorridor() throws {
    let file = readFences(
      featureCollection(#"{"type":"LineString","coordinates":[[0,0],[0.1,0.1]]}"#, #"{"width":30}"#))
    #expect(file.problems.isEmpty)
    guard case .corridor(let corridor)? = file.fences.first?.area else {
      Issue.record("no corridor but \(file.fences)")
      return
    }
    #expect(corridor.width == 30)
  }

  @Test func defaultRadiusAndWidthReplaceMissingOnes() throws {
    let reader = FenceReader(defaultRadius: 100, defaultWidth: 20)
    #expect(readFences(featureCollection(point), by: reader).fences.count == 1)
    #expect(
      readFences(featureCollection(#"{"type":"LineString","coordinates":[[0,0],[0.1,0.1]]}"#), by: reader)
        .fences.count
        == 1)
  }

  @Test func everyTermIsParsed() throws {
    let properties = """
      {"radius":50,"enterConfidence":0.9,"exitConfidence":0.99,"hysteresisMargin":10,"enterDwell":5,"exitDwell":"1m",
      "dwell":"PT5M","notify":["enter","dwell"],"reportsInitialSide":true,"once":true,"expiry":"2026-01-01T00:00:00Z",
      "activeHours":["Mo-Fr 09:00-17:00","Sa 22:00-02:00"],"utcOffset":"+01:00","responsiveness":2.5}
      """
    let file = readFences(featureCollection(point, properties))
    #expect(file.problems.isEmpty)
    let weekdays = (0..<5).map { ActiveHours.Window(start: $0 * 1440 + 540, minutes: 480) }
    let hours = ActiveHours(
      weekdays + [ActiveHours.Window(start: 5 * 1440 + 1320, minutes: 240)], aheadOfUTC: .seconds(3600))
    let terms = FenceTerms(
      enterConfidence: 0.9, exitConfidence: 0.99, hysteresisMargin: 10, enterDwell: .seconds(5),
      exitDwell: .seconds(60), dwell: .seconds(300), notify: [.enter, .dwell], reportsInitialSide: true,
      once: true,
      expiry: UTCTime(iso8601: "2026-01-01T00:00:00Z"), activeHours: hours,
      responsiveness: .milliseconds(2500))
    #expect(file.fences.first?.terms == terms)
    #expect(file.fences.first?.properties == [:])
  }
}

extension GeoJSONFenceTests {
  @Test(arguments: [
    (#"{"type":"Feature","id":"x","properties":{"radius":5,"id":"p","name":"n"},"geometry":\#(point)}"#, "x"),
    (#"{"type":"Feature","id":7,"properties":{"radius":5},"geometry":\#(point)}"#, "7"),
    (
      #"{"type":"Feature","id":9007199254740993,"properties":{"radius":5},"geometry":\#(point)}"#,
      "9007199254740993"
    ),
    (#"{"type":"Feature","properties":{"radius":5,"id":"p","name":"n"},"geometry":\#(point)}"#, "p"),
    (#"{"type":"Feature","properties":{"radius":5,"id":12,"name":"n"},"geometry":\#(point)}"#, "12"),
    (#"{"type":"Feature","id":null,"properties":{"radius":5,"name":"n"},"geometry":\#(point)}"#, "n"),
    (#"{"type":"Feature","properties":{"radius":5},"geometry":\#(point)}"#, "fence-1"),
  ])
  func fenceIDIsTheBestNameInTheFile(text: String, id: String) {
    let file = readFences(text)
    #expect(file.problems.isEmpty)
    #expect(file.fences.map(\.id.name) == [id])
  }

  @Test func duplicateNamesAreNumberedAndStatedIDsAreRetained() {
    func feature(_ id: String?, _ name: String?) -> String {
      let stated = id.map { #""id":"\#($0)","# } ?? ""
      let named = name.map { #","name":"\#($0)""# } ?? ""
      return #"{"type":"Feature",\#(stated)"properties":{"radius":5\#(named)},"geometry":\#(point)}"#
    }
    let lines = [
      feature(nil, "home"), feature(nil, "home"), feature("home", nil), feature(nil, nil),
      feature(nil, "home"),
    ]
    let file = readFences(lines.joined(separator: "\n"))
    #expect(file.problems.isEmpty)
    #expect(file.fences.map(\.id.name) == ["home-2", "home-3", "home", "fence-4", "home-4"])
  }

  @Test(arguments: ["\n", "\r\n", "\n\u{1E}", " "])
  func separateFeaturesAreRead(separator: String) {
    let feature = #"{"type":"Feature","properties":{"radius":5},"geometry":\#(point)}"#
    let file = readFences("\u{1E}" + [feature, feature, square].joined(separator: separator) + separator)
    #expect(file.problems.isEmpty)
    #expect(file.fences.map(\.id.name) == ["fence-1", "fence-2", "fence-3"])
  }

  @Test func byteOrderMarkAndLineEndingsAreIgnored() {
    let text = featureCollection(point, #"{"radius":5}"#)
    let crlf = text.split(separator: "\n").joined(separator: "\r\n")
    #expect(readFences("\u{FEFF}" + crlf).fences == readFences(text).fences)
    #expect(readFences("\u{FEFF}" + crlf).problems.isEmpty)
  }

  @Test func memberOrderDoesNotMatter() {
    let text = """
      {"features":[{"geometry":{"coordinates":[13.4,52.5,30],"bbox":[1],"type":"Point"},"bbox":[1,2,3,4],
      "properties":{"radius":5},"type":"Feature","title":{"a":[]}}],"crs":null,"type":"FeatureCollection"}
      """
    let file = readFences(text)
    #expect(file.problems.isEmpty)
    #expect(file.fences.count == 1)
  }

  @Test func geometryCollectionIsOneArea() {
    let other = #"{"type":"Polygon","coordinates":[[[1,1],[1.1,1],[1,1.1],[1,1]]]}"#
    let file = readFences(
      featureCollection(#"{"type":"GeometryCollection","geometries":[\#(square),\#(other)]}"#))
    #expect(file.problems.isEmpty)
    guard case .multiPolygon(let multi)? = file.fences.first?.area else {
      Issue.record("no area of several polygons but \(file.fences)")
      return
    }
    #expect(multi.polygons.count == 2)
  }

  @Test func ringDirectionDoesNotMatter() throws {
    let ring = "[0,0],[0.001,0],[0.001,0.001],[0,0.001],[0,0]"
    let back = "[0,0],[0,0.001],[0.001,0.001],[0.001,0],[0,0]"
    let middle = try #require(Coordinate(latitude: 0.0005, longitude: 0.0005))
    for corners in [ring, back] {
      let file = readFences(featureCollection(#"{"type":"Polygon","coordinates":[[\#(corners)]]}"#))
      #expect(try #require(file.fences.first).area.contains(middle))
    }
  }

  @Test func longEdgesAreStraightInDegrees() throws {
    let wide = #"{"type":"Polygon","coordinates":[[[0,60],[20,60],[20,61],[0,61],[0,60]]]}"#
    let area = try #require(readFences(featureCollection(wide)).fences.first).area
    // The geodesic between the lower corners is nearly half a degree further north.
    #expect(area.contains(try #require(Coordinate(latitude: 60.01, longitude: 10))))
    #expect(!area.contains(try #require(Coordinate(latitude: 59.99, longitude: 10))))
  }

  @Test func longitudeBeyond180IsNormalized() throws {
    let across =
      #"{"type":"Polygon","coordinates":[[[179.9,0],[180.1,0],[180.1,0.1],[179.9,0.1],[179.9,0]]]}"#
    let area = try #require(readFences(featureCollection(across)).fences.first).area
    #expect(area.contains(try #require(Coordinate(latitude: 0.05, longitude: -179.95))))
    #expect(!area.contains(try #require(Coordinate(latitude: 0.05, longitude: 0))))
  }

  @Test func nullTermsAreAbsent() {
    let file = readFences(
      featureCollection(point, #"{"radius":5,"dwell":null,"name":null,"note":null,"utcOffset":"+01:00"}"#))
    #expect(file.problems.isEmpty)
    #expect(file.fences.first?.terms == FenceTerms())
    // Of no use without active hours, so it is the owner's.
    #expect(file.fences.first?.properties == ["name": .null, "note": .null, "utcOffset": .string("+01:00")])
  }

  @Test func tenThousandFencesAreRead() {
    var text = #"{"type":"FeatureCollection","features":["#
    for index in 0..<10_000 {
      text += index > 0 ? ",\n" : ""
      text += #"{"type":"Feature","id":\#(index),"properties":{"radius":50},"geometry":\#(point)}"#
    }
    let file = readFences(text + "]}")
    #expect(file.fences.count == 10_000)
    #expect(file.fences.last?.id == "9999")
  }
}
