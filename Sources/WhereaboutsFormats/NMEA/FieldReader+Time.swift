/// A time of day in nanoseconds since midnight, up to the end of a leap second: in [0, 86,401 s).
struct TimeOfDay: Hashable {
  var nanoseconds: Int64

  static let day: Int64 = 86_400_000_000_000
  static let halfDay: Int64 = 43_200_000_000_000
}

extension FieldReader {
  /// Returns a time of day as `hhmmss` with any number of decimals.
  @inline(__always)
  mutating func timeOfDay() -> TimeOfDay? { usualTimeOfDay() ?? anyTimeOfDay() }

  /// Reads six digits with up to seven decimals. Leaves the reader in place and returns `nil` for all else.
  @inline(__always)
  private mutating func usualTimeOfDay() -> TimeOfDay? {
    // Fifteen bytes before `end`: two words, of which the second one begins after the point.
    guard end - next >= 15 else { return nil }
    let first = UInt64(littleEndian: next.loadUnaligned(as: UInt64.self))
    let values = WordDigits.values(first & 0xFFFF_FFFF_FFFF)
    // The two bytes that are cut off read as no digits.
    guard WordDigits.others(values) & 0x8080_8080_8080 == 0 else { return nil }
    let pairs = WordDigits.pairs(values)
    let hour = Int64(pairs & 0xFF), minute = Int64(pairs &>> 16 & 0xFF), second = Int64(pairs &>> 32 & 0xFF)
    guard hour < 24, minute < 60, second <= 60 else { return nil }
    var fraction: Int64 = 0
    var fieldEnd = next + 6
    if UInt8(truncatingIfNeeded: first &>> 48) == UInt8(ascii: ".") {
      let decimals = WordDigits.values(UInt64(littleEndian: (next + 7).loadUnaligned(as: UInt64.self)))
      let count = WordDigits.others(decimals).trailingZeroBitCount &>> 3
      guard count > 0, count < 8 else { return nil }
      fraction =
        Int64(truncatingIfNeeded: WordDigits.number(decimals, count: count)) &* WordDigits.power(9 &- count)
      fieldEnd = next + (7 &+ count)
    }
    guard fieldEnd.load(as: UInt8.self) == UInt8(ascii: ",") else { return nil }
    advance(past: fieldEnd)
    return TimeOfDay(nanoseconds: ((hour &* 60 &+ minute) &* 60 &+ second) &* 1_000_000_000 &+ fraction)
  }

  @inline(never)
  private mutating func anyTimeOfDay() -> TimeOfDay? {
    guard next < end else {
      skip()
      return nil
    }
    let start = next
    skip()
    let length = next - 1 - start
    guard length > 0 else { return nil }
    guard length >= 6 else {
      report(.badTime)
      return nil
    }
    var badDigits = false
    let hour = twoDigits(at: start, &badDigits)
    let minute = twoDigits(at: start + 2, &badDigits)
    let second = twoDigits(at: start + 4, &badDigits)
    guard !badDigits, hour < 24, minute < 60, second <= 60,
      let fraction = length == 6 ? 0 : nanoseconds(from: start + 6, to: next - 1)
    else {
      report(.badTime)
      return nil
    }
    return TimeOfDay(nanoseconds: ((hour &* 60 &+ minute) &* 60 &+ second) &* 1_000_000_000 &+ fraction)
  }

  /// Returns a date as `ddmmyy`: years 69 to 99 are of the last century, 00 to 68 of this one.
  @inline(__always)
  mutating func date() -> CivilDay? { usualDay() ?? anyDay() }

  /// Reads six digits that make a date. Leaves the reader in place and returns `nil` for all else.
  @inline(__always)
  private mutating func usualDay() -> CivilDay? {
    // The eight bytes of the load are before `end`.
    guard end - next >= 8 else { return nil }
    let word = UInt64(littleEndian: next.loadUnaligned(as: UInt64.self))
    let values = WordDigits.values(word)
    guard WordDigits.others(values) & 0x8080_8080_8080 == 0, word &>> 48 & 0xFF == 0x2C else { return nil }
    let pairs = WordDigits.pairs(values)
    guard
      let date = CivilDay(
        twoDigitYear: Int(pairs &>> 32 & 0xFF), month: Int(pairs &>> 16 & 0xFF), day: Int(pairs & 0xFF))
    else { return nil }
    advance(past: next + 6)
    return date
  }

  @inline(never)
  private mutating func anyDay() -> CivilDay? {
    guard next < end else {
      skip()
      return nil
    }
    let start = next
    skip()
    let length = next - 1 - start
    guard length > 0 else { return nil }
    guard length == 6 else {
      report(.badTime)
      return nil
    }
    var badDigits = false
    let day = twoDigits(at: start, &badDigits)
    let month = twoDigits(at: start + 2, &badDigits)
    let year = twoDigits(at: start + 4, &badDigits)
    guard !badDigits,
      let date = CivilDay(twoDigitYear: Int(year), month: Int(month), day: Int(day))
    else {
      report(.badTime)
      return nil
    }
    return date
  }

  @inline(__always)
  private func twoDigits(at pointer: UnsafeRawPointer, _ isBad: inout Bool) -> Int64 {
    let tens = pointer.load(as: UInt8.self) &- 48, ones = (pointer + 1).load(as: UInt8.self) &- 48
    if tens > 9 || ones > 9 { isBad = true }
    return Int64(tens) &* 10 &+ Int64(ones)
  }

  /// Returns a decimal fraction of a second, with its point; digits past the ninth are cut.
  @inline(__always)
  private func nanoseconds(from start: UnsafeRawPointer, to end: UnsafeRawPointer) -> Int64? {
    guard start.load(as: UInt8.self) == UInt8(ascii: ".") else { return nil }
    var value: Int64 = 0, unit: Int64 = 100_000_000
    var pointer = start + 1
    while pointer < end {
      let digit = pointer.load(as: UInt8.self) &- 48
      guard digit < 10 else { return nil }
      value &+= Int64(digit) &* unit
      unit /= 10
      pointer += 1
    }
    return value
  }
}
