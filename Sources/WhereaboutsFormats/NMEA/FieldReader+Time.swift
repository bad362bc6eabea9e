/// Nanoseconds since midnight, up to the end of a leap second: in [0, 86,401 s).
struct TimeOfDay: Hashable {
  var nanoseconds: Int64

  static let day: Int64 = 86_400_000_000_000
  static let halfDay: Int64 = 43_200_000_000_000
}

extension FieldReader {
  /// Returns a time of day as `hhmmss` with any number of decimals.
  @inline(__always)
  mutating func timeOfDay() -> TimeOfDay? {
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
  mutating func date() -> CivilDay? {
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
      let date = CivilDay(year: Int(year < 69 ? 2000 + year : 1900 + year), month: Int(month), day: Int(day))
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

  /// A decimal fraction of a second, with its point; digits past the ninth are cut.
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
