import Testing
import WhereaboutsModel

@testable import WhereaboutsFormats

@Suite struct GPSDSkyTests {
  private func firstSatellite(_ satellite: String) -> SatellitesInView.Satellite? {
    guard
      case .satellites(let sky, _) = GPSDText.batch(
        "{\"class\":\"SKY\",\"satellites\":[{\(satellite)}]}"
      ).reports.first
    else { return nil }
    return sky.satellites.first
  }

  /// System and number as gpsd gives them, then as NMEA 0183 numbers them.
  @Test(
    arguments: [
      (0, 5, .gps, 5), (1, 133, .sbas, 46), (2, 11, .galileo, 11), (3, 23, .beidou, 23), (5, 3, .qzss, 3),
      (6, 4, .glonass, 68), (7, 9, .navic, 9), (6, 255, .glonass, 255),
    ] as [(Int, Int, SatellitesInView.Constellation, UInt16)])
  func satelliteNumbersFollowTheSystem(
    system: Int, number: Int, constellation: SatellitesInView.Constellation, expected: UInt16
  ) {
    let satellite = firstSatellite("\"PRN\":77,\"gnssid\":\(system),\"svid\":\(number),\"used\":true")
    #expect(satellite?.constellation == constellation)
    #expect(satellite?.number == expected)
    #expect(satellite?.isUsed == true)
  }

  @Test func numberRangeDeterminesAMissingSystem() {
    #expect(firstSatellite(#""PRN":5"#)?.constellation == .gps)
    #expect(firstSatellite(#""PRN":70"#)?.constellation == .glonass)
    #expect(firstSatellite(#""PRN":133"#)?.constellation == .sbas)
    #expect(firstSatellite(#""PRN":0,"used":false"#) == nil)
    #expect(firstSatellite(#""PRN":99999"#) == nil)
  }

  @Test func invalidDirectionsAndSignalsAreAbsent() {
    let good = firstSatellite(#""PRN":5,"el":70.0,"az":360.0,"ss":33.5"#)
    #expect(good?.elevation == 70)
    #expect(good?.azimuth == 0)
    #expect(good?.signal == 33.5)
    let bad = firstSatellite(#""PRN":5,"el":-91,"az":"x","ss":0.0"#)
    #expect(bad?.elevation == nil)
    #expect(bad?.azimuth == nil)
    #expect(bad?.signal == nil)
  }

  @Test func reportWithoutSatellitesRetainsThePreviousList() {
    let batch = GPSDText.batch(
      #"{"class":"SKY","satellites":[{"PRN":1,"used":true},{"PRN":2,"used":false}],"hdop":1}"#,
      #"{"class":"SKY","hdop":2.5}"#, GPSDText.tpv(0, device: nil))
    #expect(batch.summaries == ["sky 2", "fix 0"])
    #expect(batch.fixes.first?.satellitesInView == 2)
    #expect(batch.fixes.first?.satellitesUsed == 1)
    #expect(batch.fixes.first?.horizontalDilution == 2.5)
  }
}
