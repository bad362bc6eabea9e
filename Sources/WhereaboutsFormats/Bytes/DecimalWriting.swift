extension [UInt8] {
  /// Appends a whole number in decimal.
  package mutating func appendDecimal(_ value: Int) {
    if value < 0 { append(UInt8(ascii: "-")) }
    var magnitude = value.magnitude
    let start = count
    repeat {
      append(48 + UInt8(truncatingIfNeeded: magnitude % 10))
      magnitude /= 10
    } while magnitude > 0
    reverse(from: start)
  }

  /// Reverses the bytes from that position on, in place: a slice would copy the array.
  mutating func reverse(from start: Int) {
    var low = start, high = count - 1
    while low < high {
      swapAt(low, high)
      low += 1
      high -= 1
    }
  }

  /// Appends the shortest decimal that reads back as the same `Double`; the value must be finite. `5`, not `5.0`.
  ///
  /// Most numbers of a recording are decimals of at most nine places. These are recognised by an exact division back,
  /// and written in integer arithmetic. The standard library writes the rest, with an exponent below 1e-4 with more
  /// than nine places, and from 2^54 up.
  package mutating func appendShortest(_ value: Double) {
    assert(value.isFinite)
    let magnitude = value.magnitude
    if magnitude < 1_000_000 {
      let scaled = (magnitude * 1e9).rounded()
      if scaled / 1e9 == magnitude {
        if value < 0 { append(UInt8(ascii: "-")) }
        appendBillionths(UInt64(scaled))
        return
      }
    } else if magnitude < 9e15, value.rounded(.towardZero) == value {
      appendDecimal(Int(value))
      return
    }
    append(contentsOf: value.description.utf8)
  }

  /// Appends a number of billionths as a decimal without trailing zeros.
  private mutating func appendBillionths(_ billionths: UInt64) {
    let (whole, fraction) = billionths.quotientAndRemainder(dividingBy: 1_000_000_000)
    appendDecimal(Int(whole))
    guard fraction > 0 else { return }
    append(UInt8(ascii: "."))
    var rest = fraction
    var divisor: UInt64 = 100_000_000
    while rest > 0 {
      let (digit, remainder) = rest.quotientAndRemainder(dividingBy: divisor)
      append(48 + UInt8(truncatingIfNeeded: digit))
      rest = remainder
      divisor /= 10
    }
  }
}
