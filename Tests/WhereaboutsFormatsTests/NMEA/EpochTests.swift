import Testing
import WhereaboutsCore
import WhereaboutsGeodesy

@testable import WhereaboutsFormats

@Suite struct EpochTests {
  @Test func sentencesOfOneInstantAreOneFix() throws {
    let text =
      sentence("GPRMC,101112.50,A,4730.00000,N,00830.00000,E,10.0,90.0,010224,,,A")
      + sentence("GPGGA,101112.50,4730.00000,N,00830.00000,E,2,08,0.9,400.0,M,48.0,M,,")
      + sentence("GPGSA,A,3,01,02,03,04,,,,,,,,,1.8,0.9,1.5")
    var decoder = NMEADecoder()
    let batch = decoder.decodeAll(Array(text.utf8))
    #expect(batch.fixes.count == 1)
    let fix = try #require(batch.fixes.first)
    #expect(fix.time?.iso8601 == "2024-02-01T10:11:12.500Z")
    #expect(fix.coordinate.latitude == 47.5)
    #expect(fix.coordinate.longitude == 8.5)
    #expect(fix.speed == 10 * 1852.0 / 3600)
    #expect(fix.course == 90)
    #expect(fix.mode == .threeD)
    #expect(fix.solution == .differential)
    #expect(fix.heightAboveGeoid == 400)
    #expect(fix.heightAboveEllipsoid == 448)
  }
}
