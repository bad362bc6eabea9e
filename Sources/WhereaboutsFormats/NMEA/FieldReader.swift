/// A reader of one sentence's fields from left to right.
///
/// The sentence must be followed by one readable byte that is no digit (its `*` or its line's end): loops over digits
/// rely on that and check no bounds. Absent fields, and all fields after the last, read as `nil`. An invalid field
/// reads as `nil` too and is kept in ``problem``.
struct FieldReader {
  /// The first byte of the next field; beyond `end` once all fields are read.
  private(set) var next: UnsafeRawPointer
  /// The end of the last field, one past its last byte.
  let end: UnsafeRawPointer
  /// The first thing that could not be read.
  private(set) var problem: InputProblem.Kind?

  @inline(__always)
  init(from first: UnsafeRawPointer, to end: UnsafeRawPointer) {
    self.next = first
    self.end = end
  }

  /// Whether there is no further field, not even an empty one.
  @inline(__always)
  var isExhausted: Bool { next > end }

  /// Records a problem, the first one only.
  @inline(never)
  mutating func report(_ kind: InputProblem.Kind) {
    problem = problem ?? kind
  }

  @inline(__always)
  private func byte(at pointer: UnsafeRawPointer) -> UInt8 { pointer.load(as: UInt8.self) }

  /// Returns whether a field ends before this byte.
  @inline(__always)
  func isFieldEnd(_ pointer: UnsafeRawPointer) -> Bool {
    byte(at: pointer) == UInt8(ascii: ",") || pointer >= end
  }

  // MARK: - Text

  /// Advances to the field after the one that ends before this byte.
  @inline(__always)
  mutating func advance(past fieldEnd: UnsafeRawPointer) {
    next = fieldEnd + 1
  }

  /// Skips a field.
  @inline(__always)
  mutating func skip() {
    guard next <= end else { return }
    var pointer = next
    while true {
      // Commas and the characters after the body sort before nearly everything in it.
      while byte(at: pointer) > UInt8(ascii: ",") { pointer += 1 }
      if isFieldEnd(pointer) { break }
      pointer += 1
    }
    next = pointer + 1
  }

  /// Skips a field; returns whether it was absent or empty.
  @inline(__always)
  mutating func skipIsEmpty() -> Bool {
    let start = next
    skip()
    return next - start <= 1
  }

  /// Skips some fields, and returns how many of them were not empty.
  ///
  /// The usual field is empty or has two digits.
  @inline(__always)
  mutating func countFilled(of count: Int) -> Int {
    var pointer = next
    var filled = 0, remaining = count
    while remaining > 0 {
      if end - pointer >= 4 {
        // The four bytes are before `end`.
        let word = UInt32(littleEndian: pointer.loadUnaligned(as: UInt32.self))
        if word == 0x2C2C_2C2C, remaining >= 4 {
          remaining &-= 4
          pointer += 4
          continue
        }
        if word & 0xFF == 0x2C {
          remaining &-= 1
          pointer += 1
          continue
        }
        if word & 0xFF_0000 == 0x2C_0000, word & 0xFF00 != 0x2C00 {
          remaining &-= 1
          filled &+= 1
          pointer += 3
          continue
        }
      }
      guard pointer <= end else { break }
      remaining &-= 1
      next = pointer
      if !skipIsEmpty() { filled &+= 1 }
      pointer = next
    }
    next = pointer
    return filled
  }

  /// Skips some fields.
  @inline(__always)
  mutating func skip(_ count: Int) {
    for _ in 0..<count { skip() }
  }

  /// Returns the first byte of the next field and the field's length; `nil` for an absent field.
  @inline(__always)
  mutating func text() -> (first: UInt8, count: Int)? {
    let start = next
    skip()
    let count = next - start - 1
    return start > end || count <= 0 ? nil : (byte(at: start), count)
  }

  /// Returns the only byte of the next field; `nil` if absent or longer.
  @inline(__always)
  mutating func letter() -> UInt8? {
    guard next <= end else { return nil }
    // Nearly always one byte or none.
    if next < end, byte(at: next) != UInt8(ascii: ","), isFieldEnd(next + 1) {
      defer { next += 2 }
      return byte(at: next)
    }
    guard let field = text() else { return nil }
    if field.count > 1 { report(.malformed) }
    return nil
  }

  // MARK: - Numbers

  /// Returns a decimal number.
  @inline(__always)
  mutating func number() -> Double? {
    guard next <= end else { return nil }
    let start = next
    // Many fields are empty. The byte at `end` is readable and no comma.
    if byte(at: start) == UInt8(ascii: ",") {
      next = start + 1
      return nil
    }
    return usualNumber() ?? anyNumber()
  }

