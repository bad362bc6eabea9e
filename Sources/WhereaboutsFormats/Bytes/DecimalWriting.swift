import WhereaboutsModel

extension [UInt8] {
  /// Appends a whole number in decimal.
  package mutating func appendDecimal(_ value: Int) {
    // On the stack, and appended at once: each append to an array checks its capacity and whether it is shared.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ReversedDigits.capacity) { buffer in
      var digits = ReversedDigits(buffer)
      digits.prepend(value.magnitude)
      if value < 0 { digits.prepend(byte: UInt8(ascii: "-")) }
      append(contentsOf: digits.bytes)
    }
  }

  /// Appends the shortest decimal that reads back as the same `Double`; the value must be finite. `5`, not `5.0`.
  ///
  /// Most numbers of a recording are decimals of at most nine places. These are recognised by an exact division back,
  /// and written in integer arithmetic. The standard library writes the rest, with an exponent below 1e-4 with more
  /// than nine places, and from 2^54 up.
  package mutating func appendShortest(_ value: Double) {
    appendText(capacity: StackText.numberCapacity) { $0.appendShortest(value) }
  }

  /// Appends text that is written on the stack, and appended at once.
  ///
  /// - Parameter capacity: the greatest number of bytes.
  @inline(__always)
  mutating func appendText(capacity: Int, _ write: (inout StackText) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
      var text = StackText(buffer)
      write(&text)
      append(contentsOf: text.bytes)
    }
  }
}

/// Text in a buffer of fixed size on the stack. An append beyond its end traps.
///
/// Each append to an array checks its capacity and whether it is shared, which takes longer than a short text itself.
struct StackText {
  /// Room for any number. The longest is a small `Double` without an exponent, of 31 bytes.
  static let numberCapacity = 32

  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private var count = 0

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: buffer[..<count]) }

  /// The part of the buffer after the text.
  private var rest: UnsafeMutableBufferPointer<UInt8> {
    UnsafeMutableBufferPointer(rebasing: buffer[count...])
  }

  /// Appends a constant text.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    let added = text.utf8CodeUnitCount
    precondition(added <= buffer.count &- count)
    UnsafeMutableRawBufferPointer(rest).copyMemory(
      from: UnsafeRawBufferPointer(start: text.utf8Start, count: added))
    count &+= added
  }

  /// Appends an instant as RFC 3339 in UTC, with at least milliseconds.
  mutating func append(_ time: UTCTime) { count &+= time.writeISO8601(to: rest) }

  /// Appends a number as `[UInt8].appendShortest(_:)` does.
  mutating func appendShortest(_ value: Double) {
    assert(value.isFinite)
    let magnitude = value.magnitude
    if magnitude < 1_000_000 {
      let scaled = (magnitude * 1e9).rounded()
      if scaled / 1e9 == magnitude { return append(billionths: UInt64(scaled), isNegative: value < 0) }
    } else if magnitude < 9e15, value.rounded(.towardZero) == value {
      var digits: [UInt8] = []
      digits.appendDecimal(Int(value))
      return append(digits)
    }
    append(value.description.utf8)
  }

  /// Appends a number that is not too large as the shortest decimal without an exponent that reads back as the same
  /// `Double`. A number below 1e-12 is 0.
  mutating func appendPlain(_ value: Double) {
    let magnitude = value.magnitude
    // Only a smaller number with more than nine places has an exponent.
    guard magnitude < 1e-4, (magnitude * 1e9).rounded() / 1e9 != magnitude else {
      return appendShortest(value)
    }
    // As `6.375e-05`, whose digits follow the zeros instead.
    let text = magnitude.description.utf8
    guard magnitude >= 1e-12, let mark = text.firstIndex(of: UInt8(ascii: "e")),
      let exponent = Int(String(text[text.index(after: mark)...]) ?? "")
    else { return appendShortest(0) }
    if value < 0 { append("-") }
    append("0.")
    for _ in 1 ..< -exponent { append("0") }
    append(text[..<mark].filter { $0 != UInt8(ascii: ".") })
  }

  private mutating func append(_ bytes: some Collection<UInt8>) {
    for byte in bytes {
      precondition(count < buffer.count)
      buffer[count] = byte
      count &+= 1
    }
  }

  /// Appends a number of billionths, at most 10¹⁵ of them, as a decimal without trailing zeros.
  private mutating func append(billionths: UInt64, isNegative: Bool) {
    // Within these bytes each word is stored at byte 10 at most: after a sign, eight digits and a point.
    precondition(buffer.count &- count >= 24)
    let text = UnsafeMutableRawBufferPointer(buffer)
    let zeros: UInt64 = 0x3030_3030_3030_3030
    if isNegative {
      buffer[count] = UInt8(ascii: "-")
      count &+= 1
    }
    let whole = WordDigits.digits(UInt32(truncatingIfNeeded: billionths / 1_000_000_000))
    // All but the last of the zeros before the number.
    let skipped = min(7, whole.trailingZeroBitCount &>> 3)
    text.storeBytes(
      of: ((whole | zeros) &>> UInt64(8 &* skipped)).littleEndian, toByteOffset: count, as: UInt64.self)
    count &+= 8 &- skipped
    let fraction = UInt32(truncatingIfNeeded: billionths % 1_000_000_000)
    guard fraction > 0 else { return }
    buffer[count] = UInt8(ascii: ".")
    count &+= 1
    let places = WordDigits.digits(fraction / 10), last = fraction % 10
    text.storeBytes(of: (places | zeros).littleEndian, toByteOffset: count, as: UInt64.self)
    if last > 0 {
      buffer[count &+ 8] = 48 &+ UInt8(truncatingIfNeeded: last)
      count &+= 9
    } else {
      count &+= 8 &- places.leadingZeroBitCount &>> 3
    }
  }
}

/// Digits of a number in a buffer, from the last to the first.
private struct ReversedDigits {
  /// Enough for a sign and the digits of 64 bits.
  static let capacity = 24

  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private var start: Int

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
    self.buffer = buffer
    start = Self.capacity
  }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: buffer[start..<Self.capacity]) }

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
}
