import WhereaboutsCore

/// Lengths of time as people and ISO 8601 write them: `90`, `5m`, `1h30m`, `PT5M`, `P1DT12H`.
enum DurationText {
  /// More is a mistake: a hundred years.
  static let longest = Duration.seconds(3_155_760_000)

  /// The length of time that a text names, or `nil`.
  ///
  /// Weeks, days, hours, minutes and seconds (`w d h m s`, in either case), each with a decimal point if need be; a
  /// number alone is seconds. Months and years of ISO 8601 have no length and are none.
  static func parse(_ text: String) -> Duration? {
    var text = text
    return text.withUTF8 { parse(UnsafeRawBufferPointer($0)) }
  }

  private static func parse(_ bytes: UnsafeRawBufferPointer) -> Duration? {
    if let seconds = Decimal.parse(bytes) { return duration(seconds: seconds) }
    var position = 0
    let isISO = bytes.first == UInt8(ascii: "P") || bytes.first == UInt8(ascii: "p")
    if isISO { position = 1 }
    var isTime = !isISO
    var sum: Duration?
    while position < bytes.count {
      if isISO, !isTime, bytes[position] | 0x20 == UInt8(ascii: "t") {
        isTime = true
        position += 1
      }
      let start = position
      while position < bytes.count, bytes[position].asciiDigit != nil || bytes[position] == UInt8(ascii: ".")
      {
        position += 1
      }
      guard position < bytes.count,
        let number = Decimal.parse(UnsafeRawBufferPointer(rebasing: bytes[start..<position])),
        let unit = unit(bytes[position], isTime: isTime), let part = duration(seconds: number * unit)
      else { return nil }
      sum = (sum ?? .zero) + part
      guard sum ?? .zero <= longest else { return nil }
      position += 1
    }
    return sum
  }

  private static func unit(_ letter: UInt8, isTime: Bool) -> Double? {
    switch letter | 0x20 {
    case UInt8(ascii: "w"): 604_800
    case UInt8(ascii: "d"): 86_400
    case UInt8(ascii: "h") where isTime: 3600
    case UInt8(ascii: "m") where isTime: 60
    case UInt8(ascii: "s") where isTime: 1
    default: nil
    }
  }

  /// So many seconds to the nanosecond, or `nil` where they are none, negative or more than ``longest``.
  static func duration(seconds: Double) -> Duration? {
    guard seconds >= 0, seconds <= 3_155_760_000 else { return nil }
    return .nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}
