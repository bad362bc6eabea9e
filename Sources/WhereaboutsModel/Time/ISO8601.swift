/// RFC 3339 text for ``UTCTime``, read and written as bytes.
extension UTCTime {
  /// Appends this instant as RFC 3339 in UTC: `2024-03-01T12:30:05.250Z`.
  ///
  /// The text always has milliseconds, and microseconds or nanoseconds where the instant has them.
  package func appendISO8601(to bytes: inout [UInt8]) {
    // On the stack, and appended at once: each append to an array checks its capacity and whether it is shared.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: FixedDigits.capacity) { buffer in
      let count = writeISO8601(to: buffer)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// Writes the text of ``appendISO8601(to:)`` into a buffer of at least 30 bytes.
  ///
  /// - Returns: the number of bytes.
  package func writeISO8601(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    precondition(buffer.count >= FixedDigits.capacity)
    var text = FixedDigits(buffer: buffer)
    text.append(civil)
    return text.count
  }

  /// This instant as RFC 3339 in UTC, with three, six or nine digits of the second: `2024-03-01T12:30:05.250Z`.
  public var iso8601: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(30)
    appendISO8601(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Creates the instant that RFC 3339 text names, or `nil`.
  ///
  /// Variants in recordings are accepted too: a space or lower-case letters in place of `T` and `Z`, a comma before
  /// the fraction, an offset as `+0200`. So are any number of digits of the second (past nine are cut), no zone at
  /// all (UTC), no seconds, a date alone (midnight), and `24:00:00`, the midnight of the next day.
  public init?(iso8601 text: some StringProtocol) {
    var text = String(text)
    let parsed = text.withUTF8 { UTCTime(iso8601: UnsafeRawBufferPointer($0)) }
    guard let parsed else { return nil }
    self = parsed
  }

  /// Creates the instant from ASCII bytes, as ``init(iso8601:)-(StringProtocol)`` does.
  package init?(iso8601 bytes: UnsafeRawBufferPointer) {
    var reader = ISO8601Reader(bytes: bytes)
    guard let time = reader.read() else { return nil }
    self = time
  }

  /// Creates the instant from ASCII bytes, and reads the offset that they state.
  ///
  /// - Parameter offset: set to the minutes ahead of UTC, if the text is read; to `nil` for `Z`, `+00:00` and no zone,
  ///   which programs write for instants alone, and for an offset that no clock has (``isClockOffset(minutes:)``).
  package init?(iso8601 bytes: UnsafeRawBufferPointer, offset: inout Int?) {
    var reader = ISO8601Reader(bytes: bytes)
    guard let time = reader.read() else { return nil }
    let minutes = reader.offset
    offset = minutes != 0 && Self.isClockOffset(minutes: minutes) ? minutes : nil
    self = time
  }

  /// Returns whether a clock may be ahead of UTC by a number of minutes: quarters of an hour, up to 14 hours.
  package static func isClockOffset(minutes: Int) -> Bool { minutes.magnitude <= 840 && minutes % 15 == 0 }
}

/// Text of digits in a buffer that is long enough.
private struct FixedDigits {
  /// Enough for a time with nanoseconds.
  static let capacity = 30

  let buffer: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

  /// Appends a time, of at most ``capacity`` bytes; once.
  mutating func append(_ time: CivilTime) {
    let year = UInt32(truncatingIfNeeded: time.year)
    append(pair: Int(year / 100))
    append(pair: Int(year % 100))
    append("-")
    append(pair: time.month)
    append("-")
    append(pair: time.day)
    append("T")
    append(pair: time.hour)
    append(":")
    append(pair: time.minute)
    append(":")
    append(pair: time.second)
    append(".")
    let (milliseconds, rest) = time.nanosecond.quotientAndRemainder(dividingBy: 1_000_000)
    if rest == 0 {
      append(milliseconds, digits: 3)
    } else if rest % 1000 == 0 {
      append(time.nanosecond / 1000, digits: 6)
    } else {
      append(time.nanosecond, digits: 9)
    }
    append("Z")
  }

  @inline(__always)
  private mutating func append(_ mark: Unicode.Scalar) {
    buffer[count] = UInt8(ascii: mark)
    count &+= 1
  }

  /// Appends a number from 0 to 99 in two digits.
  @inline(__always)
  private mutating func append(pair value: Int) {
    let number = UInt32(truncatingIfNeeded: value)
    buffer[count] = 48 &+ UInt8(truncatingIfNeeded: number / 10)
    buffer[count &+ 1] = 48 &+ UInt8(truncatingIfNeeded: number % 10)
    count &+= 2
  }

  private mutating func append(_ value: Int, digits: Int) {
    var rest = UInt32(truncatingIfNeeded: value)
    for index in stride(from: count + digits - 1, through: count, by: -1) {
      buffer[index] = 48 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += digits
  }
}

private struct ISO8601Reader {
  let bytes: UnsafeRawBufferPointer
  var position = 0
  /// The minutes ahead of UTC that the text states; 0 where it states UTC or nothing.
  private(set) var offset = 0

  init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func read() -> UTCTime? {
    if let time = readUsualForm() { return time }
    guard let year = number(digits: 4), skip("-"), let month = number(digits: 2), skip("-"),
      let day = number(digits: 2)
    else { return nil }
    var civil = CivilTime(year: year, month: month, day: day)
    var offset = 0
    if position < bytes.count {
      guard skip("T") || skip("t") || skip(" "), readTimeOfDay(into: &civil), let zone = readZone() else {
        return nil
      }
      offset = zone
      if civil.hour == 24, civil.minute == 0, civil.second == 0, civil.nanosecond == 0 {
        civil.hour = 0
        offset -= 86_400
      }
    }
    guard position == bytes.count, let local = UTCTime(civil) else { return nil }
    let (shifted, overflow) = local.nanosecondsSince1970
      .subtractingReportingOverflow(Int64(offset) * 1_000_000_000)
    return overflow ? nil : UTCTime(nanosecondsSince1970: shifted)
  }

  /// Returns the time in the form of most recordings, `2024-03-01T12:30:05Z`, with or without milliseconds; `nil` for
  /// any other text.
  private func readUsualForm() -> UTCTime? {
    let end = bytes.count
    guard end == 20 || end == 24, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      bytes[end - 1] == UInt8(ascii: "Z")
    else { return nil }
    // Where there are no digits, the number is too large for each member of a time.
    var civil = CivilTime(
      year: pair(at: 0) * 100 + pair(at: 2), month: pair(at: 5), day: pair(at: 8), hour: pair(at: 11),
      minute: pair(at: 14), second: pair(at: 17))
    if end == 24 {
      guard bytes[19] == UInt8(ascii: "."), let last = bytes[22].asciiDigit else { return nil }
      civil.nanosecond = (pair(at: 20) * 10 + last) * 1_000_000
    }
    return UTCTime(civil)
  }

  /// Returns the number of the two digits at an offset; 100,000 where they are no digits.
  @inline(__always)
  private func pair(at offset: Int) -> Int {
    let tens = bytes[offset] &- 48, ones = bytes[offset + 1] &- 48
    return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : 100_000
  }

  private mutating func readTimeOfDay(into civil: inout CivilTime) -> Bool {
    guard let hour = number(digits: 2), skip(":"), let minute = number(digits: 2) else { return false }
    civil.hour = hour
    civil.minute = minute
    guard skip(":") else { return true }
    guard let second = number(digits: 2) else { return false }
    civil.second = second
    guard skip(".") || skip(",") else { return true }
    var scale = 100_000_000
    let start = position
    while position < bytes.count, let digit = bytes[position].asciiDigit {
      civil.nanosecond += digit * scale
      scale /= 10
      position += 1
    }
    return position > start
  }

  /// Reads the seconds east of UTC; a missing zone means UTC.
  private mutating func readZone() -> Int? {
    if position == bytes.count || skip("Z") || skip("z") { return 0 }
    let sign = skip("+") ? 1 : skip("-") ? -1 : 0
    guard sign != 0, let hours = number(digits: 2) else { return nil }
    _ = skip(":")
    let minutes = position == bytes.count ? 0 : number(digits: 2)
    guard let minutes, hours <= 23, minutes <= 59 else { return nil }
    offset = sign * (hours * 60 + minutes)
    return offset * 60
  }

  private mutating func number(digits: Int) -> Int? {
    guard position + digits <= bytes.count else { return nil }
    var value = 0
    for index in position..<position + digits {
      guard let digit = bytes[index].asciiDigit else { return nil }
      value = value * 10 + digit
    }
    position += digits
    return value
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }
}

extension UInt8 {
  /// The value of an ASCII digit, or `nil`.
  package var asciiDigit: Int? {
    let digit = self &- 48
    return digit < 10 ? Int(digit) : nil
  }
}

extension [UInt8] {
  /// Appends a number that is not negative in exactly `count` digits, with zeros in front; higher digits are cut.
  package mutating func appendDigits(_ value: Int, count: Int) {
    let start = self.count
    var rest = value
    append(contentsOf: repeatElement(48, count: count))
    for index in stride(from: start + count - 1, through: start, by: -1) {
      self[index] = 48 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }
}
