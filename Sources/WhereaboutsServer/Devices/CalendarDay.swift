import Foundation
import WhereaboutsModel

/// A day in the server's time zone.
struct CalendarDay: Hashable, Comparable, Sendable {
  let number: Int

  /// Creates the day of a time.
  ///
  /// - Parameter zone: the time zone whose midnights divide the days.
  init(of time: UTCTime, in zone: TimeZone) {
    let seconds = time.nanosecondsSince1970.dividedRoundingDown(by: 1_000_000_000)
    let offset = Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
    number = Int((seconds + offset).dividedRoundingDown(by: 86_400))
  }

  /// Creates the day of a name as ``name``; `nil` for any other text.
  init?(name: String) {
    guard name.isDate, let time = UTCTime(iso8601: name) else { return nil }
    number = Int(time.nanosecondsSince1970.dividedRoundingDown(by: 86_400_000_000_000))
  }

  /// The name as a date: `2024-05-14`.
  var name: String {
    let day = UTCTime(nanosecondsSince1970: Int64(clamping: number) &* 86_400_000_000_000)
    return String(day.iso8601.prefix(10))
  }

  static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

extension Int64 {
  fileprivate func dividedRoundingDown(by divisor: Int64) -> Int64 {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? quotient - 1 : quotient
  }
}

extension String {
  /// Whether the text is a date as a trip's name is: `2024-05-14`.
  fileprivate var isDate: Bool {
    utf8.count == 10
      && utf8.enumerated().allSatisfy { place, byte in
        place == 4 || place == 7 ? byte == UInt8(ascii: "-") : (48...57).contains(byte)
      }
  }
}
