/// Decimal numbers read from ASCII bytes, without strings.
package enum Decimal {
  /// Powers of ten that a `Double` holds exactly.
  static let exactPowers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
  ]

  /// Returns the nearest `Double` to a decimal number, or `nil` if the bytes are anything else.
  ///
  /// The number has an optional sign, digits with an optional point (at least one digit), and an optional exponent.
  /// Spaces, hexadecimal, "nan" and "inf" are refused; a number too large for a `Double` is `nil`.
  ///
  /// Up to 15 significant digits with a small exponent are one division of two exact numbers, hence correctly rounded
  /// (Clinger 1990). The standard library parses the rest.
  package static func parse(_ bytes: UnsafeRawBufferPointer) -> Double? {
    var position = 0
    let end = bytes.count
    guard end > 0 else { return nil }
    let isNegative = bytes[0] == UInt8(ascii: "-")
    if isNegative || bytes[0] == UInt8(ascii: "+") { position = 1 }
    if let value = parseShort(bytes, from: position) { return isNegative ? -value : value }

    var mantissa: UInt64 = 0
    var digits = 0
    var significant = 0
    var exponent = 0
    var seenPoint = false
    while position < end {
      let byte = bytes[position]
      let digit = byte &- 48
      if digit < 10 {
        digits += 1
        if significant > 0 || digit != 0 { significant += 1 }
        if significant <= 18 {
          mantissa = mantissa &* 10 &+ UInt64(digit)
          if seenPoint { exponent -= 1 }
        }
      } else if byte == UInt8(ascii: "."), !seenPoint {
        seenPoint = true
      } else {
        break
      }
      position += 1
    }
    guard digits > 0 else { return nil }
    guard position == end, significant <= 15, exponent >= -22 else {
      return parseSlowly(bytes)
    }
    let value = Double(mantissa) / exactPowers[-exponent]
    return isNegative ? -value : value
  }

  /// Returns the value of at most 15 digits with an optional point; `nil` for anything else, also for a longer number.
  ///
  /// Nearly all numbers of recordings are such. Their digits need no counting.
  @inline(__always)
  private static func parseShort(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Double? {
    let end = bytes.count
    guard end &- start <= 16 else { return nil }
    var mantissa: UInt64 = 0
    var places = 0
    var digits = end &- start
    var position = start
    while position < end {
      let byte = bytes[position]
      position &+= 1
      let digit = byte &- 48
      if digit < 10 {
        // At most 16 digits, which can't overflow.
        mantissa = mantissa &* 10 &+ UInt64(digit)
      } else if byte == UInt8(ascii: "."), digits == end &- start {
        digits &-= 1
        places = end &- position
      } else {
        return nil
      }
    }
    guard digits > 0, digits <= 15 else { return nil }
    return Double(mantissa) / exactPowers[places]
  }

  private static func parseSlowly(_ bytes: UnsafeRawBufferPointer) -> Double? {
    // The standard library would also accept hexadecimal, "inf" and "nan".
    guard bytes.allSatisfy({ $0.asciiDigitOrNumberMark }) else { return nil }
    guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else { return nil }
    return value
  }
}

extension UInt8 {
  fileprivate var asciiDigitOrNumberMark: Bool {
    switch self {
    case 48...57, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"),
      UInt8(ascii: "E"):
      true
    default: false
    }
  }
}
