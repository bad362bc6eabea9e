extension FieldReader {
  /// Returns a latitude with its hemisphere letter: degrees, north positive.
  @inline(__always)
  mutating func latitude() -> Double? {
    angle(digits: 4, positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S"), limit: 90)
  }

  /// Returns a longitude with its hemisphere letter: degrees, east positive.
  @inline(__always)
  mutating func longitude() -> Double? {
    angle(digits: 5, positive: UInt8(ascii: "E"), negative: UInt8(ascii: "W"), limit: 180)
  }

  /// Returns a latitude and longitude with their letters; `nil` if any of the four is absent or wrong.
  @inline(__always)
  mutating func position() -> Position? {
    // Both are read in any case, so that the fields after them are found.
    let latitude = latitude()
    let longitude = longitude()
    guard let latitude, let longitude else { return nil }
    return Position(latitude: latitude, longitude: longitude)
  }

  /// Reads degrees and minutes as `dddmm.mmmm`, and a letter.
  ///
  /// An empty letter is not a hemisphere: the field is then absent for any digits. Receivers that send zeros without
  /// letters mean "unknown" and not the Gulf of Guinea.
  @inline(__always)
  private mutating func angle(digits: Int, positive: UInt8, negative: UInt8, limit: Double) -> Double? {
    var degrees: Double?
    // Without a fix the field is empty. The byte at `end` is readable and no comma.
    if next <= end, next.load(as: UInt8.self) == UInt8(ascii: ",") {
      advance(past: next)
    } else {
      degrees = usualDegrees(digits: digits) ?? degreesAndMinutes()
    }
    let letter = letter()
    guard let degrees, let letter else { return nil }
    guard letter == positive || letter == negative, degrees <= limit else {
      report(.badCoordinate)
      return nil
    }
    return letter == positive ? degrees : 0 - degrees
  }

  /// Reads degrees and minutes as nearly all receivers write them: four digits of latitude or five of longitude, a
  /// point, and one to eight decimals. Leaves the reader in place and returns `nil` for all else.
  @inline(__always)
  private mutating func usualDegrees(digits: Int) -> Double? {
    // `digits`, the point and eight bytes more are before `end`, and the byte at `end` is readable, so every load below is
    // in bounds.
    guard end - next >= digits &+ 9, (next + digits).load(as: UInt8.self) == UInt8(ascii: ".") else {
      return nil
    }
    let whole = UInt64(UInt32(littleEndian: (next + (digits &- 4)).loadUnaligned(as: UInt32.self)))
    let wholeValues = whole ^ 0x3030_3030
    let hundreds = digits == 5 ? next.load(as: UInt8.self) &- 48 : 0
    let decimals = WordDigits.values(
      UInt64(littleEndian: (next + (digits &+ 1)).loadUnaligned(as: UInt64.self)))
    let others = WordDigits.others(decimals)
    let count = others.trailingZeroBitCount &>> 3
    guard WordDigits.others(wholeValues) == 0, hundreds < 10, count > 0 else { return nil }
    let fieldEnd = next + (digits &+ 1 &+ count)
    let pairs = WordDigits.pairs(wholeValues)
    let minutes = pairs &>> 16 & 0xFF
    guard fieldEnd.load(as: UInt8.self) == UInt8(ascii: ","), minutes < 60 else { return nil }
    advance(past: fieldEnd)
    let degrees = UInt64(hundreds) &* 100 &+ pairs & 0xFF
    let scale = WordDigits.power(count)
    let fraction = Int64(truncatingIfNeeded: WordDigits.number(decimals, count: count))
    // As in `degreesAndMinutes`: one rounding. The numbers are below 2^40, so their signed form is the same number.
    let numerator = Int64(truncatingIfNeeded: degrees &* 60 &+ minutes) &* scale &+ fraction
    return Double(numerator) / Double(60 &* scale)
  }

  @inline(never)
  private mutating func degreesAndMinutes() -> Double? {
    guard next <= end else { return nil }
    let start = next
    var pointer = start
    var whole: UInt64 = 0, fraction: UInt64 = 0, scale: UInt64 = 1
    var digit = pointer.load(as: UInt8.self) &- 48
    while digit < 10 {
      whole = whole &* 10 &+ UInt64(digit)
      pointer += 1
      digit = pointer.load(as: UInt8.self) &- 48
    }
    let pointAt = pointer
    if pointer.load(as: UInt8.self) == UInt8(ascii: ".") {
      pointer += 1
      digit = pointer.load(as: UInt8.self) &- 48
      while digit < 10 {
        fraction = fraction &* 10 &+ UInt64(digit)
        scale = scale &* 10
        pointer += 1
        digit = pointer.load(as: UInt8.self) &- 48
      }
    }
    // Eleven decimals of a minute are 20 nanometres and the most that the sum below holds exactly.
    guard isFieldEnd(pointer), pointAt - start <= 5, pointAt > start, pointer - pointAt <= 12 else {
      return nonstandardDegrees(from: start)
    }
    advance(past: pointer)
    let degrees = whole / 100, minutes = whole % 100
    guard minutes < 60 else {
      report(.badCoordinate)
      return nil
    }
    // One rounding: the quotient of two whole numbers that are represented exactly.
    return Double((degrees * 60 + minutes) &* scale &+ fraction) / Double(60 &* scale)
  }

  /// Reads a value with blanks around it, or with more digits than a `Double` distinguishes.
  @inline(never)
  private mutating func nonstandardDegrees(from start: UnsafeRawPointer) -> Double? {
    skip()
    let text = UnsafeRawBufferPointer(start: start, count: next - 1 - start)
    var field = FieldReader(from: start, to: next - 1)
    guard let value = field.number(), !text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else {
      if !text.allSatisfy({ $0 == UInt8(ascii: " ") }) { report(.badCoordinate) }
      return nil
    }
    let degrees = (value / 100).rounded(.down)
    let minutes = value - degrees * 100
    guard value >= 0, minutes < 60, degrees <= 180 else {
      report(.badCoordinate)
      return nil
    }
    return degrees + minutes / 60
  }
}

/// Latitude and longitude in degrees, in range.
struct Position: Equatable {
  var latitude: Double
  var longitude: Double
}
