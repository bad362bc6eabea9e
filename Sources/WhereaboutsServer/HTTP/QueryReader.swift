import Hummingbird
import WhereaboutsModel

/// The parameters of a query, read with clear errors.
struct QueryReader {
  private let parameters: Parameters

  init(_ request: Request) { parameters = request.uri.queryParameters }

  /// Returns the text of a parameter; `nil` if it is absent or empty.
  func text(_ name: Substring) -> String? {
    parameters[name].flatMap { $0.isEmpty ? nil : String($0) }
  }

  /// Returns a whole number within a range.
  func integer(_ name: Substring, in range: ClosedRange<Int>) throws(Problem) -> Int? {
    guard let text = text(name) else { return nil }
    guard let value = Int(text), range.contains(value) else {
      throw Problem(
        .badRequest, "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return value
  }

  /// Returns a number within a range.
  func number(_ name: Substring, in range: ClosedRange<Double>) throws(Problem) -> Double? {
    guard let text = text(name) else { return nil }
    guard let value = Double(text), range.contains(value) else {
      throw Problem(.badRequest, "\(name) must be a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return value
  }

  /// Returns a time: RFC 3339, or seconds since 1970.
  func time(_ name: Substring) throws(Problem) -> UTCTime? {
    guard let text = text(name) else { return nil }
    // A plus sign of a zone may have become a space.
    let time =
      UTCTime(iso8601: text.replacing(" ", with: "+"))
      ?? Double(text).flatMap { UTCTime(secondsSince1970: $0) } ?? Self.day(text)
    guard let time else {
      throw Problem(.badRequest, "\(name) must be a time as in 2024-05-14T17:04:00Z, or seconds since 1970.")
    }
    return time
  }

  private static func day(_ text: String) -> UTCTime? {
    text.utf8.count == 10 ? UTCTime(iso8601: text + "T00:00:00Z") : nil
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
