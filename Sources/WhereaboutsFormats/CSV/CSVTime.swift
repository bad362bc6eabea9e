import WhereaboutsModel

extension UTCTime {
  /// Creates the instant of a CSV field, or `nil`.
  ///
  /// The field is text as in ``UTCTime/init(iso8601:)-(StringProtocol)``, also with `/` in the date, or a number. A
  /// number counts seconds, milliseconds, microseconds or nanoseconds since 1970, whichever is between the years 1973
  /// and 5138.
  init?(csv bytes: UnsafeRawBufferPointer) {
    var offset: Int?
    self.init(csv: bytes, offset: &offset)
  }

  /// - Parameter offset: set to the minutes ahead of UTC that a text states.
  init?(csv bytes: UnsafeRawBufferPointer, offset: inout Int?) {
    if let time = UTCTime(iso8601: bytes, offset: &offset) ?? UTCTime(unix: bytes) {
      self = time
    } else {
      self.init(date: bytes, timeOfDay: UnsafeRawBufferPointer(start: nil, count: 0), offset: &offset)
    }
  }

  /// Creates the instant that a date and a time of day in two fields name, or `nil`.
  ///
  /// - Parameter offset: set to the minutes ahead of UTC that the text states.
  init?(date: UnsafeRawBufferPointer, timeOfDay: UnsafeRawBufferPointer, offset: inout Int?) {
    let count = date.count + timeOfDay.count + 1
    guard count <= 64 else { return nil }
    let time = withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { text -> UTCTime? in
      for (index, byte) in date.enumerated() {
        text[index] = byte == UInt8(ascii: "/") ? UInt8(ascii: "-") : byte
      }
      guard timeOfDay.count > 0 else {
        return UTCTime(iso8601: UnsafeRawBufferPointer(rebasing: text[..<date.count]), offset: &offset)
      }
      text[date.count] = UInt8(ascii: "T")
      for (index, byte) in timeOfDay.enumerated() { text[date.count + 1 + index] = byte }
      return UTCTime(iso8601: UnsafeRawBufferPointer(text), offset: &offset)
    }
    guard let time else { return nil }
    self = time
  }

  /// Creates the instant that a number of seconds, or of a thousandth, millionth or billionth of one, since 1970 names.
  ///
  /// Plain decimals are exact to the nanosecond, which a `Double` of this size is not.
  private init?(unix bytes: UnsafeRawBufferPointer) {
    var whole: Int64 = 0
    var wholeDigits = 0
    var nanoseconds: Int64 = 0
    var position = 0
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative { position = 1 }
    while position < bytes.count, let digit = bytes[position].asciiDigit {
      guard wholeDigits < 19 else { return nil }
      let (tens, overflow) = whole.multipliedReportingOverflow(by: 10)
      let (sum, carried) = tens.addingReportingOverflow(Int64(digit))
      guard !overflow, !carried else { return nil }
      whole = sum
      wholeDigits += 1
      position += 1
    }
    guard wholeDigits > 0 else { return nil }
    let unit = UTCTime.nanosecondsPerUnit(of: whole)
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      var scale = unit / 10
      while position < bytes.count, let digit = bytes[position].asciiDigit {
        nanoseconds += Int64(digit) * scale
        scale /= 10
        position += 1
      }
    }
    guard position == bytes.count else {
      guard let value = Decimal.parse(bytes) else { return nil }
      self.init(secondsSince1970: value)
      return
    }
    let (product, tooFar) = whole.multipliedReportingOverflow(by: unit)
    let (sum, carried) = product.addingReportingOverflow(nanoseconds)
    guard !tooFar, !carried else { return nil }
    self.init(nanosecondsSince1970: isNegative ? -sum : sum)
  }

  /// Returns the unit of a number by its size, in nanoseconds. Ten to the eleventh is the year 5138 in seconds, 1973
  /// in milliseconds.
  private static func nanosecondsPerUnit(of number: Int64) -> Int64 {
    switch number {
    case ..<100_000_000_000: 1_000_000_000
    case ..<100_000_000_000_000: 1_000_000
    case ..<100_000_000_000_000_000: 1000
    default: 1
    }
  }
}
