extension FieldReader {
  /// Returns a latitude with its hemisphere letter: degrees, north positive.
  @inline(__always)
  mutating func latitude() -> Double? {
    angle(positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S"), limit: 90)
  }

  /// Returns a longitude with its hemisphere letter: degrees, east positive.
  @inline(__always)
  mutating func longitude() -> Double? {
    angle(positive: UInt8(ascii: "E"), negative: UInt8(ascii: "W"), limit: 180)
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

  /// Degrees and minutes as `dddmm.mmmm`, and a letter.
  ///
  /// An empty letter is not a hemisphere: the field is absent then, whatever the digits say, for receivers that send
  /// zeros without letters mean "unknown" and not the Gulf of Guinea.
  @inline(__always)
  private mutating func angle(positive: UInt8, negative: UInt8, limit: Double) -> Double? {
    let degrees = degreesAndMinutes()
    let letter = letter()
    guard let degrees, let letter else { return nil }
    guard letter == positive || letter == negative, degrees <= limit else {
      report(.badCoordinate)
      return nil
    }
    return letter == positive ? degrees : 0 - degrees
  }

  @inline(__always)
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
    // One rounding: the quotient of two whole numbers that are held exactly.
    return Double((degrees * 60 + minutes) &* scale &+ fraction) / Double(60 &* scale)
  }

  /// With blanks around it, or with more digits than a `Double` tells apart.
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
