import WhereaboutsCore
import WhereaboutsGeodesy

/// The fields of one row as they are read.
struct CSVRow {
  private(set) var latitude: Double?
  private(set) var longitude: Double?
  private var date: UnsafeRawBufferPointer?
  private var time: UnsafeRawBufferPointer?
  private var trackNumber: UnsafeRawBufferPointer?
  private var segment: UnsafeRawBufferPointer?
  private var trackName: UnsafeRawBufferPointer?
  // The place is put in last; until then the equator stands for it.
  private var parts = Fix(
    coordinate: Coordinate(uncheckedLatitude: 0, longitude: 0), time: nil, source: .csv)

  /// Takes a field that is not empty; `false` where it can't be read.
  mutating func set(
    _ column: CSVColumn, to text: UnsafeRawBufferPointer, factor: Double, hasDecimalComma: Bool
  ) -> Bool {
    switch column {
    case .time: time = text
    case .date: date = text
    case .mode: setMode(text)
    case .trackNumber: trackNumber = text
    case .segment: segment = text
    case .trackName: trackName = text
    // Columns of these names may be anything in the tracks of others; what isn't ours is passed over.
    case .solution:
      parts.solution = SolutionKind(jsonText: text)
    case .source:
      parts.source = SourceKind(jsonText: text) ?? .csv
    case .isAccuracyEstimated:
      guard let flag = text.flag else { return false }
      parts.isAccuracyEstimated = flag
    case .isSimulated:
      guard let flag = text.flag else { return false }
      parts.isSimulated = flag
    default:
      if text.isNoNumber { return true }
      guard let number = text.number(hasDecimalComma: hasDecimalComma) else { return false }
      if column == .course, number > 360 { return false }
      set(column, to: number * factor)
    }
    return true
  }

  private mutating func set(_ column: CSVColumn, to number: Double) {
    // Phones write a negative number for what they don't know.
    let known = number >= 0 ? number : nil
    switch column {
    case .latitude: latitude = number
    case .longitude: longitude = number
    case .heightAboveGeoid: parts.heightAboveGeoid = number
    case .heightAboveEllipsoid: parts.heightAboveEllipsoid = number
    case .climb: parts.climb = number
    case .horizontalAccuracy: parts.horizontalAccuracy = known
    case .verticalAccuracy: parts.verticalAccuracy = known
    case .speed: parts.speed = known
    case .speedAccuracy: parts.speedAccuracy = known
    case .course: parts.course = known.flatMap(\.wrappedDegrees)
    case .courseAccuracy: parts.courseAccuracy = known
    case .satellitesUsed: parts.satellitesUsed = UInt8(exactly: number)
    case .satellitesInView: parts.satellitesInView = UInt8(exactly: number)
    case .horizontalDilution: parts.horizontalDilution = known.flatMap(finiteFloat)
    case .verticalDilution: parts.verticalDilution = known.flatMap(finiteFloat)
    case .positionDilution: parts.positionDilution = known.flatMap(finiteFloat)
    case .time, .date, .mode, .solution, .source, .isAccuracyEstimated, .isSimulated, .trackNumber, .segment,
      .trackName:
      break
    }
  }

  private func finiteFloat(_ number: Double) -> Float? {
    let float = Float(number)
    return float.isFinite ? float : nil
  }

  private mutating func setMode(_ text: UnsafeRawBufferPointer) {
    switch text.first {
    case UInt8(ascii: "2"): parts.mode = .twoD
    case UInt8(ascii: "3"): parts.mode = .threeD
    default: break  // "no fix" has many names; the mode is then unknown
    }
  }

  /// Puts the time together; `false` where there is one that can't be read.
  mutating func readTime() -> Bool {
    switch (date, time) {
    case (let date?, let time?):
      parts.time = UTCTime(date: date, timeOfDay: time) ?? UTCTime(csv: time)
    case (nil, let text?), (let text?, nil):
      parts.time = UTCTime(csv: text)
    case (nil, nil): return true
    }
    return parts.time != nil
  }

  /// Appends the track and the segment that begin with this row.
  func findSegment(with finding: inout SegmentFinding, into batch: inout RecordingBatch) {
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    finding.advance(
      track: trackNumber ?? trackName ?? nothing, segment: segment ?? nothing,
      name: { trackName?.withoutDoubledQuotes }, into: &batch)
  }

  /// The fix of this row at its place.
  func fix(at coordinate: Coordinate) -> Fix {
    var fix = parts
    fix.coordinate = coordinate
    return fix
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

  /// Whether this stands for a number that is not there, as spreadsheets and data tools write it.
  fileprivate var isNoNumber: Bool {
    equals("nan") || equals("NaN") || equals("NAN") || equals("null") || equals("NULL") || equals("NA")
  }

  fileprivate var flag: Bool? {
    if equals("true") || equals("1") { return true }
    if equals("false") || equals("0") { return false }
    return nil
  }

  /// The number that a field holds; where fields are not separated by commas, a comma may be its point.
  fileprivate func number(hasDecimalComma: Bool) -> Double? {
    if let number = Decimal.parse(self) { return number }
    guard hasDecimalComma, count <= 64 else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { text in
      for (index, byte) in enumerated() {
        text[index] = byte == UInt8(ascii: ",") ? UInt8(ascii: ".") : byte
      }
      return Decimal.parse(UnsafeRawBufferPointer(text))
    }
  }
}
