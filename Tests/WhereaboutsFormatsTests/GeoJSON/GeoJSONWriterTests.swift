import EngineTestSupport
import Foundation
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsFormats

@Suite struct GeoJSONWriterTests {
  private func written(_ elements: [RecordingElement], style: GeoJSONWriter.Style = .lines) -> String {
    var bytes: [UInt8] = []
    var writer = GeoJSONWriter(style: style)
    for element in elements { writer.write(element, to: &bytes) }
    writer.finish(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func fix(_ latitude: Double, _ longitude: Double, _ second: Int? = nil) throws -> RecordingElement {
    .fix(
      Fix(
        coordinate: try place(latitude, longitude),
        time: second.flatMap { UTCTime(CivilTime(year: 2024, month: 3, day: 1, second: $0)) }, source: .gpx))
  }

  @Test func eachSegmentIsOneLine() throws {
    var high = Fix(coordinate: try place(5, 6), time: nil, source: .gpx)
    high.heightAboveEllipsoid = 7.5
    high.heightAboveGeoid = 1
    #expect(
      try written([
        .waypoint(Waypoint(coordinate: place(9, 8), name: "A \"B\"\n", heightAboveGeoid: 3)),
        .routeBegan(name: "R"), .routePoint(Waypoint(coordinate: place(1, 1))),
        .routePoint(Waypoint(coordinate: place(2, 2))),
        .trackBegan(name: "T"), .segmentBegan, fix(1, 2, 1), fix(3, 4, 2), .fix(high), .segmentBegan,
        .segmentBegan, fix(7, 8, 3), .trackBegan(name: nil), fix(1, 2), fix(1, 3),
      ]) == """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","geometry":{"type":"Point","coordinates":[8,9]},\
        "properties":{"kind":"place","name":"A \\"B\\"\\n","alt":3}},
        {"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,1],[2,2]]},\
        "properties":{"kind":"route","name":"R","points":2}},
        {"type":"Feature","geometry":{"type":"LineString","coordinates":[[2,1],[4,3],[6,5,7.5]]},\
        "properties":{"kind":"track","name":"T","begin":"2024-03-01T00:00:01.000Z","points":3,\
        "coordTimes":["2024-03-01T00:00:01.000Z","2024-03-01T00:00:02.000Z",null]}},
        {"type":"Feature","geometry":{"type":"Point","coordinates":[8,7]},\
        "properties":{"kind":"track","name":"T","begin":"2024-03-01T00:00:03.000Z","end":"2024-03-01T00:00:03.000Z","points":1}},
        {"type":"Feature","geometry":{"type":"LineString","coordinates":[[2,1],[3,1]]},\
        "properties":{"kind":"track","points":2}}
        ]}

        """)
  }

  @Test func lineIsCutAtTheAntimeridian() throws {
    #expect(
      try written([fix(10, 178), fix(10, 179), fix(13, -178), fix(14, -177)]) == """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","geometry":{"type":"LineString","coordinates":[[178,10],[179,10],[180,11]]},\
        "properties":{"kind":"track","points":2}},
        {"type":"Feature","geometry":{"type":"LineString","coordinates":[[-180,11],[-178,13],[-177,14]]},\
        "properties":{"kind":"track","points":2}}
        ]}

        """)
  }

  /// Programs for animated maps read the times, and nothing is made up where a line is cut.
  @Test func timesOfATrackAreReadAsWritten() throws {
    let fixes = try [178, 179.5, -179.5, -178, 179].enumerated().map { second, longitude in
      Fix(
        coordinate: try place(10 + Double(second), longitude),
        time: UTCTime(nanosecondsSince1970: 1_709_251_200_123_456_789 + Int64(second) * 1_000_000_000),
        source: .geoJSON)
    }
    var decoder = GeoJSONDecoder()
    let batch = decoder.decodeAll(Array(written(fixes.map { .fix($0) }).utf8))
    #expect(batch.fixes == fixes && batch.problems == ProblemLog())
  }

  /// Neither is a position of a cut made a fix, nor is a fix on the antimeridian lost.
  @Test func linesWithoutTimesAreReadAsWritten() throws {
    let places = try [178, 180, -180, -179, 179, 180].map { try place(1, $0) }
    let fixes = places.map { Fix(coordinate: $0, time: nil, source: .geoJSON) }
    var decoder = GeoJSONDecoder()
    #expect(decoder.decodeAll(Array(written(fixes.map { .fix($0) }).utf8)).fixes == fixes)
    let points = [0, 3, 4].map { RecordingElement.routePoint(Waypoint(coordinate: places[$0])) }
    let route = RecordingElement.routeBegan(name: "R")
    decoder = GeoJSONDecoder()
    let read = decoder.decodeAll(Array(written([route] + points).utf8)).elements
    #expect(read == [route, points[0], route, points[1], route, points[2]])
  }

