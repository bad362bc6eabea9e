import WhereaboutsModel
import WhereaboutsGeodesy

/// The values of one row while its fields are read.
struct CSVRow {
  private var latitudeNumber: Double?
  private var longitudeNumber: Double?
  private var isSouth = false
  private var isWest = false
  private var date: UnsafeRawBufferPointer?
  private var time: UnsafeRawBufferPointer?
  private var otherTime: UnsafeRawBufferPointer?
  private var milliseconds: UnsafeRawBufferPointer?
  /// The minutes ahead of UTC that a column of its own states.
  private var utcOffset: Int?
  private var trackNumber: UnsafeRawBufferPointer?
  private var segment: UnsafeRawBufferPointer?
  private var trackName: UnsafeRawBufferPointer?
  /// The minutes ahead of UTC that the row states; known after ``readTime(isUTC:order:)``.
  private(set) var offset: Int?
  /// Whether the time is a number too small for the seconds since 1970, such as those since the start or the days of a
  /// spreadsheet; known after ``readTime(isUTC:order:)``.
  private(set) var isTimeTooSmall = false
  /// Whether the time is a text without a zone, beside no column of the offset; known after
  /// ``readTime(isUTC:order:)``.
  private(set) var isTimeWithoutZone = false
  private var order: CSVDateOrder?
  // The place is set last; until then the equator is the placeholder.
  private var partialFix = Fix(
    coordinate: Coordinate(uncheckedLatitude: 0, longitude: 0), time: nil, source: .csv)

  /// The latitude, negative also where a column of its own states the southern hemisphere.
  var latitude: Double? { isSouth ? latitudeNumber.map { 0 - $0.magnitude } : latitudeNumber }
  /// The longitude, negative also where a column of its own states the western hemisphere.
  var longitude: Double? { isWest ? longitudeNumber.map { 0 - $0.magnitude } : longitudeNumber }

  /// Sets a field that is not empty; returns `false` if the text is unreadable.
  mutating func set(
    _ column: CSVInputColumn, to text: UnsafeRawBufferPointer, factor: Double, hasDecimalComma: Bool
  ) -> Bool {
    switch column {
    case .member(_, let property, let range):
      if set(property, range, to: text, factor: factor, hasDecimalComma: hasDecimalComma) { return true }
      if let letters = property.hemisphereLetters {
        guard let degrees = text.degrees(letters: letters) else { return false }
        set(property, range, to: degrees)
        return true
      }
      // A unit in the value counts more than that of the header.
      guard let (number, unit) = text.numberAndUnit,
        let unitFactor = CSVHeader.factor(of: column, unit: unit)
      else { return false }
      // Values in feet have a comma between thousands, as in `1,200 ft`.
      let hasDecimalComma = hasDecimalComma && unit != "ft" && unit != "feet"
      return set(property, range, to: number, factor: unitFactor, hasDecimalComma: hasDecimalComma)
    case .date: date = text
    case .otherTime: otherTime = text
    // Letters or words; in other programs' tracks, columns of these names may hold anything.
    case .latitudeHemisphere: isSouth = text.first.map { $0 | 0x20 } == UInt8(ascii: "s")
    case .longitudeHemisphere: isWest = text.first.map { $0 | 0x20 } == UInt8(ascii: "w")
    case .milliseconds: milliseconds = text
    case .utcOffset:
      utcOffset = text.minutesAheadOfUTC
      return utcOffset != nil
    case .trackNumber: trackNumber = text
    case .segment: segment = text
    case .trackName: trackName = text
    }
    return true
  }

  private mutating func set(
    _ property: FixProperty, _ range: FixMember.Range, to text: UnsafeRawBufferPointer, factor: Double,
    hasDecimalComma: Bool
  ) -> Bool {
    switch property {
    case .time: time = text
    case .mode: setMode(text)
    // In other programs' tracks, columns of these names may hold anything; unknown values are skipped.
    case .solution: partialFix.solution = Fix.SolutionKind(jsonText: text)
    case .activity: partialFix.activity = Fix.StatedActivity(word: text)
    case .source: partialFix.source = Fix.SourceKind(jsonText: text) ?? .csv
    // Other programs may name a storey; the floor is then absent.
    case .whole(let offset):
      offset.set(text.number(hasDecimalComma: hasDecimalComma).flatMap(Int16.init(exactly:)), in: &partialFix)
    case .flag(let offset):
      guard let flag = text.flag else { return false }
      offset.set(flag, in: &partialFix)
    case .latitude, .longitude, .double, .float, .count:
      if text.isNoNumber { return true }
      // Coordinates have no commas between thousands.
      guard let number = text.number(hasDecimalComma: hasDecimalComma || property.isCoordinate) else {
        return false
      }
      if range == .circle, number > 360 { return false }
      set(property, range, to: number * factor)
    }
    return true
  }

