import WhereaboutsModel

/// A day of the calendar, counted from 1970-01-01.
struct CivilDay: Hashable {
  var daysSince1970: Int

  init(daysSince1970: Int) {
    self.daysSince1970 = daysSince1970
  }

  /// Creates the day of that date, or `nil` where there is none.
  init?(year: Int, month: Int, day: Int) {
    guard let midnight = UTCTime(CivilTime(year: year, month: month, day: day)) else { return nil }
    self.init(containing: midnight)
  }

  /// Creates the day of that date in the years 1969 to 2068, or `nil` where there is none. The year is from 0 to 99.
  ///
  /// Each RMC has a date. In these years every fourth one is a leap year.
  @inline(__always)
  init?(twoDigitYear: Int, month: Int, day: Int) {
    let year = twoDigitYear < 69 ? 2000 &+ twoDigitYear : 1900 &+ twoDigitYear
    let isLeap = year & 3 == 0
    guard month >= 1, month <= 12, day >= 1 else { return nil }
    // July and August have 31 days both; the months before and after alternate.
    let length = month == 2 ? (isLeap ? 29 : 28) : 30 &+ ((month &+ month &>> 3) & 1)
    guard day <= length else { return nil }
    // Years that begin in March have the leap day at their end, and months of (153 m + 2) / 5 days before them.
    let monthFromMarch = month > 2 ? month &- 3 : month &+ 9
    let yearFromMarch = month > 2 ? year : year &- 1
    let dayOfYear = (153 &* monthFromMarch &+ 2) / 5 &+ day &- 1
    // 1968-03-01 is the 671st day before 1970.
    daysSince1970 = 365 &* (yearFromMarch &- 1968) &+ (yearFromMarch &- 1968) &>> 2 &+ dayOfYear &- 671
  }

  /// Creates the day of an instant.
  init(containing instant: UTCTime) {
    let (days, rest) = instant.nanosecondsSince1970.quotientAndRemainder(dividingBy: TimeOfDay.day)
    self.init(daysSince1970: Int(rest < 0 ? days - 1 : days))
  }

  /// Returns the instant at that time of this day, or `nil` where it can't be held.
  func at(_ time: TimeOfDay) -> UTCTime? {
    let (midnight, isTooFar) = Int64(daysSince1970).multipliedReportingOverflow(by: TimeOfDay.day)
    let (instant, overflow) = midnight.addingReportingOverflow(time.nanoseconds)
    return isTooFar || overflow ? nil : UTCTime(nanosecondsSince1970: instant)
  }
}
