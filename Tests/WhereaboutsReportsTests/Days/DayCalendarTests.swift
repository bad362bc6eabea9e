import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsReports

@Suite struct DayCalendarTests {
  private func utc(_ text: String) throws -> UTCTime { try #require(UTCTime(iso8601: text)) }

  private func day(_ date: String) throws -> Int {
    Int(try utc("\(date)T00:00:00Z").nanosecondsSince1970 / 86_400_000_000_000)
  }

  @Test func dayIsThatOfTheZone() throws {
    let berlin = DayCalendar(try TimeZoneRules(named: "Europe/Berlin"))
    let auckland = DayCalendar(try TimeZoneRules(named: "Pacific/Auckland"))
    let evening = try utc("2024-01-15T23:30:00Z")
    #expect(berlin.day(of: evening) == (try day("2024-01-16")))
    #expect(DayCalendar.date(of: berlin.day(of: evening)) == "2024-01-16")
    #expect(DayCalendar.weekday(of: berlin.day(of: evening)) == "Tuesday")
    #expect(auckland.clock(evening) == "12:30" && berlin.clock(evening) == "00:30")
    #expect(berlin.localTime(evening) == "2024-01-16T00:30:00+01:00")
  }

  @Test func dayOfAClockChangeIsShorterOrLonger() throws {
    let berlin = DayCalendar(try TimeZoneRules(named: "Europe/Berlin"))
    func hours(_ date: String) throws -> Double {
      let number = try day(date)
      return berlin.start(of: number + 1).seconds(since: berlin.start(of: number)) / 3600
    }
    #expect(try hours("2024-03-31") == 23 && hours("2024-10-27") == 25 && hours("2024-05-14") == 24)
  }

  @Test func timesAroundAClockChangeHaveTheirOffsets() throws {
    let berlin = DayCalendar(try TimeZoneRules(named: "Europe/Berlin"))
    func clocks(_ start: String, _ end: String?) throws -> String {
      let found = berlin.clocks(try utc(start), try end.map(utc))
      return "\(found.start ?? "")–\(found.end ?? "")"
    }
    #expect(try clocks("2024-10-27T00:20:00Z", "2024-10-27T01:39:00Z") == "02:20 +02:00–02:39 +01:00")
    #expect(try clocks("2024-10-27T00:20:00Z", "2024-10-27T00:30:00Z") == "02:20 +02:00–02:30 +02:00")
    #expect(try clocks("2024-10-27T01:20:00Z", nil) == "02:20 +01:00–")
    #expect(try clocks("2024-10-26T22:00:00Z", "2024-10-27T08:00:00Z") == "00:00 +02:00–09:00 +01:00")
    #expect(try clocks("2024-03-31T00:30:00Z", "2024-03-31T01:30:00Z") == "01:30 +01:00–03:30 +02:00")
    #expect(try clocks("2024-10-26T23:00:00Z", "2024-10-26T23:59:59Z") == "01:00–01:59")
    #expect(try clocks("2024-10-27T02:00:00Z", "2024-10-27T05:00:00Z") == "03:00–06:00")
    #expect(try clocks("2024-07-01T00:20:00Z", "2024-07-01T01:39:00Z") == "02:20–03:39")
  }

  @Test func dayWithoutMidnightBeginsAfterIt() throws {
    // The clock went from 24:00 to 01:00.
    let beirut = DayCalendar(try TimeZoneRules(named: "Asia/Beirut"))
    let number = try day("2022-03-27")
    #expect(beirut.clock(beirut.start(of: number)) == "01:00")
    #expect(beirut.day(of: beirut.start(of: number)) == number)
  }

  @Test func daysBefore1970AndExtremeTimesAreCounted() throws {
    let utcDays = DayCalendar(TimeZoneRules(name: "UTC", firstOffset: 0))
    #expect(utcDays.day(of: try utc("1969-12-31T23:00:00Z")) == -1)
    #expect(DayCalendar.weekday(of: -1) == "Wednesday")
    for nanoseconds in [Int64.min, .max] {
      _ = utcDays.start(of: utcDays.day(of: UTCTime(nanosecondsSince1970: nanoseconds)) + 1)
    }
    _ = utcDays.start(of: .max)
    _ = utcDays.start(of: .min)
  }
}