  private mutating func set(_ property: FixProperty, _ range: FixMember.Range, to number: Double) {
    // Phones write a negative number for unknown.
    let known: Double? =
      switch range {
      case .any: number
      case .notNegative: number >= 0 ? number : nil
      case .positive: number > 0 ? number : nil
      case .circle: number >= 0 ? number.wrappedDegrees : nil
      }
    switch property {
    case .latitude: latitudeNumber = number
    case .longitude: longitudeNumber = number
    case .double(let offset): offset.set(known, in: &partialFix)
    case .float(let offset): offset.set(known.flatMap(finiteFloat), in: &partialFix)
    case .count(let offset): offset.set(UInt8(exactly: number), in: &partialFix)
    case .time, .mode, .solution, .activity, .source, .flag, .whole: break
    }
  }

  private func finiteFloat(_ number: Double) -> Float? {
    let float = Float(number)
    return float.isFinite ? float : nil
  }

  private mutating func setMode(_ text: UnsafeRawBufferPointer) {
    switch text.first {
    case UInt8(ascii: "2"): partialFix.mode = .twoD
    case UInt8(ascii: "3"): partialFix.mode = .threeD
    default: break  // "no fix" has many names; the mode is then unknown
    }
  }

  /// The day and the month of the date, in either order; `nil` for a date in another form.
  var dayAndMonth: CSVDayAndMonth? {
    for case let text? in [date, time, otherTime] {
      if let numbers = CSVDayAndMonth(text) { return numbers }
    }
    return nil
  }

  /// Combines the parts of the time; returns `false` if a part is unreadable.
  ///
  /// - Parameters:
  ///   - isUTC: whether a time without a zone is UTC also beside a column of the offset from UTC.
  ///   - order: the order of the day and the month in dates such as `1/3/2024`; `nil` if unknown.
  mutating func readTime(isUTC: Bool, order: CSVDateOrder? = nil) -> Bool {
    self.order = order
    defer { if offset == nil, utcOffset != 0 { offset = utcOffset } }
    var hasElapsedMilliseconds = false
    if let milliseconds, !milliseconds.isNoNumber {
      let number = milliseconds.number(hasDecimalComma: true) ?? .infinity
      let smallest = Double(UTCTime.smallestNumber / 1_000_000)
      hasElapsedMilliseconds = number > 0 && number < smallest
      if number >= smallest {
        // Larger numbers are microseconds or nanoseconds.
        if let instant = UTCTime(unix: milliseconds) {
          partialFix.time = instant
          return true
        }
        // It may be a text.
        if date == nil, otherTime == nil { time = time ?? milliseconds }
      }
    }
    isTimeTooSmall = hasElapsedMilliseconds
    var stated: Int?
    defer { offset = stated }
    var instant = isUTC ? nil : readLocalInstant(&stated)
    if let time, let otherTime {
      // The date may be a local one, which does not belong to a time of day in UTC.
      instant = readInstant(nil, time, &stated)
      if instant == nil { instant = readInstant(date, otherTime, &stated) }
    }
    if instant == nil {
      instant = readInstant(date, time ?? otherTime, &stated)
      isTimeWithoutZone = instant != nil && (time ?? otherTime ?? date)?.statesTimeWithoutZone == true
    }
    partialFix.time = instant
    if partialFix.time != nil { return true }
    // The other time may be anything.
    return !hasElapsedMilliseconds && time == nil && (date == nil || otherTime != nil)
  }

  /// Returns the instant of a local time, by the offset of the column; `nil` for a time that states its zone, and for a
  /// number.
  private func readLocalInstant(_ offset: inout Int?) -> UTCTime? {
    guard let utcOffset, let text = time ?? date else { return nil }
    var bytes = Array(text)
    bytes.append(UInt8(ascii: utcOffset < 0 ? "-" : "+"))
    bytes.appendDigits(abs(utcOffset) / 60, count: 2)
    bytes.appendDigits(abs(utcOffset) % 60, count: 2)
    return bytes.withUnsafeBytes { local -> UTCTime? in
      if let date, time != nil,
        let instant = UTCTime(date: date, timeOfDay: local, order: order, offset: &offset)
      {
        return instant
      }
      return UTCTime(csv: local, order: order, offset: &offset)
    }
  }

