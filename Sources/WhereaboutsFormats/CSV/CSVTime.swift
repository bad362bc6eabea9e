import WhereaboutsModel

extension UTCTime {
  /// Creates the instant of a CSV field, or `nil`.
  ///
  /// The field is text as in ``UTCTime/init(iso8601:)-(StringProtocol)``, also with `/` in the date, with the day first
  /// (`1.3.2024`), with months, days and hours of one digit, with `AM` or `PM`, and with the zone `UTC`, `GMT` or ` +0200`;
  /// or a number. A number counts seconds, milliseconds, microseconds or nanoseconds since 1970, whichever is between the
  /// years 1973 and 5138.
  init?(csv bytes: UnsafeRawBufferPointer) {
    var offset: Int?
    self.init(csv: bytes, offset: &offset)
  }

  /// - Parameters:
  ///   - order: the order of the day and the month in `1/3/2024` and `1-3-2024`, which are refused without it.
  ///   - offset: set to the minutes ahead of UTC that a text states.
  init?(csv bytes: UnsafeRawBufferPointer, order: CSVDateOrder? = nil, offset: inout Int?) {
    if let time = UTCTime(iso8601: bytes, offset: &offset) ?? UTCTime(unix: bytes) {
      self = time
    } else {
      self.init(
        date: bytes, timeOfDay: UnsafeRawBufferPointer(start: nil, count: 0), order: order,
        offset: &offset)
    }
  }

  /// Creates the instant that a date and a time of day in two fields name, or `nil`.
  ///
  /// - Parameters:
  ///   - order: the order of the day and the month in `1/3/2024` and `1-3-2024`, which are refused without it.
  ///   - offset: set to the minutes ahead of UTC that the text states.
  init?(
    date: UnsafeRawBufferPointer, timeOfDay: UnsafeRawBufferPointer, order: CSVDateOrder? = nil,
    offset: inout Int?
  ) {
    // A time of day of 12 hours.
    if let text = (timeOfDay.isEmpty ? date : timeOfDay).in24Hours {
      let time = text.withUnsafeBytes { text -> UTCTime? in
        // A second word, as in `3:05 AM PM`, contradicts the first one or is a damaged text.
        guard text.in24Hours == nil else { return nil }
        let (date, timeOfDay) = timeOfDay.isEmpty ? (text, timeOfDay) : (date, text)
        return UTCTime(date: date, timeOfDay: timeOfDay, order: order, offset: &offset)
      }
      guard let time else { return nil }
      self = time
      return
    }
    // An hour of one digit, as in `9:05`.
    if timeOfDay.count > 1, timeOfDay[0].asciiDigit != nil, timeOfDay[1] == UInt8(ascii: ":") {
      let twoDigits: [UInt8] = [UInt8(ascii: "0")] + timeOfDay
      let time = twoDigits.withUnsafeBytes {
        UTCTime(date: date, timeOfDay: $0, order: order, offset: &offset)
      }
      guard let time else { return nil }
      self = time
      return
    }
    if let date = date.withYearFirst(order: order) {
      let time = date.withUnsafeBytes { UTCTime(date: $0, timeOfDay: timeOfDay, offset: &offset) }
      guard let time else { return nil }
      self = time
      return
    }
    let count = date.count + timeOfDay.count + 1
    guard count <= 64 else { return nil }
    let time = withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { text -> UTCTime? in
      for (index, byte) in date.enumerated() {
        text[index] = byte == UInt8(ascii: "/") ? UInt8(ascii: "-") : byte
      }
      guard timeOfDay.count > 0 else {
        return UTCTime(spacedZone: UnsafeRawBufferPointer(rebasing: text[..<date.count]), offset: &offset)
      }
      text[date.count] = UInt8(ascii: "T")
      for (index, byte) in timeOfDay.enumerated() { text[date.count + 1 + index] = byte }
      return UTCTime(spacedZone: UnsafeRawBufferPointer(text), offset: &offset)
    }
    guard let time else { return nil }
    self = time
  }

  /// Creates the instant of a text whose zone may be `UTC` or `GMT`, or have a space before it, as in
  /// `2024-03-01 12:30:05 +0000`.
  private init?(spacedZone text: UnsafeRawBufferPointer, offset: inout Int?) {
    if let time = UTCTime(iso8601: text, offset: &offset) {
      self = time
      return
    }
    // A space before the time of day is no space before a zone.
    guard let space = text.lastIndex(of: 0x20), space > 10 else { return nil }
    let zone = UnsafeRawBufferPointer(rebasing: text[(space + 1)...])
    let isUTC = zone.equals("UTC") || zone.equals("GMT")
    guard isUTC || zone.first == UInt8(ascii: "+") || zone.first == UInt8(ascii: "-") else { return nil }
    let compact = Array(text[..<space]) + (isUTC ? [UInt8(ascii: "Z")] : Array(zone))
    guard let time = compact.withUnsafeBytes({ UTCTime(iso8601: $0, offset: &offset) }) else { return nil }
    self = time
  }

