import Hummingbird
import Whereabouts
import WhereaboutsModel
import WhereaboutsReports

/// The parameters of a query, read with clear errors.
struct QueryReader {
  private let parameters: Parameters

  init(_ request: Request) { parameters = request.uri.queryParameters }

  /// Returns the text of a parameter; `nil` if it is absent.
  ///
  /// - Throws: ``Problem`` 400 if the parameter is empty or stands twice.
  func text(_ name: Substring) throws(Problem) -> String? {
    let values = parameters[values: name]
    guard let value = values.first else { return nil }
    guard values.count == 1, !value.isEmpty else {
      throw Problem(.badRequest, "\(name) must stand once, with a value.")
    }
    return String(value)
  }

  /// Returns a whole number within a range.
  func integer(_ name: Substring, in range: ClosedRange<Int>) throws(Problem) -> Int? {
    guard let text = try text(name) else { return nil }
    guard let value = Int(text), range.contains(value) else {
      throw Problem(
        .badRequest, "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return value
  }

  /// Returns a flag: `yes` or `no`.
  func flag(_ name: Substring) throws(Problem) -> Bool? {
    switch try text(name) {
    case nil: return nil
    case "yes"?: return true
    case "no"?: return false
    case _?: throw Problem(.badRequest, "\(name) must be yes or no.")
    }
  }

  /// Returns one of some values.
  func choice(_ name: Substring, of values: [String]) throws(Problem) -> String? {
    guard let text = try text(name) else { return nil }
    guard values.contains(text) else {
      throw Problem(.badRequest, "\(name) must be one of \(values.joined(separator: ", ")).")
    }
    return text
  }

  /// Returns a number within a range.
  func number(_ name: Substring, in range: ClosedRange<Double>) throws(Problem) -> Double? {
    guard let text = try text(name) else { return nil }
    guard let value = Self.decimal(text), range.contains(value) else {
      throw Problem(.badRequest, "\(name) must be a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return value
  }

  /// Returns a time: RFC 3339, a date, or seconds since 1970. A time before 1678 or after 2261 means the beginning or
  /// the end of all times.
  func time(_ name: Substring) throws(Problem) -> UTCTime? {
    guard let text = try text(name) else { return nil }
    // A plus sign of a zone may have become a space.
    let plain = text.replacing(" ", with: "+")
    let time =
      Self.date(plain) ?? Self.decimal(text).flatMap { UTCTime(secondsSince1970: $0) } ?? Self.distant(plain)
    guard let time else {
      throw Problem(.badRequest, "\(name) must be a time as in 2024-05-14T17:04:00Z, or seconds since 1970.")
    }
    return time
  }

  /// Returns the number of a day, counted from 1970-01-01, as `DayCalendar` counts.
  func day(_ name: Substring) throws(Problem) -> Int? {
    guard let text = try text(name) else { return nil }
    guard text.utf8.count == 10, let start = UTCTime(iso8601: text + "T00:00:00Z") else {
      throw Problem(.badRequest, "\(name) must be a day as in 2024-05-14.")
    }
    return DayCalendar(.utc).day(of: start)
  }

  /// Returns the rules of a time zone.
  func timeZone(_ name: Substring) throws(Problem) -> TimeZoneRules? {
    guard let text = try text(name) else { return nil }
    do {
      return try TimeZoneRules(named: text)
    } catch {
      throw Problem(.badRequest, "\(name) must be a time zone that this system knows, as in Europe/Berlin.")
    }
  }

  /// Returns a decimal number; `nil` for hexadecimal digits, infinity and invalid text.
  static func decimal(_ text: String) -> Double? {
    text.utf8.allSatisfy { (48...57).contains($0) || "+-.eE".utf8.contains($0) } ? Double(text) : nil
  }

  private static func date(_ text: String) -> UTCTime? {
    UTCTime(iso8601: text) ?? (text.utf8.count == 10 ? UTCTime(iso8601: text + "T00:00:00Z") : nil)
  }

  /// Returns the beginning or the end of all times for a valid date that is beyond them.
  private static func distant(_ text: String) -> UTCTime? {
    guard text.utf8.prefix(4).allSatisfy({ (48...57).contains($0) }), let year = Int(text.prefix(4)) else {
      return nil
    }
    // The calendar repeats after 400 years, and 1700 to 2099 are within the times.
    let alike = 1700 + (year + 300) % 400
    guard date("\(alike)" + text.dropFirst(4)) != nil else { return nil }
    return UTCTime(nanosecondsSince1970: year < 1970 ? .min : .max)
  }

  /// Returns the span from `from` to before `to`; `nil` if neither is given.
  func span() throws(Problem) -> Range<UTCTime>? {
    let from = try time("from"), to = try time("to")
    guard from != nil || to != nil else { return nil }
    let start = from ?? UTCTime(nanosecondsSince1970: .min), end = to ?? UTCTime(nanosecondsSince1970: .max)
    guard start <= end else { throw Problem(.badRequest, "from must not be later than to.") }
    return start..<end
  }
}
