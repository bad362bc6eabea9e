import WhereaboutsModel

/// A day of the calendar, counted from 1970-01-01.
struct CivilDay: Hashable {
  var daysSince1970: Int

  init(daysSince1970: Int) {
    self.daysSince1970 = daysSince1970
  }

  /// The day of that date, or `nil` where there is none.
  init?(year: Int, month: Int, day: Int) {
    guard let midnight = UTCTime(CivilTime(year: year, month: month, day: day)) else { return nil }
    self.init(containing: midnight)
  }

  /// The day of an instant.
  init(containing instant: UTCTime) {
    let (days, rest) = instant.nanosecondsSince1970.quotientAndRemainder(dividingBy: TimeOfDay.day)
    self.init(daysSince1970: Int(rest < 0 ? days - 1 : days))
  }

  /// The instant at that time of this day, or `nil` where it can't be held.
  func at(_ time: TimeOfDay) -> UTCTime? {
    let (midnight, isTooFar) = Int64(daysSince1970).multipliedReportingOverflow(by: TimeOfDay.day)
    let (instant, overflow) = midnight.addingReportingOverflow(time.nanoseconds)
    return isTooFar || overflow ? nil : UTCTime(nanosecondsSince1970: instant)
  }
}
