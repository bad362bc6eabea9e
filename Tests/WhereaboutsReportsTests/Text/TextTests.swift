import Testing
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

@testable import WhereaboutsReports

@Suite struct TextTests {
  @Test(arguments: [
    (0.0, 2, "0.00"), (-0.001, 2, "0.00"), (1.005, 1, "1.0"), (-3.25, 1, "-3.3"), (12, 0, "12"),
    (0.96, 1, "1.0"),
    (48.1172999, 7, "48.1172999"), (1e300, 2, "1e+300"), (.nan, 1, "nan"), (999.9996, 3, "1000.000"),
  ])
  func numbersAreRoundedToPlaces(value: Double, places: Int, text: String) {
    #expect(value.fixed(places) == text)
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567")])
  func thousandsAreSeparated(number: Int, text: String) {
    #expect(number.grouped == text)
  }

  @Test(arguments: [
    (0.0, "0.0 m"), (4.24, "4.2 m"), (9.94, "9.9 m"), (9.97, "10 m"), (35.4, "35 m"), (999.4, "999 m"),
    (999.6, "1.00 km"),
    (12_345, "12.35 km"), (123_456, "123.5 km"), (1_234_567, "1,235 km"),
  ])
  func lengthIsFormattedInSuitableUnit(metres: Double, text: String) {
    #expect(Quantities.length(metres) == text)
  }

  @Test(arguments: [
    (0.0, "0 s"), (0.4, "0.40 s"), (2.5, "2.5 s"), (12.4, "12 s"), (59.6, "1 min 00 s"), (245, "4 min 05 s"),
    (3720, "1 h 02 min"), (100_000, "1 d 3 h"), (-5, "-5 s"),
  ])
  func durationIsFormattedInSuitableUnits(seconds: Double, text: String) {
    #expect(Quantities.duration(seconds) == text)
  }

  @Test func templateIsFilledFromFix() throws {
    var fix = try sampleFix()
    fix.speed = 13.888
    fix.mode = .threeD
    let template = try FixTemplate(
      #"{time}\t{lat} {lon:3} {{x}} {speed:1}|{hacc}|{mode}\n{source} {simulated}\\"#)
    var bytes: [UInt8] = []
    template.render(fix, into: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "2024-05-14T08:00:00.000Z\t48.8584000 2.295 {x} 13.9|-|3\nnmea measured\\")
  }

  @Test func everyKeyOfTheJSONFormIsAPlaceholder() throws {
    for key in Fix.CodingKeys.allCases { _ = try FixTemplate("{\(key.rawValue)}") }
  }

  @Test(arguments: [
    ("{nope}", FixTemplate.ParseError.unknownPlaceholder("nope")), ("{lat", .unclosedBrace),
    ("a}", .strayBrace),
    (#"\q"#, .unknownEscape("q")), ("{time:3}", .badPlaces("time:3")), ("{lat:10}", .badPlaces("lat:10")),
    ("{}", .unknownPlaceholder("")), ("{LAT}", .unknownPlaceholder("LAT")),
  ])
  func invalidTemplateIsRejected(text: String, mistake: FixTemplate.ParseError) {
    #expect(throws: mistake) { try FixTemplate(text) }
  }

  @Test func unknownPlaceholderListsKnownOnes() {
    let text = FixTemplate.ParseError.unknownPlaceholder("nope").explanation
    #expect(text.contains("{nope}") && text.contains("lat lon") && text.contains("hacc"))
  }

  @Test func problemsAreCountedAndFirstFewLocated() {
    var log = ProblemLog()
    for line in 1...9 { log.report(.wrongChecksum, line: line, byteOffset: line * 10, "a checksum") }
    log.report(.tooLong, line: 20, byteOffset: 200, "82 bytes")
    #expect(
      ProblemReport.lines(log, of: "x.nmea") == [
        "x.nmea: 10 problems, passed over", "  9 × wrong checksum", "      line 1, byte 10: a checksum",
        "      line 2, byte 20: a checksum", "      line 3, byte 30: a checksum", "      …", "  1 × too long",
        "      line 20, byte 200: 82 bytes",
      ])
    #expect(ProblemReport.counts(log) == "9 wrong checksum, 1 too long")
    #expect(ProblemReport.lines(ProblemLog(), of: "x").isEmpty)
  }

  private func sampleFix() throws -> Fix {
    Fix(
      coordinate: try #require(Coordinate(latitude: 48.8584, longitude: 2.2945)),
      time: UTCTime(iso8601: "2024-05-14T08:00:00Z"), source: .nmea)
  }
}
