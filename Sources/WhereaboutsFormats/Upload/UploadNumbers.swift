import WhereaboutsModel
import WhereaboutsGeodesy

// Numbers in the form of the templates. Non-finite numbers are unknown.

extension Double {
  var ifFinite: Double? { isFinite ? self : nil }

  /// The nearest whole number; `nil` beyond the range of a server's whole numbers.
  var whole: Int? {
    guard magnitude < 2_147_483_647 else { return nil }
    return Int(rounded())
  }

  /// An accuracy in whole metres. A positive one is at least 1, because 0 is unknown to some servers, and perfect to
  /// others.
  var wholeAccuracy: Int? {
    guard self >= 0, let whole else { return nil }
    return self > 0 ? Swift.max(1, whole) : 0
  }

  /// A course in whole degrees in [0, 360): 359.6° is north.
  var wholeCourse: Int? {
    guard self >= 0, let whole else { return nil }
    return whole % 360
  }

  /// The nearest thousandth.
  var inThousandths: Double { (self * 1000).rounded() / 1000 }
}

extension UTCTime {
  /// Whole seconds since 1970, cut towards the past.
  var wholeSeconds: Int {
    let (seconds, rest) = nanosecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Int(rest < 0 ? seconds - 1 : seconds)
  }

  /// RFC 3339 without a fraction, cut towards the past: `2024-03-01T12:30:05Z`.
  var wholeSecondText: String {
    let (nanoseconds, overflow) = Int64(wholeSeconds).multipliedReportingOverflow(by: 1_000_000_000)
    let whole = overflow ? self : UTCTime(nanosecondsSince1970: nanoseconds)
    return "\(whole.iso8601.prefix(19))Z"
  }
}

extension [UInt8] {
  mutating func appendJSONCoordinate(_ place: Coordinate) {
    appendJSONMember("lat", place.latitude)
    appendJSONMember("lon", place.longitude)
  }

  mutating func appendJSONMemberUnlessZero(_ key: StaticString, _ number: Int?) {
    if let number, number != 0 { appendJSONMember(key, number) }
  }
}
