import WhereaboutsModel
import EngineTestSupport
import Testing

import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsTesting

@Suite struct WhereaboutsPhoneTests {
  typealias Sample = PhoneSamples

  private static let line =
    #"{"time":"2024-05-14T08:26:40.000Z","lat":51.5,"lon":-0.1,"hacc":4.5,"track":90,"source":"gpsd","simulated":true}"#
  private static let text = "51.5,-0.1 2024-05-14T08:26:40.000Z hacc=4.5 course=90.0 simulated"

  @Test(
    arguments: [
      (line, text), ("\(line)\r\n\n\(line)\n", "\(text); \(text)"),
      // The outcome of `now --json`.
      (#"{"outcome":"reached","level":"house","age":0.5,"fix":\#(line)}"#, text),
      (#"{"lat":51.5,"lon":-0.1,"hacc":0}"#, "51.5,-0.1 arrival=2024-05-14T08:30:00.000Z hacc=0.0"),
      (
        #"{"lat":51.5,"lon":-0.1,"track":400,"hacc":-1,"speed":-3}"#,
        "51.5,-0.1 arrival=2024-05-14T08:30:00.000Z"
      ),
      (#"{"lat":51.5}"#, "something required is missing: no lat or no lon"),
      (#"{"lat":51.5,"lon":"x"}"#, "bad number: a member is not a number in its range"),
      (#"{"lat":95,"lon":1}"#, "bad coordinate: lat or lon out of range"),
      (
        "x\n\(line)\n{\n\(line)",
        "\(text); \(text); not well formed: not a JSON object; ends in the middle: the JSON ends in the middle"
      ),
      ("", ""),
    ] as [(String, String)])
  func linesAreRead(_ body: String, _ expected: String) {
    #expect(Sample.fix(.whereabouts, body) == expected)
  }

  private static let location =
    #"{"timestamp":"2024-05-14T08:26:40.000Z","is_moving":true,"coords":{"latitude":51.5,"longitude":-0.1,"speed":-1}}"#
  private static let place = "51.5,-0.1 2024-05-14T08:26:40.000Z"

  @Test(
    arguments: [
      (#"{"location":\#(location)}"#, place),
      (#"{"location":[\#(location),\#(location)]}"#, "\(place); \(place)"),
      (location, place), ("[\(location),\n\(location)]", "\(place); \(place)"),
      ("[\(location),{}]", "\(place); something required is missing: no lat or no lon"),
      ("{\n\"location\":\n\(location)\n}\n", place),
    ] as [(String, String)])
  func locationsOfTransistorsoftAreRead(_ body: String, _ expected: String) {
    #expect(Sample.fix(.whereabouts, body) == expected)
  }

  /// A program may add what it knows of a place to our own form.
  @Test(arguments: [#""location":{"city":"Rome"}"#, #""coords":{"x":1}"#, #""location":[0,51]"#])
  func fixWithMembersOfOtherFormsIsAFix(_ member: String) {
    let line = "\(Self.line.dropLast()),\(member)}"
    #expect(Sample.fix(.whereabouts, line) == Self.text)
    #expect(Sample.fix(.whereabouts, "\(line)\n\(Self.line)") == "\(Self.text); \(Self.text)")
  }

  @Test func batchInEachLineIsNotLostSilently() {
    let body = "{\"location\":[\(Self.location)]}\n"
    let report = Sample.report(.whereabouts, body + body)
    #expect(report.fixes.isEmpty && report.rejectionCount == 2)
  }

  @Test(arguments: ["device", "device_id"]) func eachLocationBelongsToItsDevice(_ name: String) {
    let rows = ["anna", "ben"].map { "{\"\(name)\":\"\($0)\",\"location\":\(Self.location)}" }
    for body in ["[\(rows.joined(separator: ","))]", rows.joined(separator: "\n")] {
      #expect(Sample.report(.whereabouts, body).fixes.map(\.device) == ["anna", "ben"])
    }
  }

  @Test func arrayOfFixesIsRead() {
    #expect(Sample.fix(.whereabouts, "[\(Self.line),\n \(Self.line)]") == "\(Self.text); \(Self.text)")
  }

  @Test func sourceIsRetained() {
    #expect(Sample.report(.whereabouts, Self.line).fixes.map(\.fix.source) == [.gpsd])
  }

  @Test func eventsAreTransitions() throws {
    let event =
      #"{"fence":"home","event":"dwell","time":"2024-05-14T08:26:40Z","lat":51.5,"lon":-0.1,"name":"Home"}"#
    let transition = try #require(Sample.report(.whereabouts, event).transitions.first)
    #expect(transition.kind == .dwell && transition.regionID == "home" && transition.name == "Home")
    #expect(transition.coordinate == Coordinate(latitude: 51.5, longitude: -0.1))
    #expect(Sample.report(.whereabouts, #"{"fence":"home","event":"x"}"#).rejectionCount == 1)
  }

  @Test func replyCountsRows() {
    let report = Sample.report(.whereabouts, "\(Self.line)\nx\n\(Self.line)")
    #expect(report.acceptance().text == #"{"result":"ok","fixes":2,"rejected":1}"#)
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>) func everyFixRoundTripsUnchanged(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let fixes = (0..<20).map { _ in random.fix() }
    var writer = JSONLinesWriter()
    var bytes: [UInt8] = []
    for fix in fixes { writer.write(.fix(fix), to: &bytes) }
    let report = PhoneDialect.whereabouts.report(from: PhoneRequest(body: bytes, arrival: Sample.arrival))
    #expect(report.fixes.map(\.fix) == fixes, "seed \(seed)")
    #expect(report.rejectionCount == 0 && report.ignoredValueCount == 0, "seed \(seed)")
  }
}
