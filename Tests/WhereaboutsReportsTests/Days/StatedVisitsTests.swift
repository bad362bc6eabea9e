import Testing
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsModel

@testable import WhereaboutsReports

@Suite struct StatedVisitsTests {
  private static let calendar = DayCalendar(TimeZoneRules(name: "UTC", firstOffset: 0))

  private func time(_ clock: String, day: Int = 14) throws -> UTCTime {
    try #require(UTCTime(iso8601: "2024-05-\(day < 10 ? "0" : "")\(day)T\(clock):00Z"))
  }

  private func place(_ latitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: latitude, longitude: 13.4))
  }

  private func visit(
    _ arrival: String, _ departure: String, at latitude: Double, kind: String? = nil, name: String? = nil,
    day: Int = 14
  ) throws -> RecordedVisit {
    RecordedVisit(
      coordinate: try place(latitude), arrival: try time(arrival, day: day),
      departure: try time(departure, day: day), name: name, kind: kind)
  }

  /// A history with a fix in five minutes from 08:00 to 09:00 at 52.5° N, and from 18:00 to 19:00.
  private func history(
    evening: Double = 52.6, day: Int = 14, _ visits: [RecordedVisit]
  ) throws -> DayHistory {
    var history = DayHistory()
    for (hour, latitude, day) in [("08", 52.5, 14), ("18", evening, day)] {
      for minute in stride(from: 0, to: 60, by: 5) {
        let clock = "\(hour):\(minute < 10 ? "0" : "")\(minute)"
        var fix = Fix(
          coordinate: try place(latitude), time: try time(clock, day: day), source: .timeline)
        fix.horizontalAccuracy = 10
        history.add(fix)
      }
    }
    history.add(visits)
    history.finish()
    return history
  }

  @Test(
    arguments: [
      ("05:00", "07:00", 52.55, true), ("08:10", "08:50", 52.5, false), ("08:10", "08:50", 52.55, false),
      ("08:00", "09:20", 52.55, false), ("08:30", "17:30", 52.55, true), ("09:30", "17:00", 52.55, true),
      ("09:30", "17:00", 52.5, true), ("18:20", "23:00", 52.6, false), ("18:20", "23:00", 52.601, false),
      ("18:50", "23:00", 52.6, true), ("20:00", "23:00", 52.6, true), ("17:00", "09:30", 52.55, false),
    ] as [(String, String, Double, Bool)])
  func visitIsShownWhereFixesShowLessThanHalf(
    arrival: String, departure: String, latitude: Double, isShown: Bool
  ) throws {
    let without = try history([])
    let with = try history([try visit(arrival, departure, at: latitude)])
    #expect(with.statedVisits.count == (isShown ? 1 : 0))
    // The segments from fixes stay as they are, as do the identifiers of their places.
    #expect(with.segments.filter { with.statedVisits[$0.id] == nil } == without.segments)
    #expect(with.segments.map(\.start) == with.segments.map(\.start).sorted())
    #expect(Set(with.places.map(\.place.id)).isSuperset(of: without.places.map(\.place.id)))
  }

  /// A visit from fixes goes on through a silence, in which a recording states another place.
  @Test(arguments: [(52.5, false), (52.502, false), (52.55, true)])
  func silenceWithinAVisitHidesNoVisitElsewhere(latitude: Double, isShown: Bool) throws {
    let history = try history(evening: 52.5, [try visit("09:30", "17:00", at: latitude)])
    #expect(history.statedVisits.count == (isShown ? 1 : 0))
  }

  @Test func innerVisitsAndRepetitionsAreNotShown() throws {
    var inner = try visit("10:00", "11:00", at: 52.55)
    inner.level = 1
    #expect(try history([inner]).statedVisits.isEmpty)
    var confirmed = try visit("10:00", "11:00", at: 52.551)
    confirmed.isConfirmed = true
    let visits = [try visit("10:00", "11:00", at: 52.55), confirmed, try visit("10:10", "11:05", at: 52.55)]
    let shown = try history(visits).statedVisits.map(\.value)
    #expect(shown == [confirmed])
    let next = try visit("11:00", "12:00", at: 52.55)
    #expect(try history([confirmed, next]).statedVisits.count == 2)
  }

  @Test func statedVisitsAndProposedNamesAreMarked() throws {
    let history = try history([
      try visit("07:50", "09:00", at: 52.5005, kind: "TYPE_HOME"),
      try visit("10:00", "16:00", at: 52.55, kind: "Inferred Work"),
      try visit("16:30", "17:00", at: 52.57, kind: "UNKNOWN", name: "Café"),
      try visit("18:00", "18:55", at: 52.6, kind: "SEARCHED_ADDRESS"),
    ])
    let report = DaysReport(history, calendar: Self.calendar)
    let lines = DaysText.lines(report)
    for (start, end) in [
      ("08:00–", " Home? "), ("10:00–16:00", " Work? (stated) "), ("16:30–17:00", " Café? (stated) "),
    ] {
      #expect(lines.contains { $0.contains(start) && $0.contains(end) }, "\(lines)")
    }
    #expect(lines.contains { $0.contains("gap: no fix for") })
    #expect(!lines.contains { $0.contains("18:00–") && $0.contains("?") }, "\(lines)")
    #expect(DaysText.visitLines(report).count == 4)
    var bytes: [UInt8] = []
    DaysJSON.appendVisits(report, to: &bytes)
    let visits = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    #expect(visits.count == 4)
    #expect(visits.map { $0.contains(#""stated":true"#) } == [false, true, true, false])
    #expect(visits[0].contains(#""proposedName":"Home""#) && !visits[3].contains("proposedName"), "\(visits)")
    #expect(visits[1].contains(#""kind":"Inferred Work""#) && !visits[1].contains("Uncertainty"), "\(visits)")
    #expect(visits[2].contains(#""statedName":"Café""#), "\(visits)")
    #expect(history.places.compactMap(\.proposedName).sorted() == ["Café", "Home", "Work"])
    #expect(
      DaysText.placeLines(history.places, calendar: Self.calendar).filter { $0.contains("? ") }.count == 3)
  }

  @Test func mostFrequentNameIsProposedUntilThePlaceHasOne() throws {
    let visits = [
      try visit("08:00", "08:20", at: 52.5, name: "Bakery"),
      try visit("08:20", "08:40", at: 52.5, name: "Ada's"),
      try visit("08:40", "08:55", at: 52.5, name: "Ada's"),
      try visit("08:00", "08:55", at: 52.51, name: "Far"),
    ]
    let unnamed = try history(visits).places
    let found = try #require(unnamed.first { $0.proposedName != nil })
    #expect(found.proposedName == "Ada's")
    var named = found.kept
    named.name = "Home"
    var again = DayHistory(places: [named])
    again.add(Array(visits.prefix(3)))
    again.finish()
    let place = try #require(again.places.first { $0.place.id == named.id })
    #expect(place.place.name == "Home" && place.proposedName == nil)
  }

  /// A stated visit in the middle of a gap of days is shown on its day.
  @Test func visitWithinAGapOfDaysIsOnItsDay() throws {
    let history = try history(day: 24, [try visit("10:00", "12:00", at: 52.55, kind: "WORK", day: 19)])
    let report = DaysReport(history, calendar: Self.calendar)
    #expect(report.days.map(\.number) == report.days.map(\.number).sorted() && report.days.count == 11)
    let lines = DaysText.lines(report)
    let day = try #require(lines.firstIndex { $0.contains("2024-05-19") })
    #expect(lines[day] == "Sunday 2024-05-19", "\(lines)")
    #expect(lines[day + 2].contains("10:00–12:00") && lines[day + 2].contains("Work? (stated)"), "\(lines)")
  }

  /// Recordings that divide visits at midnight state such ends.
  @Test func visitThatEndsAtMidnightIsNoPartOfTheNextDay() throws {
    var history = DayHistory()
    var late = try visit("22:00", "23:00", at: 52.5)
    late.departure = try time("00:00", day: 15)
    history.add([late, try visit("00:00", "08:00", at: 52.6, day: 15), try visit("09:00", "09:30", at: 52.7)])
    history.finish()
    let report = DaysReport(history, calendar: Self.calendar)
    #expect(report.days.map(\.segments.count) == [2, 1])
    #expect(DaysText.lines(report).contains { $0.contains("22:00–00:00") })
    var alone = DayHistory()
    alone.add([late])
    alone.finish()
    #expect(DaysReport(alone, calendar: Self.calendar).days.count == 1)
    #expect(DaysTotals(DaysReport(alone, calendar: Self.calendar), by: .month).totals.map(\.days) == [1])
  }

  /// A visit with a wrong date, beside fixes or beside another visit.
  @Test(arguments: [true, false]) func visitOfTheFutureIsRemovedAsAFixIs(hasFixes: Bool) throws {
    var history = DayHistory(bound: try time("12:00"))
    if hasFixes {
      for minute in 10..<50 {
        history.add(Fix(coordinate: try place(52.5), time: try time("08:\(minute)"), source: .timeline))
      }
    }
    history.add([try visit("10:00", "11:00", at: 52.5), try visit("10:00", "11:00", at: 52.6, day: 19)])
    history.finish()
    let newest = try time("11:00")
    #expect(history.futureVisits == 1 && history.newestTime == newest && history.statedVisits.count == 2)
    history.removeFuture()
    #expect(history.futureVisits == 1 && history.newestTime == newest && history.statedVisits.count == 1)
    #expect(history.places.count == 1)
  }

  @Test func pastOfVisitsAloneHasDaysAndPlaces() throws {
    var history = DayHistory()
    history.add([
      try visit("10:00", "12:00", at: 52.5, kind: "HOME"), try visit("10:00", "11:00", at: 52.5, day: 15),
    ])
    history.finish()
    let newest = try time("11:00", day: 15)
    #expect(history.newestTime == newest && history.fixes == 0)
    #expect(DaysReport(history, calendar: Self.calendar).days.count == 2)
    #expect(history.places.map(\.visits) == [2] && history.places.map(\.proposedName) == ["Home"])
    #expect(history.places.map(\.duration) == [10_800])
  }
}
