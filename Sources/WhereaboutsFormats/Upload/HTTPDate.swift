public import WhereaboutsModel

/// The times in HTTP's header fields.
///
/// - Source: RFC 9110, section 5.6.7: the preferred form and the two obsolete ones that must be read too.
public enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Returns the time of a field; `nil` if unreadable. The day of the week is ignored.
  ///
  /// - Parameters:
  ///   - text: the field's value.
  ///   - now: the present time, which resolves years of two digits: not more than 50 years ahead.
  public static func parse(_ text: String, now: UTCTime) -> UTCTime? {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "-" }).map(String.init)
    switch words.count {
    // Sun, 06 Nov 1994 08:49:37 GMT; Sunday, 06-Nov-94 08:49:37 GMT
    case 6 where words[5] == "GMT" || words[5] == "UTC":
      return parse(day: words[1], month: words[2], year: words[3], clock: words[4], now)
    // Sun Nov  6 08:49:37 1994
    case 5: return parse(day: words[2], month: words[1], year: words[4], clock: words[3], now)
    default: return nil
    }
  }

  /// Returns the delay of a `Retry-After` field in seconds, not negative; `nil` if unreadable.
  ///
  /// - Parameters:
  ///   - text: the field's value.
  ///   - date: the reply's own `Date` field, which is by the server's clock.
  ///   - now: the wall clock, used without that field.
  public static func retryAfter(_ text: String, date: String?, now: UTCTime) -> Double? {
    // Not every parser removes the white space behind a value (RFC 9112, section 5.1).
    var value = text[...]
    while value.last == " " || value.last == "\t" { value.removeLast() }
    if !value.isEmpty, value.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) { return Double(value) }
    guard let until = parse(String(value), now: now) else { return nil }
    return max(0, until.seconds(since: date.flatMap { parse($0, now: now) } ?? now))
  }

  private static func parse(day: String, month: String, year: String, clock: String, _ now: UTCTime)
    -> UTCTime?
  {
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false).map {
      number($0, digits: 2...2)
    }
    guard let month = months.firstIndex(of: month.lowercased()), let day = number(day[...], digits: 1...2),
      let year = fullYear(year, now), parts.count == 3, let hour = parts[0], let minute = parts[1],
      let second = parts[2]
    else { return nil }
    return UTCTime(
      CivilTime(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second))
  }

  private static func fullYear(_ text: String, _ now: UTCTime) -> Int? {
    if text.utf8.count == 4 { return number(text[...], digits: 4...4) }
    guard let year = number(text[...], digits: 2...2) else { return nil }
    let thisYear = now.civil.year
    let candidate = thisYear / 100 * 100 + year
    return candidate > thisYear + 50 ? candidate - 100 : candidate
  }

  private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
    return Int(text)
  }
}
