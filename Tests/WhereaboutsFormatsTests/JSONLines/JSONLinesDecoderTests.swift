import EngineTestSupport
import Foundation
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsFormats

@Suite struct JSONLinesDecoderTests {
  private func decoded(_ text: String) -> RecordingBatch {
    var decoder = JSONLinesDecoder()
    return decoder.decodeAll(Array(text.utf8))
  }

  @Test(arguments: PropertyCases.seeds(5, of: 1...20 as ClosedRange<UInt64>)) func writtenFixesRoundTrip(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let fixes = (0..<100).map { _ in random.fix() }
    var bytes: [UInt8] = []
    var writer = JSONLinesWriter()
    for fix in fixes { writer.write(fix, to: &bytes) }
    var decoder = JSONLinesDecoder()
    let batch = decoder.decodeAll(bytes)
    #expect(batch.fixes == fixes)
    #expect(batch.problems == ProblemLog())
    expectSameResultForAnyChunking(bytes, seed: seed, splits: 2) { JSONLinesDecoder() }
  }

  /// `gpspipe -w` saves the lines of gpsd.
  @Test func linesOfGPSDAreReadAsItsReports() {
    let lines = [
      #"{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}"#,
      #"{"class":"SKY","device":"/dev/ttyACM0","hdop":1.1}"#,
      GPSDText.tpv(0, #""eph":5,"speed":2"#),
      GPSDText.tpv(0, #""eph":5,"speed":2"#),
      GPSDText.tpv(1, lat: 47.6, device: "/dev/ttyUSB1"),
      GPSDText.tpv(1, lat: 47.51),
      #"{"class":"TPV","device":"#,
    ]
    let text = lines.map { $0 + "\r\n" }.joined()
    let batch = decoded(text)
    #expect(batch.fixes.map(\.coordinate.latitude) == [47.5, 47.51])
    let first = batch.fixes.first
    #expect(first?.source == .gpsd && first?.horizontalAccuracy == 3.095 && first?.speed == 2)
    #expect(batch.skippedElements.counts.map(\.name) == ["fix of another receiver"])
    #expect(batch.problems.samples.map(\.line) == [7])
    expectSameResultForAnyChunking(Array(text.utf8), seed: 1, splits: 2) { JSONLinesDecoder() }
  }

  @Test func carriageReturnsEndLines() {
    let text = #"{"lat":1,"lon":2}|{"lat":3,"lon":x}||{"lat":5,"lon":6}"#.replacing("|", with: "\r") + "\r\n{"
    let batch = decoded(text)
    #expect(batch.fixes.map(\.coordinate.latitude) == [1, 5])
    #expect(batch.problems.samples.map(\.line) == [2, 5])
    #expect(batch.problems.samples.map(\.byteOffset) == [33, 57])
    #expect(RecordingFormat.detect(Array(text.utf8)) == .jsonLines)
    expectSameResultForAnyChunking(Array(text.utf8), seed: 1, splits: 3) { JSONLinesDecoder() }
  }

  /// A server reads the objects that programs send in this form, whatever further members they have.
  @Test func objectSentToAServerIsNoLineOfGPSD() {
    var decoder = JSONLinesDecoder()
    decoder.others = nil
    let batch = decoder.decodeAll(
      Array(#"{"class":"TPV","time":"2024-06-01T12:00:00Z","lat":1,"lon":2,"hacc":4}"#.utf8))
    #expect(batch.fixes.map(\.horizontalAccuracy) == [4] && batch.problems.total == 0)
  }

  @Test func dateOfAHeadingIsMovedWithItsReceiver() throws {
    var batch = decoded(#"{"class":"ATT","time":"2007-04-13T10:00:00Z","heading":90}"# + "\n")
    batch.correctRollover(notBefore: try #require(UTCTime(iso8601: "2020-01-01T00:00:00Z")))
    let headings = batch.elements.compactMap { if case .heading(let heading) = $0 { heading } else { nil } }
    let times = headings.map { $0.time?.iso8601 }
    #expect(times == ["2026-11-27T10:00:00.000Z"] && batch.rolloverCorrections == 0)
  }

  @Test func acceptsAllValidJSON() throws {
    let text = """
      \u{FEFF}
      \t{ "lon" : 1.1516667E1 , "extra":{"a":[1,{"b":"}\\""},[],{}],"c":null}, "lat":481173e-4,\r
       "x":"y"}
      {"\\u006cat":-0.5,"lon":0,"time":"2024-03-01T12:30:05\\u002b02:00","source":null,"alt":null}
      {"lat":2,"lat":1,"lon":3,"source":"nmea","simulated":false,"estimated":true}
      """.replacingOccurrences(of: "\r\n", with: "")
    let batch = decoded(text)
    #expect(batch.problems == ProblemLog())
    let fixes = batch.fixes
    try #require(fixes.count == 3)
    #expect(fixes[0].coordinate == Coordinate(latitude: 48.1173, longitude: 11.516667))
    #expect(fixes[1].coordinate == Coordinate(latitude: -0.5, longitude: 0))
    #expect(fixes[1].time == UTCTime(iso8601: "2024-03-01T10:30:05Z"))
    #expect(fixes[1].source == .jsonLines)
    #expect(fixes[2].coordinate == Coordinate(latitude: 2, longitude: 3))
    #expect(fixes[2].source == .nmea && fixes[2].isAccuracyEstimated && !fixes[2].isSimulated)
  }

  /// Other programs have members of this name, too.
  @Test(arguments: ["\"in_vehicle\"", "7", "true", "[1]", "{\"type\":\"walking\"}", "null"])
  func unknownActivityIsAbsent(value: String) throws {
    let batch = decoded(
      "{\"lat\":1,\"activity\":\(value),\"lon\":2}\n{\"lat\":1,\"lon\":2,\"activity\":\"rail\"}")
    #expect(batch.problems == ProblemLog() && batch.fixes.map(\.activity) == [nil, .rail])
  }

  @Test(
    arguments: [
      ("{\"lat\":1}", .missing), ("{\"lat\":null,\"lon\":2}", .missing), ("{}", .missing),
      ("{\"lat\":91,\"lon\":2}", .badCoordinate), ("{\"lat\":1,\"lon\":-180.5}", .badCoordinate),
      ("{\"lat\":\"1\",\"lon\":2}", .badNumber), ("{\"lat\":1e999,\"lon\":2}", .badNumber),
      ("{\"lat\":1,\"lon\":2,\"used\":256}", .badNumber), ("{\"lat\":1,\"lon\":2,\"mode\":1}", .badNumber),
      ("{\"lat\":1,\"lon\":2,\"hdop\":1e39}", .badNumber), ("{\"lat\":1,\"lon\":2,\"alt\":[1]}", .badNumber),
      ("{\"lat\":1,\"lon\":2,\"time\":\"yesterday\"}", .badTime),
      ("{\"lat\":1,\"lon\":2,\"time\":1709296205}", .badTime),
      ("{\"lat\":1,\"lon\":2,\"status\":\"good\"}", .malformed),
      ("{\"lat\":1,\"lon\":2,\"simulated\":1}", .malformed),
      ("[1,2]", .malformed), ("\"lat\"", .malformed), ("{\"lat\":1,\"lon\":2", .malformed),
      ("{\"lat\":1,\"lon\":2}}", .malformed), ("{\"lat\":1,\"lon\":2} {}", .malformed),
      ("{\"lat\":01,\"lon\":2}", .malformed), ("{\"lat\":+1,\"lon\":2}", .malformed),
      ("{\"lat\":1.,\"lon\":2}", .malformed), ("{\"lat\":.5,\"lon\":2}", .malformed),
      ("{\"lat\":1,\"lon\":2,}", .malformed), ("{\"lat\":1,,\"lon\":2}", .malformed),
      ("{lat:1,\"lon\":2}", .malformed), ("{\"lat\":NaN,\"lon\":2}", .malformed),
      ("{\"lat\":1,\"lon\":2,\"x\":\"\\q\"}", .malformed),
      ("{\"lat\":1,\"lon\":2,\"x\":\"\\u12g4\"}", .malformed),
      ("{\"lat\":1,\"lon\":2,\"x\":[1,{]}}", .malformed), ("{\"lat\":1,\"lon\":2,\"x\":[1}", .malformed),
      ("{\"lat\":1,\"lon\":2,\"x\":\"a\tb\"}", .malformed), ("{\"lat\":1,\"lon\":2,\"x\":tru}", .malformed),
      ("{\"lat\":1,\"lon\":2,\"x\":" + String(repeating: "[", count: 100), .malformed),
    ] as [(String, InputProblem.Kind)])
  func malformedLineIsOneProblemAndLaterLinesAreRead(line: String, kind: InputProblem.Kind) throws {
    let good = "{\"lat\":1,\"lon\":2}"
    let batch = decoded(good + "\n" + line + "\n\n" + good)
    #expect(batch.fixes.count == 2)
    #expect(batch.problems.counts == [kind: 1])
    let problem = try #require(batch.problems.samples.first)
    #expect(problem.line == 2)
    let start = good.utf8.count + 1
    #expect((start...start + line.utf8.count).contains(problem.byteOffset))
    if kind != .malformed {
      // The form that Codable reads refuses it too. (Foundation lets some malformed JSON pass, such as "{1,}".)
      #expect(throws: (any Error).self) { try JSONDecoder().decode(Fix.self, from: Data(line.utf8)) }
    }
    expectSameResultForAnyChunking(Array((good + "\n" + line + "\r\n" + good).utf8)) { JSONLinesDecoder() }
  }

  @Test func timestampIsTheTimeWhereThereIsNone() throws {
    let text = #"""
      {"timestamp":"2024-03-01T12:30:05Z","lat":1,"lon":2}
      {"lat":1,"lon":2,"time\u0073tamp":1,"timestamp":1709296205}
      {"lat":1,"lon":2,"timestamp":"2024-03-01T14:30\u003a05+02:00","time":null}
      {"lat":1,"lon":2,"timestamp" : 1709296205000 }
      {"lat":1,"lon":2,"timestamp":1.709296205e12}
      {"timestamp":1609296205,"lat":1,"lon":2,"time":"2024-03-01T12:30:05Z"}
      {"timestamp":45352.5,"lat":1,"lon":2}
      {"timestamp":{"seconds":1709296205},"lat":1,"lon":2}
      {"timestamp":"yesterday","lat":1,"lon":2}
      """#
    let batch = decoded(text)
    let time = try #require(UTCTime(iso8601: "2024-03-01T12:30:05Z"))
    #expect(batch.fixes.map(\.time) == [time, time, time, time, time, time, nil, nil, nil])
    #expect(batch.problems == ProblemLog())
    #expect(batch.elements.contains(.offset(minutes: 120, at: time)))
    expectSameResultForAnyChunking(Array(text.utf8)) { JSONLinesDecoder() }
  }

  @Test func segmentNamesAreNumbersOrText() {
    let text = """
      {"lat":1,"lon":1}
      {"lat":1,"lon":2,"segment":1,"trackName":"no track begins"}
      {"lat":1,"lon":3,"segment":"one"}
      {"lat":1,"lon":4,"trackNumber":7,"trackName":"caf\\u00e9"}
      {"lat":1,"lon":5,"trackNumber":7,"segment":{"a":1}}
      {"lat":1,"lon":6,"segment":"one"}
      """
    let elements = decoded(text).elements
    #expect(
      elements.map(\.kind) == [
        "fix", "segment", "fix", "segment", "fix", "track", "fix", "fix", "segment", "fix",
      ])
    #expect(elements.contains(.trackBegan(name: "café")))
    expectSameResultForAnyChunking(Array(text.utf8)) { JSONLinesDecoder() }
  }

  @Test func tooLongLineIsOneProblem() {
    let long = "{\"x\":\"" + String(repeating: "y", count: 100_000) + "\",\"lat\":1,\"lon\":2}\n"
    let text = "{\"lat\":1,\"lon\":2}\n" + long + long + "{\"lat\":3,\"lon\":4}\n"
    let batch = decoded(text)
    #expect(batch.fixes.count == 2)
    #expect(batch.problems.counts == [.tooLong: 2])
    #expect(batch.problems.samples.map(\.line) == [2, 3])
    expectSameResultForAnyChunking(Array(text.utf8)) { JSONLinesDecoder() }
  }

  @Test func problemsPointAtTheirMember() throws {
    let batch = decoded("{\"lat\":1,\"lon\":2}\r\n{\"lat\":1,\"time\":\"soon\",\"lon\":2}\n")
    let problem = try #require(batch.problems.samples.first)
    #expect(problem.line == 2 && problem.byteOffset == 19 + 16)
  }

  @Test(arguments: PropertyCases.seeds(20, of: 1...60 as ClosedRange<UInt64>))
  func damagedLinesAreAcceptedExactlyWhenCodableAcceptsThem(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      var bytes: [UInt8] = []
      var writer = JSONLinesWriter()
      writer.write(random.fix(), to: &bytes)
      let damaged = random.mutated(bytes.dropLast()).filter { $0 != 10 && $0 < 0x80 }
      var decoder = JSONLinesDecoder()
      let batch = decoder.decodeAll(damaged)
      expectSameResultForAnyChunking(damaged, seed: seed, splits: 1) { JSONLinesDecoder() }
      guard batch.problems.samples.first?.detail != "not a JSON object on a line" else { continue }
      guard let expected = try? JSONDecoder().decode(Fix.self, from: Data(damaged)) else { continue }
      // The decoder accepts what Codable accepts, with the same result (except the source, where none is given).
      var ours = try #require(batch.fixes.first, "seed \(seed): \(String(decoding: damaged, as: UTF8.self))")
      if ours.source == .jsonLines { ours.source = expected.source }
      #expect(ours == expected, "seed \(seed): \(String(decoding: damaged, as: UTF8.self))")
    }
  }
}
