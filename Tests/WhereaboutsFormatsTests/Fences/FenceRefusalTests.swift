import Testing
import WhereaboutsModel
import WhereaboutsFormats

@Suite struct FenceRefusalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let geometry: String
    let properties: String
    let kind: FenceFileProblem.Kind
    /// The start of the reported place.
    let at: String
    /// A part of the reason.
    let reason: String

    init(
      _ geometry: String, _ properties: String, _ kind: FenceFileProblem.Kind, at: String,
      _ reason: String
    ) {
      self.geometry = geometry
      self.properties = properties
      self.kind = kind
      self.at = at
      self.reason = reason
    }

    init(_ geometry: String, _ kind: FenceFileProblem.Kind, at: String, _ reason: String) {
      self.init(geometry, "{}", kind, at: at, reason)
    }

    var testDescription: String { "\(kind): \(reason)" }
  }

  static func ring(_ corners: String) -> String { #"{"type":"Polygon","coordinates":[[\#(corners)]]}"# }

  static let cases = [
    Case(point, .missing, at: #"{"type":"Point""#, "without radius"),
    Case(point, #"{"radius":0}"#, .badValue, at: "0}", "radius is not more than 0"),
    Case(point, #"{"radius":-5}"#, .badValue, at: "-5", "radius is not more than 0"),
    Case(point, #"{"radius":1e9}"#, .badValue, at: "1e9", "radius is not more than 0"),
    Case(point, #"{"radius":1e999}"#, .badValue, at: "1e999", "radius is no number"),
    Case(point, #"{"radius":NaN}"#, .badValue, at: "NaN", "radius is no number"),
    Case(point, #"{"radius":"50"}"#, .badValue, at: #""50""#, "radius is no number"),
    Case(
      #"{"type":"LineString","coordinates":[[0,0],[1,1]]}"#, .missing, at: #"{"type":"Line"#, "without width"),
    Case(
      #"{"type":"LineString","coordinates":[[0,0],[1,1]]}"#, #"{"width":-1}"#, .badValue, at: "-1",
      "width is not more than 0"),
    Case(
      #"{"type":"LineString","coordinates":[[0,0]]}"#, #"{"width":1}"#, .badGeometry, at: #"{"type":"Line"#,
      "fewer than two different places"),
    Case("null", .missing, at: #"{"type":"Feature""#, "its geometry is null"),
    Case(#"{"type":"Polygon"}"#, .missing, at: #"{"type":"Polygon"}"#, "without coordinates"),
    Case(#"{"type":"Polygon","coordinates":[]}"#, .missing, at: #"{"type":"Poly"#, "without rings"),
    Case(ring("[0,0],[1,0],[1,1],[0,1]"), .badGeometry, at: "[[0,0],[1,0]", "a ring is open"),
    Case(ring("[0,0],[1,0],[0,0]"), .badGeometry, at: "[[0,0],[1,0]", "fewer than four positions"),
    Case(ring("[0,0],[1,0],[1,0],[0,0]"), .badGeometry, at: #"{"type":"Poly"#, "fewer than three different"),
    Case(
      ring("[0,0],[0.04,0.04],[0.04,0],[0.03,0.05],[0,0]"), .badGeometry, at: "[0.04,0.04]",
      "a ring crosses itself"),
    Case(
      ring("[0,0],[0.01,0],[0.01,0.01],[0,0]],[[1,1],[1.01,1],[1.01,1.01],[1,1]"), .badGeometry,
      at: "[1.01,1.01]", "a hole is not inside its polygon"),
    Case(
      ring("[0,0],[0.04,0],[0.04,0.04],[0,0.04],[0,0]],[[0.02,0.01],[0.05,0.02],[0.02,0.03],[0.02,0.01]"),
      .badGeometry, at: "[0.05,0.02]", "two rings cross or overlap"),
    Case(ring("[0,0],[1,0],[1,91],[0,0]"), .badCoordinate, at: "[1,91]", "the latitude is out of range"),
    Case(ring("[0,0],[1,0],[999,1],[0,0]"), .badCoordinate, at: "[999,1]", "the longitude is out of range"),
    Case(ring("[0,0],[1,0],[1,NaN],[0,0]"), .badCoordinate, at: "NaN", "no number"),
    Case(ring("[0,0],[1,0],[1,1e400],[0,0]"), .badCoordinate, at: "1e400", "no number"),
    Case(ring(#"[0,0],[1,0],["1",1],[0,0]"#), .malformed, at: #"["1",1]"#, "not an array of longitude"),
    Case(ring("[0,0],[1],[1,1],[0,0]"), .malformed, at: "[1],", "not an array of longitude"),
    Case(ring("[0,0],null,[1,1],[0,0]"), .malformed, at: "null,[1", "not an array of longitude"),
    Case(#"{"type":"Polygon","coordinates":[[0,0],[1,1]]}"#, .malformed, at: "0,0],[1,1]]}", "not an array"),
    Case(#"{"type":"Point","coordinates":{"a":1}}"#, .malformed, at: #"{"a":1}"#, "not an array"),
    Case(
      #"{"type":"MultiPoint","coordinates":[[0,0],[1,1]]}"#, .unsupported, at: #"{"type":"Multi"#,
      "several points"),
    Case(
      #"{"type":"MultiLineString","coordinates":[[[0,0],[1,1]],[[2,2],[3,3]]]}"#, .unsupported,
      at: #"{"type":"Multi"#, "several lines"),
    Case(
      #"{"type":"GeometryCollection","geometries":[\#(point),\#(square)]}"#, .unsupported,
      at: #"{"type":"GeometryC"#, "points, lines and polygons together"),
    Case(#"{"type":"GeometryCollection","geometries":[]}"#, .missing, at: #"{"type":"GeometryC"#, "empty"),
    Case(#"{"type":"Circle","coordinates":[0,0]}"#, .unsupported, at: #""Circle""#, "no circles"),
    Case(#"{"type":"Curve","coordinates":[0,0]}"#, .unsupported, at: #""Curve""#, "does not have"),
    Case(square, #"{"enterConfidence":95}"#, .badValue, at: "95}", "enterConfidence is not in 0.5"),
    Case(square, #"{"exitConfidence":"high"}"#, .badValue, at: #""high""#, "exitConfidence is no number"),
    Case(square, #"{"hysteresisMargin":-1}"#, .badValue, at: "-1", "hysteresisMargin is not in"),
    Case(square, #"{"dwell":-3}"#, .badValue, at: "-3", "dwell is no length of time"),
    Case(square, #"{"enterDwell":"P1M"}"#, .badValue, at: #""P1M""#, "enterDwell is no length of time"),
    Case(square, #"{"exitDwell":1e300}"#, .badValue, at: "1e300", "exitDwell is no length of time"),
    Case(square, #"{"exitDwell":99999999999999999999}"#, .badValue, at: "9999", "exitDwell is no"),
    Case(square, #"{"responsiveness":true}"#, .badValue, at: "true", "responsiveness is no"),
    Case(square, #"{"notify":["leave"]}"#, .badValue, at: #"["leave"]"#, "enter, exit and dwell"),
    Case(square, #"{"notify":[1]}"#, .badValue, at: "[1]", "notify is neither text"),
    Case(square, #"{"notify":" , "}"#, .badValue, at: #"" , ""#, "notify is an empty text"),
    Case(square, #"{"activeHours":"; "}"#, .badValue, at: #""; ""#, "activeHours is an empty text"),
    Case(square, #"{"once":"yes"}"#, .badValue, at: #""yes""#, "once is neither true nor false"),
    Case(square, #"{"reportsInitialSide":1}"#, .badValue, at: "1}", "reportsInitialSide is neither"),
    Case(square, #"{"expiry":"tomorrow"}"#, .badValue, at: #""tomorrow""#, "expiry is no RFC 3339"),
    Case(square, #"{"activeHours":["Mon 9-5"]}"#, .badValue, at: #"["Mon"#, "activeHours is nothing like"),
    Case(
      square, #"{"activeHours":"24/7","utcOffset":"CET"}"#, .badValue, at: #""CET""#, "utcOffset is no offset"
    ),
  ]

  @Test(arguments: cases) func invalidFeatureIsRefusedWithItsLocationAndOthersAreRead(_ wrong: Case) throws {
    let bad =
      #"{"type":"Feature","id":"bad","properties":\#(wrong.properties),"geometry":\#(wrong.geometry)}"#
    let good = #"{"type":"Feature","id":"good","properties":{},"geometry":\#(square)}"#
    let text = """
      {"type":"FeatureCollection","features":[
      \(good),
        \(bad),
      \(good.replacing("good", with: "later"))
      ]}
      """
    let file = readFences(text)
    #expect(file.fences.map(\.id.name) == ["good", "later"])
    let problem = try #require(file.problems.first)
    #expect(file.problems.count == 1)
    #expect(problem.kind == wrong.kind)
    #expect(problem.feature == 2)
    #expect(problem.id == "bad")
    #expect(problem.line == 3)
    let rest = String(decoding: Array(text.utf8)[problem.byteOffset...], as: UTF8.self)
    #expect(rest.hasPrefix(wrong.at), "\(rest.prefix(40))")
    #expect(problem.detail.contains(wrong.reason), "\(problem.detail)")
    // The column counts characters from 1, and the line stands alone here.
    let lineStart = Array(text.utf8)[..<problem.byteOffset].lastIndex(of: 10).map { $0 + 1 } ?? 0
    #expect(problem.column == problem.byteOffset - lineStart + 1)
  }

  /// The server names fences in paths, in which these ids are lost.
  @Test(arguments: ["", ".", ".."]) func idThatNoPathNamesIsRefused(_ id: String) {
    let feature = #"{"type":"Feature","id":"\#(id)","properties":{},"geometry":\#(square)}"#
    let file = readFences(feature)
    #expect(file.fences.isEmpty)
    #expect(file.problems.map(\.kind) == [.badValue])
    #expect(file.problems.first?.description.contains("feature 1: the id \"\(id)\"") == true)
    // A name is the id only where it can be one.
    let named = #"{"type":"Feature","properties":{"name":"\#(id)"},"geometry":\#(square)}"#
    #expect(readFences(named).fences.map(\.id.name) == ["fence-1"])
  }

  @Test func duplicateFenceIDIsRefused() {
    let first = #"{"type":"Feature","id":"ä","properties":{},"geometry":\#(square)}"#
    let second = #"{"type":"Feature","geometry":\#(square),"id":"ä"}"#
    let file = readFences(#"{"type":"FeatureCollection","features":[\#(first),"# + "\n" + second + "]}")
    #expect(file.fences.count == 1)
    #expect(file.problems.map(\.kind) == [.duplicate])
    #expect(file.problems.first?.line == 2)
    #expect(
      file.problems.first?.description
        == "line 2, column \(second.count - 3): fence \"ä\": another fence before it has the same id")
  }

  @Test(arguments: [
    (#"{"type":"Feature","id":{"a":1},"geometry":null}"#, "id is neither text nor a number"),
    (#"{"type":"Feature","properties":[1],"geometry":\#(square)}"#, "properties is no object"),
    (#"{"type":"Feature","geometry":[1]}"#, "geometry is no object"),
    (#"{"type":"Feature"}"#, "no geometry"),
    (#"{"type":5}"#, "no text"),
    (#"{"a":5}"#, "without type"),
    (#"{"lat":5,"lon":6,"acc":5}"#, "a fix of a recording"),
    ("[1,2]", "not an object"),
    ("{", "the file ends here"),
  ])
  func invalidFilesAreRefusedWithAReason(text: String, reason: String) throws {
    let file = readFences(text)
    #expect(file.fences.isEmpty)
    #expect(file.problems.count == 1)
    #expect(try #require(file.problems.first).detail.contains(reason), "\(file.problems)")
  }

  @Test func readingContinuesAfterAMalformedFeature() {
    let good = #"{"type":"Feature","properties":{},"geometry":\#(square)}"#
    for bad in [
      #"{"type":"Feature","properties":{,},"geometry":null}"#, #"{"type":"Feature","id":"x"#,
      #"{"type":"Feature""#,
      "[1,2,3", #"{"type":"Feature","properties":{"a":[}}"#,
    ] {
      let file = readFences(
        "{\"type\":\"FeatureCollection\",\"features\":[\n\(good),\n\(bad),\n\(good),\n\(good)\n]}\n")
      #expect(file.fences.count == 3, "\(bad)")
      #expect(file.problems.map(\.kind) == [.malformed], "\(bad): \(file.problems)")
      #expect(file.problems.first.map { $0.line >= 3 } == true)
      // A file of lines as well.
      let lines = readFences("\(good)\n\(bad)\n\(good)\n")
      #expect(lines.fences.count == 2, "\(bad)")
      #expect(lines.problems.map(\.kind) == [.malformed], "\(bad): \(lines.problems)")
    }
  }

  @Test func truncatedFileYieldsItsCompleteFeatures() {
    let text = Array(featureCollection(point, #"{"radius":5}"#).utf8)
    for end in 0..<text.count {
      let file = FenceReader().read(Array(text[..<end]))
      #expect(file.fences.count <= 1)
      #expect(end == 0 ? file.problems.count == 1 : !file.problems.isEmpty || end >= text.count - 1, "\(end)")
    }
  }

  @Test(arguments: [
    ("$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n", "NMEA"),
    ("time,lat,lon\n2026-01-01T00:00:00Z,1,2\n", "CSV"), ("", "empty"), (" \n ", "empty"),
    ("PK\u{3}\u{4}…", "KMZ"),
    ("hello", "neither GeoJSON nor KML nor GPX"),
    (#"{"time":"2026-01-01T00:00:00Z","lat":1,"lon":2}"#, "a fix of a recording"),
    (#"<gpx><trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>"#, "a recorded track"),
  ])
  func recordingIsRecognisedAsNotFences(text: String, reason: String) throws {
    let file = readFences(text)
    #expect(file.fences.isEmpty)
    let problem = try #require(file.problems.first)
    #expect(problem.kind == .notFences)
    #expect(problem.detail.contains(reason))
  }

  @Test func deepNestingIsRefused() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(readFences(featureCollection(#"{"type":"Polygon","coordinates":\#(deep)"#)).fences.isEmpty)
    let nested = String(repeating: #"{"type":"GeometryCollection","geometries":["#, count: 20)
    let closed = nested + square + String(repeating: "]}", count: 20)
    let file = readFences(featureCollection(closed))
    #expect(file.fences.isEmpty)
    #expect(file.problems.first?.detail == "collections nested more than 8 deep")
    let objects = String(repeating: #"{"a":"#, count: 70) + "1" + String(repeating: "}", count: 70)
    #expect(readFences(featureCollection(square, objects)).problems.count == 1)
  }

  @Test(
    arguments: [
      (
        #"{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}}"#,
        "crs is urn:ogc:def:crs:EPSG::3857"
      ),
      (#"{"type":"EPSG","properties":{"code":25832}}"#, "crs is EPSG:25832"),
      (#"{"type":"link","properties":{"href":"x"}}"#, "crs has no name"), ("3", "crs has no name"),
    ])
  func otherReferenceSystemIsRefused(crs: String, detail: String) throws {
    let feature =
      #"{"type":"Feature","id":"a","geometry":{"type":"Polygon","coordinates":[[[0,51],[0.01,51],[0.01,51.01],[0,51]]]}"#
    let texts = [
      #"{"type":"FeatureCollection","crs":\#(crs),"features":[\#(feature)}]}"#,
      #"{"type":"FeatureCollection","features":[\#(feature)}],"crs":\#(crs)}"#,
      #"\#(feature),"crs":\#(crs)}"#,
    ]
    for text in texts {
      let file = FenceReader().read(Array(text.utf8))
      #expect(file.fences.isEmpty)
      let problem = try #require(file.problems.first)
      #expect(problem.kind == .unsupported && problem.detail.hasPrefix(detail), "\(problem)")
    }
  }

  @Test(arguments: [
    "null", #"{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}}"#,
    #"{"type":"name","properties":{"x":[1],"name":"EPSG:4326"}}"#,
  ])
  func wgs84IsAccepted(crs: String) {
    let text =
      #"{"type":"FeatureCollection","crs":\#(crs),"features":[{"type":"Feature","geometry":{"type":"Polygon","#
      + #""coordinates":[[[0,51],[0.01,51],[0.01,51.01],[0,51]]]}}]}"#
    let file = FenceReader().read(Array(text.utf8))
    #expect(file.fences.count == 1 && file.problems.isEmpty)
  }
}
