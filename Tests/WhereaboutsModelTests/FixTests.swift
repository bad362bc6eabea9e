#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@Suite struct FixTests {
  private func fixWithAllFields() -> Fix {
    var fix = Fix.test(
      latitude: 47.25, longitude: -8.5, accuracy: 3.5,
      time: UTCTime(nanosecondsSince1970: 1_717_243_200_250_000_000), speed: 1.25, course: 0)
    fix.verticalAccuracy = 6
    fix.isAccuracyEstimated = true
    fix.heightAboveGeoid = 400
    fix.heightAboveEllipsoid = 448
    fix.speedAccuracy = 0.5
    fix.courseAccuracy = 2
    fix.climb = -0.25
    fix.mode = .threeD
    fix.solution = .rtkFloat
    fix.satellitesUsed = 9
    fix.satellitesInView = 14
    fix.horizontalDilution = 0.75
    fix.verticalDilution = 1.5
    fix.positionDilution = 1.75
    fix.floor = -2
    fix.activity = .rail
    fix.source = .nmea
    return fix
  }

  private func json(_ fix: Fix) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(fix), as: UTF8.self)
  }

  @Test func jsonFormMatchesItsDocumentation() throws {
    #expect(
      try json(fixWithAllFields()) == """
        {"activity":"rail","alt":400,"altHAE":448,"climb":-0.25,"estimated":true,"floor":-2,"hacc":3.5,"hdop":0.75,\
        "lat":47.25,"lon":-8.5,"mode":3,"pdop":1.75,"seen":14,"simulated":true,"source":"nmea","speed":1.25,"speedAcc":0.5,\
        "status":"rtk-float","time":"2024-06-01T12:00:00.250Z","track":0,"trackAcc":2,"used":9,"vacc":6,"vdop":1.5}
        """)
  }

  @Test func absentFieldsAreOmittedAndDecodedAsNil() throws {
    let bare = Fix(
      coordinate: try #require(Coordinate(latitude: 0, longitude: 0)), time: nil, source: .gpsd)
    let text = try json(bare)
    #expect(text == #"{"lat":0,"lon":0,"source":"gpsd"}"#)
    #expect(try JSONDecoder().decode(Fix.self, from: Data(text.utf8)) == bare)
  }

  @Test func everyFieldRoundTrips() throws {
    let fix = fixWithAllFields()
    #expect(try JSONDecoder().decode(Fix.self, from: Data(json(fix).utf8)) == fix)
    #expect(try json(fix).split(separator: ",").count == Fix.CodingKeys.allCases.count)
  }

  @Test(arguments: [
    #"{"lat":91,"lon":0}"#, #"{"lat":1}"#, #"{"lat":"1","lon":2}"#, #"{"lat":1,"lon":2,"time":"yesterday"}"#,
    #"{"lat":1,"lon":2,"mode":7}"#, #"{"lat":1,"lon":2,"floor":32768}"#,
  ])
  func invalidJSONIsRefused(text: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Fix.self, from: Data(text.utf8)) }
  }

  /// Other programs have members of this name, too.
  @Test(arguments: [#""Walking""#, "7", "true", "[1]", #"{"type":"walking"}"#, "null"])
  func unknownActivityIsAbsent(value: String) throws {
    let text = #"{"lat":1,"lon":2,"activity":\#(value)}"#
    #expect(try JSONDecoder().decode(Fix.self, from: Data(text.utf8)).activity == nil)
  }

  @Test func fixIsTriviallyCopyable() {
    #expect(_isPOD(Fix.self))
    #expect(MemoryLayout<Fix>.size <= 352)
  }
}
