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

  /// At a midnight the clock goes a day ahead, as over the date line.
  @Test func dayThatTheClockSkipsIsLeftOut() throws {
    var history = DayHistory()
    let start = try #require(UTCTime(iso8601: "2011-12-30T07:00:00Z"))
    let midnight = try #require(UTCTime(iso8601: "2011-12-30T10:00:00Z"))
    let place = try #require(Coordinate(latitude: -13.8, longitude: -171.7))
    for minute in 0...360 {
      history.add(Fix(coordinate: place, time: start.advanced(by: .seconds(minute * 60)), source: .csv))
    }
    history.finish()
    let offsets = [StatedOffset(time: start, minutes: -600), StatedOffset(time: midnight, minutes: 840)]
    let calendar = DayCalendar(stated: offsets, otherwise: TimeZoneRules(name: "UTC", firstOffset: 0))
    let days = DaysReport(history, calendar: calendar).days
    #expect(days.map { DayCalendar.date(of: $0.number) } == ["2011-12-29", "2011-12-31"])
  }

  /// A visit over the midnight before a flight to the east, after which the clock shows that midnight again.
  @Test func datesOfVisitsAreLocal() throws {
    var history = DayHistory()
    let start = try #require(UTCTime(iso8601: "2024-05-10T14:30:00Z"))
    for minute in 0...180 where !(121..<130).contains(minute) {
      let longitude = minute <= 120 ? 139.7 : 139.9
      var fix = Fix(
        coordinate: try #require(Coordinate(latitude: 35.7, longitude: longitude)),
        time: start.advanced(by: .seconds(minute * 60)), source: .csv)
      fix.horizontalAccuracy = 10
      history.add(fix)
    }
    history.finish()
    let landing = try #require(UTCTime(iso8601: "2024-05-10T17:00:00Z"))
    let offsets = [
      StatedOffset(time: start, minutes: 540), StatedOffset(time: landing, minutes: -420),
    ]
    let calendar = DayCalendar(stated: offsets, otherwise: TimeZoneRules(name: "UTC", firstOffset: 0))
    let line = try #require(DaysText.visitLines(DaysReport(history, calendar: calendar)).first)
    #expect(line.contains("  2024-05-10 23:30 +09:00  ") && line.contains("  2024-05-11 01:3"), "\(line)")
  }
}
