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

  /// The clock of Newfoundland went from 00:01 back to 23:01 of the day before.
  @Test func dayContinuesThroughItsFirstMidnight() throws {
    let newfoundland = DayCalendar(try TimeZoneRules(named: "America/St_Johns"))
    let number = try day("2010-11-06")
    for time in ["2010-11-07T02:30:30Z", "2010-11-07T02:31:00Z", "2010-11-07T03:29:59Z"] {
      #expect(newfoundland.day(of: try utc(time)) == number, "\(time)")
    }
    #expect(newfoundland.start(of: number + 1) == (try utc("2010-11-07T03:30:00Z")))
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

  // MARK: Stated offsets

  /// Returns the calendar of offsets in hours that are stated at times, on a system in Berlin.
  private func stated(_ offsets: [(String, Int)]) throws -> DayCalendar {
    DayCalendar(
      stated: try offsets.map { StatedOffset(time: try utc($0.0), minutes: $0.1 * 60) },
      otherwise: try TimeZoneRules(named: "Europe/Berlin"))
  }

  /// Three weeks in Tokyo, from a winter to a summer in Berlin.
  @Test(
    arguments: [
      ("2024-01-01T08:00:00Z", "09:00"), ("2024-03-10T12:00:00Z", "13:00"), ("2024-03-10T20:00:00Z", "05:00"),
      ("2024-03-31T08:00:00Z", "17:00"), ("2024-04-01T07:59:59Z", "16:59"), ("2024-04-01T08:00:00Z", "10:00"),
      // The clock of the other zone changes also without a recording.
      ("2024-11-01T08:00:00Z", "09:00"), ("2025-07-01T08:00:00Z", "10:00"), ("2023-07-01T08:00:00Z", "10:00"),
      ("2060-01-01T08:00:00Z", "09:00"),
    ])
  func timesHaveTheStatedOffsets(time: String, clock: String) throws {
    let calendar = try stated([
      ("2024-03-01T08:00:00Z", 1), ("2024-03-10T20:00:00Z", 9), ("2024-04-01T08:00:00Z", 2),
    ])
    #expect(calendar.clock(try utc(time)) == clock)
  }

  @Test func lastForeignOffsetHolds() throws {
    let calendar = try stated([("2024-03-01T08:00:00Z", 9)])
    #expect(calendar.clock(try utc("2024-02-29T08:00:00Z")) == "09:00")
    #expect(calendar.clock(try utc("2024-08-01T08:00:00Z")) == "17:00")
  }

  /// The lengths in hours of the days of a flight: the offsets before and after, the time of the change, and the days.
  @Test(
    arguments: [
      // West from Tokyo to Berlin, and east.
      (9, 2, "2024-05-10T08:00:00Z", ["2024-05-09": 24, "2024-05-10": 31, "2024-05-11": 24]),
      (2, 9, "2024-05-10T08:00:00Z", ["2024-05-09": 24, "2024-05-10": 17, "2024-05-11": 24]),
      // East from Tokyo to Los Angeles: midnight comes twice, and the first does not count.
      (9, -7, "2024-05-10T17:00:00Z", ["2024-05-09": 24, "2024-05-10": 40, "2024-05-11": 24]),
      // West from Los Angeles to Tokyo: midnight is skipped.
      (-7, 9, "2024-05-11T05:00:00Z", ["2024-05-09": 24, "2024-05-10": 22, "2024-05-11": 10]),
    ] as [(Int, Int, String, [String: Double])])
  func daysOfAFlightAreLongerOrShorter(
    before: Int, after: Int, change: String, lengths: [String: Double]
  ) throws {
    let calendar = try stated([("2024-05-01T00:00:00Z", before), (change, after)])
    for (date, hours) in lengths {
      let number = try day(date)
      let start = calendar.start(of: number), end = calendar.start(of: number + 1)
      #expect(end.seconds(since: start) / 3600 == hours, "\(date)")
    }
    // Every instant is in the day that its number names.
    for hour in 0..<96 {
      let time = try utc("2024-05-09T00:30:00Z").advanced(by: .seconds(hour * 3600))
      let number = calendar.day(of: time)
      #expect(calendar.start(of: number) <= time && time < calendar.start(of: number + 1), "\(time.iso8601)")
    }
  }

  @Test func newOffsetsAreNamed() throws {
    let calendar = try stated([("2024-05-01T00:00:00Z", 2), ("2024-05-10T08:00:00Z", 9)])
    let before = try utc("2024-05-08T10:00:00Z"), after = try utc("2024-05-12T10:00:00Z")
    #expect(calendar.clocks(before, nil).start == "12:00 +02:00")
    #expect(calendar.clocks(before, nil, named: 7200).start == "12:00")
    #expect(calendar.clocks(after, nil, named: 7200).start == "19:00 +09:00")
    #expect(calendar.clocks(before, after, named: 7200).start == "12:00 +02:00")
    #expect(calendar.clocks(before, after, named: 7200).end == "19:00 +09:00")
  }
}