  /// Reads up to ten characters of digits, with a point among them or before them or without one. Leaves the reader in
  /// place and returns `nil` for all else.
  ///
  /// Most numbers have three to five characters: fewer instructions read them one by one than as a word.
  @inline(__always)
  private mutating func usualNumber() -> Double? {
    let start = next
    var mantissa: UInt64 = 0
    let point = readDigits(from: start, into: &mantissa)
    guard byte(at: point) == UInt8(ascii: ".") else {
      guard (1...10).contains(point - start), isFieldEnd(point) else { return nil }
      advance(past: point)
      return Double(Int64(truncatingIfNeeded: mantissa))
    }
    let fieldEnd = readDigits(from: point + 1, into: &mantissa)
    guard (2...10).contains(fieldEnd - start), isFieldEnd(fieldEnd) else { return nil }
    advance(past: fieldEnd)
    // Both are represented exactly, so the quotient is the nearest number to the written one.
    return Double(Int64(truncatingIfNeeded: mantissa)) / Double(WordDigits.power(fieldEnd - point &- 1))
  }

  /// Appends digits to a whole number; returns the first byte that is none.
  @inline(__always)
  private func readDigits(from start: UnsafeRawPointer, into value: inout UInt64) -> UnsafeRawPointer {
    var pointer = start
    var digit = UInt64(byte(at: pointer)) &- 48
    while digit < 10 {
      value = value &* 10 &+ digit
      pointer += 1
      digit = UInt64(byte(at: pointer)) &- 48
    }
    return pointer
  }

  @inline(never)
  private mutating func anyNumber() -> Double? {
    let start = next
    var pointer = start
    let isNegative = byte(at: pointer) == UInt8(ascii: "-")
    if isNegative { pointer += 1 }
    var mantissa: UInt64 = 0, scale: UInt64 = 1
    var digit = byte(at: pointer) &- 48
    while digit < 10 {
      mantissa = mantissa &* 10 &+ UInt64(digit)
      pointer += 1
      digit = byte(at: pointer) &- 48
    }
    if byte(at: pointer) == UInt8(ascii: ".") {
      pointer += 1
      digit = byte(at: pointer) &- 48
      while digit < 10 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
        scale = scale &* 10
        pointer += 1
        digit = byte(at: pointer) &- 48
      }
    }
    if pointer == start, isFieldEnd(pointer) {
      next = pointer + 1
      return nil
    }
    // With more than 15 digits the arithmetic above is not exact.
    guard isFieldEnd(pointer), pointer - start <= 16, (pointer - 1).load(as: UInt8.self) &- 48 < 10 else {
      return nonstandardNumber(from: start)
    }
    next = pointer + 1
    // Both are represented exactly, so the quotient is the nearest number to the written one. Both are at most 10^16,
    // and signed numbers are converted by one instruction.
    let magnitude = Double(Int64(truncatingIfNeeded: mantissa)) / Double(Int64(truncatingIfNeeded: scale))
    return isNegative ? -magnitude : magnitude
  }

  /// Returns a course in degrees. A course not from 0 to 360 is a problem, but a negative one is absent.
  @inline(__always)
  mutating func course() -> Double? {
    guard let degrees = number() else { return nil }
    if degrees > 360 { report(.badNumber) }
    return degrees >= 0 && degrees <= 360 ? degrees : nil
  }

  /// Reads a number with a plus sign, with spaces around it, or with very many digits.
  @inline(never)
  private mutating func nonstandardNumber(from start: UnsafeRawPointer) -> Double? {
    next = start
    skip()
    var first = start, last = next - 1
    while first < last, byte(at: first) == UInt8(ascii: " ") { first += 1 }
    while first < last, byte(at: last - 1) == UInt8(ascii: " ") { last -= 1 }
    guard first < last else { return nil }
    guard let value = Decimal.parse(UnsafeRawBufferPointer(start: first, count: last - first)) else {
      report(.badNumber)
      return nil
    }
    return value
  }

  /// Returns a whole number that is not negative.
  @inline(__always)
  mutating func integer() -> Int? {
    guard next <= end else { return nil }
    var pointer = next
    var value = 0
    var digit = byte(at: pointer) &- 48
    while digit < 10 {
      value = value &* 10 &+ Int(digit)
      pointer += 1
      digit = byte(at: pointer) &- 48
    }
    guard isFieldEnd(pointer), pointer - next <= 9 else { return nonstandardInteger() }
    defer { next = pointer + 1 }
    return pointer > next ? value : nil
  }

  @inline(never)
  private mutating func nonstandardInteger() -> Int? {
    guard let value = nonstandardNumber(from: next) else { return nil }
    guard let whole = Int(exactly: value), whole >= 0 else {
      report(.badNumber)
      return nil
    }
    return whole
  }
}
