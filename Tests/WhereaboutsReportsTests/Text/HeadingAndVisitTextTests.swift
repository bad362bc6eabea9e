import Testing
import WhereaboutsModel
import WhereaboutsGeodesy

@testable import WhereaboutsReports

@Suite struct HeadingAndVisitTextTests {
  @Test(arguments: [
    (0.0, "    0° true"), (4.1, "  4.1° true"), (359.96, "    0° true"), (359.9, "359.9° true"),
    (271.25, "271.3° true"), (90, "   90° true"),
  ])
  func headingsAreWithin360(degrees: Double, text: String) throws {
    let heading = try #require(Heading(degrees: degrees, reference: .trueNorth))
    #expect(HeadingText.line(heading) == text)
  }

  @Test func headingLineHasTimeAndAccuracy() throws {
    let time = try #require(UTCTime(iso8601: "2024-05-14T08:15:06Z"))
    let heading = try #require(Heading(degrees: 12, reference: .magneticNorth, accuracy: 2.5, time: time))
    #expect(HeadingText.line(heading) == "08:15:06     12° magnetic  ±2.5°")
    #expect(
      String(decoding: HeadingText.json(heading), as: UTF8.self)
        == #"{"time":"2024-05-14T08:15:06.000Z","heading":12,"reference":"magnetic","accuracy":2.5}"#)
  }

  @Test func visitLineReportsArrivalAndDeparture() throws {
    let arrival = try #require(UTCTime(iso8601: "2024-05-14T23:15:06Z"))
    let departure = try #require(UTCTime(iso8601: "2024-05-15T00:02:10Z"))
    var visit = Visit(
      coordinate: try #require(Coordinate(latitude: 47.5, longitude: -8.25)), accuracy: 12, arrival: arrival)
    #expect(VisitText.line(visit) == "2024-05-14 23:15:06  arrived   47.500000    -8.250000  ±12 m")
    #expect(
      String(decoding: VisitText.json(visit), as: UTF8.self)
        == #"{"event":"arrival","lat":47.5,"lon":-8.25,"hacc":12,"arrival":"2024-05-14T23:15:06.000Z"}"#)
    visit.departure = departure
    #expect(
      VisitText.line(visit)
        == "2024-05-15 00:02:10  left      47.500000    -8.250000  ±12 m     after 47 min 04 s")
    #expect(
      String(decoding: VisitText.json(visit), as: UTF8.self)
        .hasSuffix(#""arrival":"2024-05-14T23:15:06.000Z","departure":"2024-05-15T00:02:10.000Z"}"#))
  }
}
