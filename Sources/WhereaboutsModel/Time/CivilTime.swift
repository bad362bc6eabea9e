/// A date of the proleptic Gregorian calendar and a time of day, in UTC.
///
/// Recordings contain civil times; ``UTCTime`` is the instant that such a time names. The fields may not form a real
/// date; ``UTCTime/init(_:)`` checks them.
package struct CivilTime: Hashable, Sendable {
  /// The year, all digits of it.
  package var year: Int
  /// The month, 1 to 12.
  package var month: Int
  /// The day of the month, 1 to 31.
  package var day: Int
  /// The hour, 0 to 23.
  package var hour: Int
  /// The minute, 0 to 59.
  package var minute: Int
  /// The second, 0 to 59, or 60 within a leap second.
  package var second: Int
  /// Nanoseconds of the second, 0 to 999,999,999.
  package var nanosecond: Int

  /// Creates a date and a time of day; midnight by default.
  package init(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, nanosecond: Int = 0
  ) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    self.nanosecond = nanosecond
  }

  /// The days from 1970-01-01 to this date, which must be a real one.
  ///
  /// - Source: the era-based algorithm of Howard Hinnant, "chrono-compatible low-level date algorithms" (2013):
  ///   years begin in March so that the leap day comes last, and 400 years are one era of 146,097 days.
  var daysSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Creates the date that many days after 1970-01-01, at midnight. Source: as ``daysSince1970``.
  init(daysSince1970 days: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    self.init(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// Returns the number of days in that month of that year, 0 where there is no such month.
  static func days(inMonth month: Int, ofYear year: Int) -> Int {
    switch month {
    case 1, 3, 5, 7, 8, 10, 12: 31
    case 4, 6, 9, 11: 30
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    default: 0
    }
  }
}

extension UTCTime {
  /// Creates the instant that a date and time of day name, or `nil` where they name none or it is out of range.
  ///
  /// A second of 60 is accepted anywhere, because a receiver may be late to learn of a leap second. Such a time is
  /// the instant one second after `:59`.
  package init?(_ civil: CivilTime) {
    guard (1...9999).contains(civil.year), civil.day >= 1,
      civil.day <= CivilTime.days(inMonth: civil.month, ofYear: civil.year),
      (0...23).contains(civil.hour), (0...59).contains(civil.minute), (0...60).contains(civil.second),
      (0...999_999_999).contains(civil.nanosecond)
    else { return nil }
    let minutes = (civil.daysSince1970 * 24 + civil.hour) * 60 + civil.minute
    // Counted from the second's far end when negative, so that the very first instants don't overflow on the way.
    let second = Int64(minutes * 60 + civil.second), carry: Int64 = second < 0 ? 1 : 0
    let (whole, tooFar) = (second + carry).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carried) = whole.addingReportingOverflow(Int64(civil.nanosecond) - carry * 1_000_000_000)
    guard !tooFar, !carried else { return nil }
    self.init(nanosecondsSince1970: sum)
  }

  /// The date and time of day of this instant.
  package var civil: CivilTime {
    let (seconds, nanosecond) = nanosecondsSince1970.flooredDivision(by: 1_000_000_000)
    let (days, secondOfDay) = seconds.flooredDivision(by: 86_400)
    var civil = CivilTime(daysSince1970: Int(days))
    civil.hour = Int(secondOfDay / 3600)
    civil.minute = Int(secondOfDay / 60 % 60)
    civil.second = Int(secondOfDay % 60)
    civil.nanosecond = Int(nanosecond)
    return civil
  }
}

extension Int64 {
  fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
