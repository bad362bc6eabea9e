import Testing
import WhereaboutsModel
import WhereaboutsFormats

@Suite struct PhoneTimeTests {
  typealias Sample = PhoneSamples

  private func time(_ dialect: PhoneDialect, _ text: String, _ arrival: String) -> String {
    let body =
      dialect == .ownTracks
      ? #"{"_type":"location","lat":1,"lon":2,"tst":\#(text)}"# : "id=1&lat=1&lon=2&timestamp=\(text)"
    let report = Sample.report(dialect, body, arrival: Sample.time(arrival))
    return report.fixes.map { "\($0.timeOrigin) \($0.time.iso8601)" }.joined()
  }

  @Test(
    arguments: [
      // Overland's OwnTracks mode counts from 2001.
      (PhoneDialect.ownTracks, "737368000", "2024-05-14T08:30:00Z", "corrected 2024-05-14T08:26:40.000Z"),
      (.ownTracks, "737368000", "2024-05-20T08:30:00Z", "corrected 2024-05-14T08:26:40.000Z"),
      // Another app does not.
      (.gpsLogger, "737368000", "2001-05-14T08:30:00Z", "stated 1993-05-14T08:26:40.000Z"),
      // Not a time that has passed, and one before there was an app.
      (.ownTracks, "837368000", "2024-05-14T08:30:00Z", "corrected 2016-02-28T18:13:20.000Z"),
      (.ownTracks, "1000", "2024-05-14T08:30:00Z", "stated 1970-01-01T00:16:40.000Z"),
      (.ownTracks, "0", "2024-05-14T08:30:00Z", "arrival 2024-05-14T08:30:00.000Z"),
      (.ownTracks, "1715675200", "2024-05-14T08:30:00Z", "stated 2024-05-14T08:26:40.000Z"),
      // The host has no clock yet.
      (.ownTracks, "1715675200", "1970-01-01T00:01:00Z", "stated 2024-05-14T08:26:40.000Z"),
      // Seconds with a fraction, milliseconds, text.
      (.ownTracks, "1715675200.5", "2024-05-14T08:30:00Z", "stated 2024-05-14T08:26:40.500Z"),
      (.ownTracks, "1715675200500", "2024-05-14T08:30:00Z", "stated 2024-05-14T08:26:40.500Z"),
      (.ownTracks, #""2024-05-14T08:26:40Z""#, "2024-05-14T08:30:00Z", "stated 2024-05-14T08:26:40.000Z"),
      // A receiver that lost a round of 1,024 weeks, and two.
      (.gpsLogger, "1096360000", "2024-05-14T08:30:00Z", "corrected 2024-05-14T08:26:40.000Z"),
      (.osmAnd, "477044800", "2024-05-14T08:30:00Z", "corrected 2024-05-14T08:26:40.000Z"),
      (.ownTracks, "1096360000", "2024-05-14T08:30:00Z", "corrected 2024-05-14T08:26:40.000Z"),
      // A round would end after the arrival, or within the seconds by which clocks differ; and one older than GPS.
      (.gpsLogger, "1177027200", "2026-11-25T08:00:00Z", "stated 2007-04-20T00:00:00.000Z"),
      (.gpsLogger, "1096360008", "2024-05-14T08:26:40Z", "corrected 2024-05-14T08:26:48.000Z"),
      (.gpsLogger, "300000000", "2024-05-14T08:30:00Z", "stated 1979-07-05T05:20:00.000Z"),
      // Old, but not by a round.
      (.gpsLogger, "1200000000", "2024-05-14T08:30:00Z", "stated 2008-01-10T21:20:00.000Z"),
      // From the future, and out of range.
      (.gpsLogger, "2000000000", "2024-05-14T08:30:00Z", "stated 2033-05-18T03:33:20.000Z"),
      (.gpsLogger, "99999999999999999999", "2024-05-14T08:30:00Z", ""),
      (.gpsLogger, "1e400", "2024-05-14T08:30:00Z", ""),
      (.gpsLogger, "-62135596800", "2024-05-14T08:30:00Z", ""),
    ])
  func timeIsRead(_ dialect: PhoneDialect, _ text: String, _ arrival: String, _ expected: String) {
    #expect(time(dialect, text, arrival) == expected)
  }

  @Test func extremeArrivalsAreHandled() {
    for nanoseconds in [Int64.min, 0, Int64.max] {
      let arrival = UTCTime(nanosecondsSince1970: nanoseconds)
      for text in ["1", "315964800", "737368000", "1715675200", "9000000000"] {
        let body = #"{"_type":"location","lat":1,"lon":2,"tst":\#(text)}"#
        #expect(Sample.report(.ownTracks, body, arrival: arrival).fixes.count == 1)
      }
    }
  }
}
