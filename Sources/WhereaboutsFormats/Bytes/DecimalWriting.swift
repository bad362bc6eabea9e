extension [UInt8] {
  /// Appends a whole number in decimal.
  package mutating func appendDecimal(_ value: Int) {
    appendNumber(isNegative: value < 0) { $0.prepend(value.magnitude) }
  }

  /// Appends a number whose digits are written from the last to the first.
  ///
  /// On the stack, and appended at once: each append to an array checks its capacity and whether it is shared.
  private mutating func appendNumber(isNegative: Bool, _ write: (inout ReversedDigits) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: ReversedDigits.capacity, alignment: 1) { buffer in
      var digits = ReversedDigits(buffer)
      write(&digits)
      if isNegative { digits.prepend(byte: UInt8(ascii: "-")) }
      append(contentsOf: digits.bytes)
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
        appendNumber(isNegative: value < 0) { $0.prepend(billionths: UInt64(scaled)) }
        return
      }
    } else if magnitude < 9e15, value.rounded(.towardZero) == value {
      appendDecimal(Int(value))
      return
    }
    append(contentsOf: value.description.utf8)
  }
}

/// Digits of a number in a buffer, from the last to the first.
private struct ReversedDigits {
  /// Enough for a sign, the digits of 64 bits, a point and nine places.
  static let capacity = 40

  private let buffer: UnsafeMutableRawBufferPointer
  private var start: Int

  init(_ buffer: UnsafeMutableRawBufferPointer) {
    self.buffer = buffer
    start = Self.capacity
  }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[start..<Self.capacity]) }

  mutating func prepend(byte: UInt8) {
    start -= 1
    buffer[start] = byte
  }

  mutating func prepend(_ number: UInt) {
    var rest = number
    repeat {
      let (next, digit) = rest.quotientAndRemainder(dividingBy: 10)
      prepend(byte: 48 + UInt8(truncatingIfNeeded: digit))
      rest = next
    } while rest > 0
  }

  /// Prepends a number of billionths as a decimal without trailing zeros.
  mutating func prepend(billionths: UInt64) {
    let (whole, fraction) = billionths.quotientAndRemainder(dividingBy: 1_000_000_000)
    if fraction > 0 {
      // In 32 bits, where a division by a constant is cheapest.
      var rest = UInt32(truncatingIfNeeded: fraction), places = 9
      while rest % 10 == 0 {
        rest /= 10
        places -= 1
      }
      for _ in 0..<places {
        prepend(byte: 48 + UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
      }
      prepend(byte: UInt8(ascii: "."))
    }
    prepend(UInt(whole))
  }
}
