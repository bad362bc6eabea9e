import WhereaboutsModel
import WhereaboutsGeodesy

/// A decoder of CSV tracks: a header that names the columns, then one fix a row.
///
/// The columns may be in any order and have any common name: `time` (or `date` and `time`), `lat`, `lon`, `hacc` or
/// `accuracy`, `speed`, `course` or `bearing`, `alt` or `elevation`, and all that ``CSVWriter`` writes. Case, spaces
/// and underscores don't count. Unknown columns are skipped. Commas, semicolons or tabs separate fields, whichever the
/// header has most of. Fields may be quoted (RFC 4180); an empty field is absent.
///
/// - **Units**: as in `Fix`; speeds in km/h, mph or knots, and heights and accuracies in feet, if the header states
///   them, as in `speed (km/h)` and `altitude_ft`, or the value, as in `12.3 km/h`. The speeds of Traccar's tables are
///   in knots, those of OwnTracks' in km/h.
/// - **Time**: a column `timestamp_ms`, else one whose name states UTC, else `time` and the like: RFC 3339, or
///   seconds, milliseconds, microseconds or nanoseconds since 1970 by their size, also with decimals or an exponent, as
///   in `1.7e12`. A number below 100,000,000, such as the seconds since the start or the days of a spreadsheet, is one
///   problem, and the fix has no time. So is one below 100,000,000,000 in `timestamp_ms`, unless another column has the
///   time. A date may be `1.3.2024` or `2024/3/1`, a time of day `3:05:07 PM`, and a zone
///   `UTC`, `GMT` or ` +0200`.
/// - **Day and month**: in `11/28/2026` and `28-11-2026`, one number is too large for a month. The first such row states
///   the order of the rows after it. Without a known order, `11/5/2026` is a problem and no fix.
/// - **Offset**: a column `utc_offset`, `gmt_offset` or `offset_from_utc` states that a text of a time without a zone is
///   local time, unless the name of the time's column states UTC. The offset is `+02:00`, or a number of hours, minutes
///   or seconds by its size. A number that is less than an hour in each of these units, as 15, is a problem: no clock is
///   so far from UTC.
/// - **Accuracy**: at 68 %, as phones state it.
/// - **Unknown**: empty, `nan` or `null`; for accuracy, speed and course also any negative number. A course above
///   360° is refused.
/// - **Tracks and segments** begin where `trackNumber` or `segment` changes; a track's name is `trackName` of its first
///   row. A row without these values belongs to the track and segment of the row before.
/// - **Languages**: German, French, Spanish, Dutch and Italian names of columns, as `Breitengrad;
///   Längengrad;Datum;Uhrzeit`. `1/3/2024` and `1-3-2024` are the first of March beside them.
/// - **Coordinates** are decimal degrees, also with a hemisphere (`51.4778 N`), or degrees, minutes and seconds with a
///   hemisphere or the sign of degrees, which may be `deg`: `51°28'40.1"N`, `N51 28.668`. Any other text refuses the
///   row.
/// - **Hemispheres** in columns of their own, as in `latitude,N/S,longitude,E/W`: `S` and `W` make a coordinate negative.
/// - **Repetitions**: Traccar's server repeats the last position for messages without one. In its tables, such rows are
///   counted and not read. A course and a height of 0 are unknown there.
/// - **Addresses** in Traccar's tables have commas in them and no quotes: the fields that such a row has more than the
///   header belong to a column `address` that is not empty.
/// - **heading** is the course if there is no such column: receivers' loggers mean the course.
///
/// A row may have another separator than the header: a logger whose settings change continues its file. A line such as
/// `sep=;` before the header states the separator. The text is UTF-8 or UTF-16; a line ends with a line feed, a
/// carriage return, or both. Byte offsets of problems are those of the text in UTF-8.
///
/// Blank lines, lines that begin with `#`, rows without a position and a byte order mark are skipped. A row with an
/// unreadable position or time is one problem and no fix. So is a last row without a line feed that has fewer fields than
/// the row before: the file ends in its middle. Any other unreadable field is one problem and absent. A row
/// may be 16 KiB long.
public struct CSVDecoder: RecordingDecoder, Sendable {
  private var lines = LineSplitter(limit: 16_384, joinsQuotedLines: true, endsAtReturns: true)
  private var transcoder = UTF16Transcoder()
  private var reader = CSVReader()

  /// Creates a decoder at the beginning of a recording.
  public init() {}

  /// Decodes the next bytes, appending a fix for each row they complete.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    transcoder.transcode(bytes) { lines.split($0) { reader.read($0, into: &batch) } }
  }

  /// Decodes a last row that has no line feed.
  public mutating func finish(into batch: inout RecordingBatch) {
    transcoder.finish { lines.split($0) { reader.read($0, into: &batch) } }
    lines.finish { reader.read($0, isCut: true, into: &batch) }
    reader.finish(into: &batch)
  }
}

/// Reads rows once the header has been read.
private struct CSVReader {
  private enum State {
    case beforeHeader
    case rows(CSVHeader, separator: UInt8)
    /// The header was unreadable, so that no row can be read.
    case ended
  }

  private var state = State.beforeHeader
  private var declaredSeparator: UInt8?
  private var segmentDetector = SegmentDetector()
  private var offsets = OffsetStatements()
  private var repetitions = TraccarRepetitions()
  /// The order of the day and the month that the header or an earlier row states; `nil` if unknown.
  private var order: CSVDateOrder?
  /// The number of fields of the row before; 0 for the first row.
  private var fieldsBefore = 0