  @Test func untimedEndOfAForeignLineIsAFix() {
    let text = #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[179,1],[180,1]]},"#
    var decoder = GeoJSONDecoder()
    let times = #""properties":{"coordTimes":["2024-03-01T00:00:01Z",null]}}"#
    #expect(decoder.decodeAll(Array((text + times).utf8)).fixes.count == 2)
  }

  /// A reader holds a whole feature.
  @Test func longSegmentIsDivided() throws {
    let count = GeoJSONWriter.maximumSegment + 1
    let text = written(Array(repeating: try fix(10, 100, 1), count: count))
    var decoder = GeoJSONDecoder()
    let batch = decoder.decodeAll(Array(text.utf8))
    #expect(batch.fixes.count == count && batch.problems == ProblemLog())
    #expect(batch.elements.count { $0 == .trackBegan(name: nil) } == 2)
    #expect(batch.fixes.last?.time == batch.fixes.first?.time && batch.fixes.last?.time != nil)
  }

  @Test func fixOnTheAntimeridianIsValid() throws {
    let text = try written([fix(10, 180), fix(11, -180), fix(12, -180), fix(13, 180)])
    #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is NSDictionary)
  }

  /// The third number of a position is a height above the ellipsoid.
  @Test func heightsAboveTheGeoidAreCounted() throws {
    var fix = Fix(coordinate: try place(1, 2), time: nil, source: .gpx)
    var bytes: [UInt8] = []
    var writer = GeoJSONWriter()
    fix.heightAboveGeoid = 30
    writer.write(.fix(fix), to: &bytes)
    #expect(writer.omissions[.geoidalHeight] == 1)
    fix.heightAboveEllipsoid = 75
    writer.write(.fix(fix), to: &bytes)
    fix.heightAboveGeoid = nil
    writer.write(.fix(fix), to: &bytes)
    #expect(writer.omissions[.geoidalHeight] == 2 && writer.omissions[.ellipsoidalHeight] == 0)
  }

  @Test func pointStyleWritesAllFieldsOfEachFix() throws {
    #expect(
      try written([.trackBegan(name: "T"), fix(1, 2, 5)], style: .points) == """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},\
        "properties":{"time":"2024-03-01T00:00:05.000Z","lat":1,"lon":2,"source":"gpx"}}
        ]}

        """)
  }

  @Test func emptyCollectionIsComplete() throws {
    for style in [GeoJSONWriter.Style.lines, .points] {
      #expect(
        written([.trackBegan(name: "T"), .segmentBegan], style: style)
          == "{\"type\":\"FeatureCollection\",\"features\":[\n]}\n")
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>, [GeoJSONWriter.Style.lines, .points])
  func anyElementIsWrittenAsValidJSON(seed: UInt64, style: GeoJSONWriter.Style) throws {
    var random = SeededGenerator(seed: seed)
    var elements: [RecordingElement] = []
    var fixes = 0
    for _ in 0..<60 {
      switch Int.random(in: 0..<9, using: &random) {
      case 0: elements.append(.segmentBegan)
      case 1: elements.append(.trackBegan(name: "\u{1}\u{1F}\\\"/é\u{7F}"))
      case 2: elements.append(.routeBegan(name: nil))
      case 3: elements.append(.routePoint(Waypoint(coordinate: random.fix().coordinate)))
      case 4: elements.append(.waypoint(Waypoint(coordinate: random.fix().coordinate, name: "\0")))
      default:
        elements.append(.fix(random.fix()))
        fixes += 1
      }
    }
    let object = try JSONSerialization.jsonObject(with: Data(written(elements, style: style).utf8))
    let features = try #require((object as? [String: Any])?["features"] as? [[String: Any]])
    var points = 0
    for feature in features {
      let geometry = try #require(feature["geometry"] as? [String: Any])
      let properties = try #require(feature["properties"] as? [String: Any])
      #expect(feature["type"] as? String == "Feature")
      if let line = geometry["coordinates"] as? [[Double]] {
        #expect(geometry["type"] as? String == "LineString" && line.count >= 2)
        #expect(line.allSatisfy { (-180...180).contains($0[0]) && (-90...90).contains($0[1]) })
        #expect(zip(line, line.dropFirst()).allSatisfy { abs($0[0] - $1[0]) <= 180 })
      }
      let isTrack = style == .points || properties["kind"] as? String == "track"
      points += isTrack ? properties["points"] as? Int ?? 1 : 0
    }
    #expect(points == fixes)
  }
}
