import Testing
import WhereaboutsGeodesy
import WhereaboutsModel

@testable import WhereaboutsReports

@Suite struct DaysTextTests {
  /// A wrong date makes a gap of years.
  @Test func daysOfOneGapHaveOneHeading() throws {
    var history = DayHistory()
    for (time, longitude) in [
      ("1999-08-22T10:00:00Z", 13.4), ("2024-01-01T10:00:00Z", 13.5), ("2024-01-01T10:05:00Z", 13.5),
    ] {
      let place = try #require(Coordinate(latitude: 52.5, longitude: longitude))
      history.add(Fix(coordinate: place, time: UTCTime(iso8601: time), source: .csv))
    }
    history.finish()
    let report = DaysReport(history, calendar: DayCalendar(TimeZoneRules(name: "UTC", firstOffset: 0)))
    let lines = DaysText.lines(report)
    #expect(
      lines.filter { !$0.hasPrefix(" ") && !$0.isEmpty } == [
        "Sunday 1999-08-22", "Monday 1999-08-23 to Sunday 2023-12-31", "Monday 2024-01-01",
      ])
    #expect(lines.count < 12, "\(lines)")
  }
}