  /// - Parameter isCut: whether the line has no line feed, so that the file may end in the middle of the row.
  mutating func read(_ line: TextLine, isCut: Bool = false, into batch: inout RecordingBatch) {
    guard !line.isTooLong else {
      batch.problems.report(.tooLong, line: line.number, byteOffset: line.offset, "row longer than 16 KiB")
      return
    }
    var bytes = line.bytes
    if line.offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      bytes = UnsafeRawBufferPointer(rebasing: bytes[3...])
    }
    guard let first = bytes.first(where: { !$0.isXMLSpace }), first != UInt8(ascii: "#") else { return }
    switch state {
    case .beforeHeader: readHeader(bytes, line, &batch)
    case .rows(let header, let separator): readRow(bytes, line, isCut: isCut, header, separator, &batch)
    case .ended: break
    }
  }

  func finish(into batch: inout RecordingBatch) {
    guard case .beforeHeader = state else { return }
    batch.problems.report(.missing, line: 1, byteOffset: 0, "no header")
  }

  private mutating func readHeader(
    _ bytes: UnsafeRawBufferPointer, _ line: TextLine, _ batch: inout RecordingBatch
  ) {
    if declaredSeparator == nil, let separator = CSVFields.declaredSeparator(bytes) {
      declaredSeparator = separator
      return
    }
    let separator = declaredSeparator ?? CSVFields.separator(of: bytes)
    let header = CSVHeader(bytes, separator: separator)
    if header.hasCoordinates {
      state = .rows(header, separator: separator)
      order = header.order
    } else {
      state = .ended
      batch.problems.report(
        .missing, line: line.number, byteOffset: line.offset, header.missingColumns)
    }
  }

  private mutating func readRow(
    _ bytes: UnsafeRawBufferPointer, _ line: TextLine, isCut: Bool, _ header: CSVHeader,
    _ separator: UInt8, _ batch: inout RecordingBatch
  ) {
    func report(_ kind: InputProblem.Kind, at position: Int, _ rule: StaticString) {
      batch.problems.report(
        kind, line: line.number, byteOffset: line.offset + position, rule.description)
    }
    var row = CSVRow()
    let separator = CSVFields.separator(of: bytes, header: header.columns.count, separator)
    if isCut, CSVFields.count(of: bytes, separator: separator) < fieldsBefore {
      return report(.truncated, at: 0, "the last row has fewer fields than the row before, and no line feed")
    }
    var fields = CSVFields(bytes, separator: separator)
    var index = 0
    defer { fieldsBefore = index }
    while index < header.columns.count, let field = fields.next() {
      defer { index += 1 }
      // The fields that the row has more than the header are the rest of an address.
      if index == header.addressOfTraccar, !field.range.isEmpty {
        let count = CSVFields.count(of: bytes, separator: separator)
        for _ in header.columns.count..<max(count, header.columns.count) { _ = fields.next() }
      }
      if !field.isWellFormed { report(.malformed, at: field.range.lowerBound, "quotes not closed") }
      guard let column = header.columns[index] else { continue }
      // Space within quotes is part of a name.
      let range = column == .trackName ? field.quotedRange ?? field.range : field.range
      guard !range.isEmpty else { continue }
      let text = UnsafeRawBufferPointer(rebasing: bytes[range])
      let isRead = row.set(
        column, to: text, factor: header.factors[index], hasDecimalComma: separator != UInt8(ascii: ","))
      if isRead { continue }
      guard !column.isMember(.latitude), !column.isMember(.longitude) else {
        return report(
          .badNumber, at: field.range.lowerBound,
          "lat or lon is neither a decimal number nor degrees and minutes with a hemisphere (51°28'40\"N)")
      }
      report(.badNumber, at: field.range.lowerBound, "field is not what its column holds")
    }
    guard let latitude = row.latitude, let longitude = row.longitude else {
      if row.latitude != nil || row.longitude != nil { report(.missing, at: 0, "row without lat or lon") }
      return
    }
    // Decimal commas split numbers in two: 52,5 and 13,3 would be the place 52, 5.
    if separator == UInt8(ascii: ","), latitude.rounded() == latitude, longitude.rounded() == longitude,
      let further = fields.next(), !further.range.isEmpty
    {
      return report(
        .malformed, at: 0, "more fields than the header: decimal commas need quotes or semicolons")
    }
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      return report(.badCoordinate, at: 0, "lat or lon out of range")
    }
    let date = order == nil ? row.dayAndMonth : nil
    if row.readTime(isUTC: header.statesUTC, order: order ?? date?.order) {
      // The order of the rows after this one.
      order = order ?? date?.statedOrder
    } else {
      guard row.isTimeTooSmall else { return report(.badTime, at: 0, Self.problem(ofDate: date)) }
      report(.badTime, at: 0, "time is too small a number for the seconds since 1970")
      batch.unreadableTimes += 1
    }
    var fix = row.fix(at: coordinate)
    if header.isOfTraccar {
      fix.removeZerosOfTraccar()
      if repetitions.skip(fix, in: &batch) { return }
    }
    row.detectSegment(with: &segmentDetector, into: &batch)
    if let offset = row.offset { offsets.state(offset, at: fix.time, into: &batch) }
    if row.isTimeWithoutZone, !header.statesUTC { batch.timesWithoutZone += 1 }
    batch.elements.append(.fix(fix))
  }

  private static func problem(ofDate date: CSVDayAndMonth?) -> StaticString {
    guard let date, date.isAmbiguous else { return "time can't be read" }
    return "time can't be read: the day or the month may be first in the date; write it as 2024-03-01"
  }
}