  /// Creates the instant of a field as ``init(csv:order:offset:)`` does, or `nil` also for a number before the year
  /// 1973, such as the seconds since the start.
  init?(recorded bytes: UnsafeRawBufferPointer, order: CSVDateOrder? = nil, offset: inout Int?) {
    guard let time = UTCTime(csv: bytes, order: order, offset: &offset) else { return nil }
    // A text may state an earlier time.
    if time.nanosecondsSince1970.magnitude < Self.smallestNumber, bytes.number(hasDecimalComma: true) != nil {
      return nil
    }
    self = time
  }

  /// The smallest time that a number states, in nanoseconds since 1970: in the year 1973.
  static let smallestNumber: Int64 = 100_000_000_000_000_000

  /// Creates the instant that a number of seconds, or of a thousandth, millionth or billionth of one, since 1970 names.
  ///
  /// The number may have a decimal point or comma, and an exponent. Plain decimals are exact to the nanosecond, which a
  /// `Double` of this size is not.
  ///
  /// - Parameter statedUnit: the unit in nanoseconds; `nil` finds it by the size.
  init?(unix bytes: UnsafeRawBufferPointer, nanosecondsPerUnit statedUnit: Int64? = nil) {
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
    var unit = statedUnit ?? UTCTime.nanosecondsPerUnit(of: whole)
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") || bytes[position] == UInt8(ascii: ",") {
      position += 1
      var scale = unit / 10
      while position < bytes.count, let digit = bytes[position].asciiDigit {
        nanoseconds += Int64(digit) * scale
        scale /= 10
        position += 1
      }
    }
    if position < bytes.count {
      // With an exponent, as spreadsheets write it.
      guard let value = bytes.number(hasDecimalComma: true)?.magnitude,
        let known = Int64(exactly: value.rounded(.down))
      else { return nil }
      whole = known
      unit = statedUnit ?? UTCTime.nanosecondsPerUnit(of: whole)
      nanoseconds = Int64(((value - Double(whole)) * Double(unit)).rounded())
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

extension UnsafeRawBufferPointer {
  /// Returns the text with its year first and with two digits for each other number, where its date has the day or the
  /// month first, as in `1.3.2024` and `01.03.2024 12:30`, or a number of one digit, as in `2024/3/1` and
  /// `2024-03-01 9:05`; `nil` for any other text.
  ///
  /// - Parameter order: the order of the day and the month between slashes or hyphens; `nil` refuses such a date.
  fileprivate func withYearFirst(order: CSVDateOrder?) -> [UInt8]? {
    var position = 0
    func digits(_ counts: ClosedRange<Int>) -> Int? {
      var number = 0
      let start = position
      while position < count, position < start + counts.upperBound, let digit = self[position].asciiDigit {
        number = number * 10 + Int(digit)
        position += 1
      }
      return counts.contains(position - start) ? number : nil
    }
    guard count <= 64, let first = digits(1...4), position < count, position != 3 else { return nil }
    let isYearFirst = position == 4
    let mark = self[position]
    let isSlashOrHyphen = mark == UInt8(ascii: "/") || mark == UInt8(ascii: "-")
    guard isYearFirst ? isSlashOrHyphen : mark == UInt8(ascii: ".") || (order != nil && isSlashOrHyphen)
    else {
      return nil
    }
    position += 1
    guard let second = digits(1...2), position < count, self[position] == mark else { return nil }
    position += 1
    guard let last = digits(isYearFirst ? 1...2 : 4...4) else { return nil }
    let isMonthFirst = isSlashOrHyphen && order == .monthFirst
    let (year, month, day) =
      isYearFirst ? (first, second, last) : isMonthFirst ? (last, first, second) : (last, second, first)
    let rest = self[position...].drop { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") }
    let hasHourOfOneDigit = rest.dropFirst().first == UInt8(ascii: ":")
    // The year is first, and each other number has two digits.
    if isYearFirst, position == 10, !hasHourOfOneDigit { return nil }
    var text: [UInt8] = []
    text.appendDigits(year, count: 4)
    text.append(UInt8(ascii: "-"))
    text.appendDigits(month, count: 2)
    text.append(UInt8(ascii: "-"))
    text.appendDigits(day, count: 2)
    guard !rest.isEmpty else { return text }
    guard rest.startIndex > position else { return nil }
    text.append(UInt8(ascii: "T"))
    if hasHourOfOneDigit { text.append(UInt8(ascii: "0")) }
    return text + rest
  }
}
