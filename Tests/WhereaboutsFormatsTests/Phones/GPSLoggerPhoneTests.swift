import Testing

import WhereaboutsFormats
import WhereaboutsModel

@Suite struct GPSLoggerPhoneTests {
  typealias Sample = PhoneSamples

  private static let at = "lat=51.5&lon=-0.1&timestamp=1715675200"
  private static let place = "51.5,-0.1 2024-05-14T08:26:40.000Z"

  @Test(
    arguments: [
      // All placeholders, as `%ALL` writes them.
      (
        "lat=51.5&lon=-0.1&sat=9&desc=&alt=47.5&acc=4.5&dir=90.5&prov=gps&spd=10.0&spd_kph=36.0"
          + "&timestamp=1715675200&time=2024-05-14T08%3A26%3A40.000Z&timeoffset=2024-05-14T10%3A26%3A40.000%2B02%3A00"
          + "&starttimestamp=1715670000&date=2024-05-14&batt=63.0&ischarging=true&aid=a1b2&ser=a1b2&act="
          + "&filename=20240514&profile=Default+Profile&hdop=0.9&vdop=1.1&pdop=1.4&dist=1200&",
        "\(place) hacc=4.5 alt=47.5 speed=10.0 course=90.5 hdop=0.9 used=9.0 battery=0.63 charging"
      ),
      // 0.0 stands for unknown.
      ("\(at)&alt=0.0&acc=0.0&dir=0.0&spd=0.0&hdop=&vdop=null&batt=40", "\(place) battery=0.4"),
      ("\(at)&spd_kph=36.0", "\(place) speed=10.0"),
      ("lat=51.5&lon=-0.1&time=2024-05-14T08:26:40.000Z", place),
      ("lat=51,5&lon=-0,1&timestamp=1715675200&acc=4,5", "\(place) hacc=4.5"),
      ("lat=51.5&lon=-0.1&timeoffset=2024-05-14T10:26:40.000%2B02:00", place),
      ("lat=51.5&lon=-0.1&timestamp=x&time=2024-05-14T08:26:40.000Z", place),
      // The templates of Home Assistant and of Traccar.
      (
        "latitude=51.5&longitude=-0.1&device=a1&accuracy=5&battery=80.0&speed=2&direction=12&altitude=3&provider=gps"
          + "&activity=",
        "51.5,-0.1 arrival=2024-05-14T08:30:00.000Z hacc=5.0 alt=3.0 speed=2.0 course=12.0 battery=0.8"
      ),
      ("id=1&\(at)&hdop=1.5&altitude=3.0&speed=2.0&bearing=400", "\(place) alt=3.0 speed=2.0 hdop=1.5"),
      // A template in the form of OwnTracks, as openHAB's.
      (
        #"{"_type":"location","lat":51.5,"lon":-0.1,"alt":0.0,"acc":4.5,"batt":40.0,"tst":1715675200,"tid":"a1"}"#,
        "\(place) hacc=4.5 battery=0.4"
      ),
      ("lat=%LAT&lon=%LON", "bad number: lat is still a placeholder, which the app did not replace"),
      ("", "something required is missing: no lat"),
      (#"{"lat":51.5,"lon":"-0.1","timestamp":1715675200,"acc":"4.5","ser":"a1"}"#, "\(place) hacc=4.5"),
      // Placeholders without quotes that the app replaced by nothing, or by a word.
      (
        #"{"lat":51.5,"lon":-0.1,"timestamp":1715675200,"acc":4.5,"hdop":,"vdop":null,"prov":gps,"sat":}"#,
        "\(place) hacc=4.5"
      ),
      (#"{"lat":,"lon":-0.1,"timestamp":1715675200}"#, "bad number: lat is not a number"),
      (
        #"{"lat":51.5,"lon":-0.1,"timestamp":1715675200,"hdop":"#,
        "ends in the middle: the JSON ends in the middle"
      ),
      // Names may be written like the placeholders.
      (#"{"LAT":51.5,"Lon":-0.1,"TIMESTAMP":1715675200,"ACC":4.5}"#, "\(place) hacc=4.5"),
      ("LAT=51.5&Lon=-0.1&TIMESTAMP=1715675200&ACC=4.5", "\(place) hacc=4.5"),
      (
        #"[{"lat":51.5,"lon":-0.1,"timestamp":1715675200},{}]"#,
        "\(place); something required is missing: no lat"
      ),
    ] as [(String, String)])
  func positionIsRead(_ text: String, _ expected: String) {
    #expect(Sample.fix(.gpsLogger, text) == expected)
    guard text.first != "{", text.first != "[" else { return }
    #expect(Sample.fix(.gpsLogger, query: text) == expected)
    #expect(Sample.fix(.gpsLogger, query: "token=t&\(text)") == expected)
  }

  /// Newer versions of Android state this word as the serial number of every phone.
  @Test func unknownSerialNumberIsNoName() {
    let report = Sample.report(.gpsLogger, query: "\(Self.at)&aid=b2&ser=unknown")
    #expect(report.identity.device == "b2" && report.fixes.map(\.device) == ["b2"])
    let alone = Sample.report(.gpsLogger, query: "\(Self.at)&aid=&ser=unknown")
    #expect(alone.identity.device == nil && alone.fixes.count == 1)
  }

  @Test(
    arguments: [
      #"{"_type":"transition","event":"leave","lat":51.5,"lon":-0.1,"tst":1715675200,"wtst":1,"acc":5}"#,
      #"{"_type":"waypoint","desc":"Home","lat":51.5,"lon":-0.1,"tst":1715675200,"rad":100}"#,
    ])
  func regionOfOwnTracksIsNoPosition(_ body: String) {
    let expected = "not well formed: is a message of OwnTracks, which belongs to /owntracks"
    #expect(Sample.fix(.gpsLogger, body) == expected)
  }

  @Test func restOfAPositionIsRetained() throws {
    let query = "\(Self.at)&ser=a1&aid=b2&prov=network&desc=caf%C3%A9%0Anoir&act=walking"
    let report = Sample.report(.gpsLogger, query: query)
    let fix = try #require(report.fixes.first)
    #expect(report.identity.device == "a1" && fix.provider == "network" && fix.note == "café noir")
    #expect(fix.activities == ["walking"] && report.acceptance() == PhoneReply(status: 200))
    #expect(fix.fix.activity == .walking)
  }
}