  /// Returns the instant of the date and a time, or of one of them.
  private mutating func readInstant(
    _ date: UnsafeRawBufferPointer?, _ time: UnsafeRawBufferPointer?, _ offset: inout Int?
  ) -> UTCTime? {
    guard let text = time ?? date else { return nil }
    if let date, let time,
      let instant = UTCTime(date: date, timeOfDay: time, order: order, offset: &offset)
    {
      return instant
    }
    if let instant = UTCTime(recorded: text, order: order, offset: &offset) { return instant }
    if UTCTime(unix: text) != nil { isTimeTooSmall = true }
    return nil
  }

  /// Appends the track and the segment that begin with this row.
  func detectSegment(with finding: inout SegmentDetector, into batch: inout RecordingBatch) {
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    finding.advance(
      track: trackNumber ?? trackName ?? nothing, segment: segment ?? nothing,
      name: { trackName?.withoutDoubledQuotes }, into: &batch)
  }

  /// Returns the row's fix at its coordinate.
  func fix(at coordinate: Coordinate) -> Fix {
    var fix = partialFix
    fix.coordinate = coordinate
    return fix
  }
}

extension FixProperty {
  fileprivate var isCoordinate: Bool {
    switch self {
    case .latitude, .longitude: true
    default: false
    }
  }

  /// The letters of the hemispheres of a coordinate; `nil` for any other property.
  fileprivate var hemisphereLetters: (positive: Character, negative: Character)? {
    switch self {
    case .latitude: (positive: "N", negative: "S")
    case .longitude: (positive: "E", negative: "W")
    default: nil
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The text of a field, in which a quote is written as two.
  fileprivate var withoutDoubledQuotes: String {
    let quote = UInt8(ascii: "\"")
    var text: [UInt8] = []
    var isSecond = false
    for byte in self {
      isSecond = byte == quote && !isSecond && text.last == quote
      if !isSecond { text.append(byte) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether the text is a placeholder for a missing number, as in spreadsheets and data tools.
  fileprivate var isNoNumber: Bool {
    equals("nan") || equals("NaN") || equals("NAN") || equals("null") || equals("NULL") || equals("NA")
  }

  /// The number and the unit after it in lower case, as in `545.4 M` or `12.3 km/h`; `nil` without a unit.
  fileprivate var numberAndUnit: (number: UnsafeRawBufferPointer, unit: String)? {
    guard count <= 64, let last = lastIndex(where: { $0.asciiDigit != nil }), last + 1 < count else {
      return nil
    }
    let unit = String(decoding: self[(last + 1)...], as: UTF8.self).lowercased().filter { $0 != " " }
    return (UnsafeRawBufferPointer(rebasing: self[...last]), unit)
  }

  /// The minutes ahead of UTC: `+02:00`, `+0200`, `-3.5`, or a number of hours, minutes or seconds. Since clocks are at
  /// least an hour and at most 14 hours ahead or behind, by quarters of an hour, only one of the three is possible.
  fileprivate var minutesAheadOfUTC: Int? {
    guard count <= 32 else { return nil }
    var offset: Int?
    let text = Array("1970-01-01T00:00".utf8) + self
    let time = text.withUnsafeBytes { UTCTime(iso8601: $0, offset: &offset) }
    if let offset { return offset }
    if let time, time.nanosecondsSince1970 == 0, !isEmpty { return 0 }
    // Hours and minutes without a sign, as in 0300, are not 300 minutes.
    guard count <= 3 || self[0] != UInt8(ascii: "0"), let number = Decimal.parse(self) else { return nil }
    for minutes in [number * 60, number, number / 60] {
      guard let whole = Int(exactly: minutes), UTCTime.isClockOffset(minutes: whole) else { continue }
      if whole == 0 || whole.magnitude >= 60 { return whole }
    }
    return nil
  }

  fileprivate var flag: Bool? {
    if equals("true") || equals("1") { return true }
    if equals("false") || equals("0") { return false }
    return nil
  }

  /// Whether there is one comma, and not before three digits as between thousands.
  private var hasOneCommaOfDecimals: Bool {
    let comma = UInt8(ascii: ",")
    guard let first = firstIndex(of: comma), lastIndex(of: comma) == first else { return false }
    return count - first != 4
  }

  /// Returns the field's number. A comma may be the decimal point without comma as separator; with it, if the comma is
  /// not one between thousands.
  func number(hasDecimalComma: Bool) -> Double? {
    if let number = Decimal.parse(self) { return number }
    guard count <= 64, hasDecimalComma || hasOneCommaOfDecimals else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { text in
      for (index, byte) in enumerated() {
        text[index] = byte == UInt8(ascii: ",") ? UInt8(ascii: ".") : byte
      }
      return Decimal.parse(UnsafeRawBufferPointer(text))
    }
  }
}
