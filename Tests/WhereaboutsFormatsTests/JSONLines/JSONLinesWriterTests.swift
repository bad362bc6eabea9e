import EngineTestSupport
import Foundation
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsFormats

@Suite struct JSONLinesWriterTests {
  private func line(_ fix: Fix) -> [UInt8] {
    var bytes: [UInt8] = []
    var writer = JSONLinesWriter()
    writer.write(fix, to: &bytes)
    return bytes
  }

  @Test func keysAreInDocumentedOrder() throws {
    var fix = Fix(
      coordinate: try #require(Coordinate(latitude: 48.117_3, longitude: -11.516_667)),
      time: UTCTime(iso8601: "2024-03-01T12:30:05.25Z"), source: .nmea, isSimulated: true)
    fix.horizontalAccuracy = 2.5
    fix.verticalAccuracy = 4
    fix.isAccuracyEstimated = true
    fix.heightAboveGeoid = 545.4
    fix.heightAboveEllipsoid = 592.3
    fix.speed = 11.5236
    fix.speedAccuracy = 0.1
    fix.course = 84.4
    fix.courseAccuracy = 3
    fix.climb = -0.5
    fix.mode = .threeD
    fix.solution = .differential
    fix.satellitesUsed = 8
    fix.satellitesInView = 12
    fix.horizontalDilution = 0.9
    fix.verticalDilution = 1.25
    fix.positionDilution = 1.5
    fix.floor = -1
    fix.activity = .cycling
    let text = String(decoding: line(fix), as: UTF8.self)
    #expect(
      text == """
        {"time":"2024-03-01T12:30:05.250Z","lat":48.1173,"lon":-11.516667,"hacc":2.5,"vacc":4,"estimated":true,\
        "alt":545.4,"altHAE":592.3,"speed":11.5236,"speedAcc":0.1,"track":84.4,"trackAcc":3,"climb":-0.5,\
        "mode":3,"status":"dgps","used":8,"seen":12,"hdop":0.9,"vdop":1.25,"pdop":1.5,"floor":-1,\
        "activity":"cycling","source":"nmea","simulated":true}

        """)
    let keys = text.matches(of: #/"(\w+)":/#).map { String($0.1) }
    #expect(keys == Fix.CodingKeys.allCases.map(\.rawValue))
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>) func linesEqualTheCodableForm(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let encoder = JSONEncoder()
    for _ in 0..<50 {
      let fix = random.fix()
      let ours = line(fix)
      #expect(try JSONDecoder().decode(Fix.self, from: Data(ours)) == fix)
      let object = try #require(try JSONSerialization.jsonObject(with: Data(ours)) as? NSDictionary)
      let codable = try #require(
        try JSONSerialization.jsonObject(with: encoder.encode(fix)) as? NSDictionary)
      #expect(object == codable)
      #expect(ours.filter { $0 == UInt8(ascii: "\n") }.count == 1 && ours.last == UInt8(ascii: "\n"))
    }
  }

  @Test func nonFiniteNumbersAreOmitted() throws {
    var fix = Fix(
      coordinate: try #require(Coordinate(latitude: 0, longitude: 0)), time: nil, source: .scripted)
    fix.speed = .nan
    fix.horizontalAccuracy = .infinity
    fix.horizontalDilution = -.infinity
    #expect(line(fix) == Array("{\"lat\":0,\"lon\":0,\"source\":\"scripted\"}\n".utf8))
  }

  @Test func kindTextsAreRawValues() {
    for source in Fix.SourceKind.allCases { #expect(source.jsonText.description == source.rawValue) }
    for solution in Fix.SolutionKind.allCases { #expect(solution.jsonText.description == solution.rawValue) }
    for activity in Fix.StatedActivity.allCases {
      #expect(activity.jsonText.description == activity.rawValue)
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func everyFloatRoundTrips(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<2000 {
      let value =
        round % 2 == 0
        ? Float(bitPattern: UInt32.random(in: 0 ... .max, using: &random))
        : Float(random.decimal(in: -10000...10000, places: round % 5))
      guard value.isFinite else { continue }
      var bytes: [UInt8] = []
      bytes.appendShortest(value)
      #expect(Float(String(decoding: bytes, as: UTF8.self)) == value)
    }
  }

  @Test func floatsAreWrittenShortest() {
    for (value, text) in [
      (0.9 as Float, "0.9"), (1.25, "1.25"), (99.99, "99.99"), (0.05, "0.05"), (0.005, "0.005"),
      (-1.5, "-1.5"),
      (8555.26, "8555.26"), (0, "0"), (3, "3"),
    ] {
      var bytes: [UInt8] = []
      bytes.appendShortest(value)
      #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
  }
}
