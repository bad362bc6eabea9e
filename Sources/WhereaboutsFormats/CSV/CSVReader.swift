import WhereaboutsModel
import WhereaboutsGeodesy

/// A reader of the lines of a table: the header, then the rows.
struct CSVReader {
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
  /// The form of the ends of the rows.
  private var ending = CSVRowEnding()
  /// The rows that wait for the order of the day and the month.
  private var heldRows = CSVHeldRows()

  /// - Parameter isCut: whether the line has no line feed, so that the file may end in the middle of the row.
  mutating func read(_ line: TextLine, isCut: Bool = false, into batch: inout RecordingBatch) {
    guard !heldRows.isEmpty, case .rows(let header, let separator) = state else {
      return process(line, isCut: isCut, mayWait: true, into: &batch)
    }
    heldRows.append(line, isCut: isCut)
    if order == nil { order = statedOrder(of: line, header, separator) }
    if order != nil || heldRows.isFull { heldRows.release() }
    _ = readHeldRows(into: &batch)
  }

  /// Processes released rows; returns whether there were any.
  ///
  /// Rows of a known order are processed up to the limit of the batch. All other ones are processed at once, because
  /// later rows wait anew.
  mutating func readHeldRows(into batch: inout RecordingBatch) -> Bool {
    guard heldRows.isReleased else { return false }
    // Moved out, because processing a row changes the reader.
    var rows = CSVHeldRows()
    swap(&rows, &heldRows)
    while order == nil || batch.elements.count < batch.limit, let row = rows.popFirst() {
      rows.withLine(of: row) { process($0, isCut: row.isCut, mayWait: false, into: &batch) }
    }
    if !rows.isEmpty { swap(&rows, &heldRows) }
    return true
  }

  /// - Parameter mayWait: whether a row may wait for the order of the day and the month.
  private mutating func process(
    _ line: TextLine, isCut: Bool, mayWait: Bool, into batch: inout RecordingBatch
  ) {
    guard !line.isTooLong else {
      batch.problems.report(.tooLong, line: line.number, byteOffset: line.offset, "row longer than 16 KiB")
      return
    }
    var bytes = line.bytes
    if line.offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      bytes = UnsafeRawBufferPointer(rebasing: bytes[3...])
    }
    guard Self.hasContent(bytes) else { return }
    switch state {
    case .beforeHeader: readHeader(bytes, line, &batch)
    case .rows(let header, let separator):
      let needsOrder = readRow(bytes, line, isCut: isCut, mayWait: mayWait, header, separator, &batch)
      if needsOrder { heldRows.append(line, isCut: isCut) }
    case .ended: break
    }
  }

  /// Returns whether a line is neither blank nor a comment.
  private static func hasContent(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = bytes.first(where: { !$0.isXMLSpace }) else { return false }
    return first != UInt8(ascii: "#")
  }

  mutating func finish(into batch: inout RecordingBatch) {
    heldRows.release()
    _ = readHeldRows(into: &batch)
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

  /// Reads a row.
  ///
  /// - Returns: whether the row was not read, because it waits for the order of the day and the month.
  private mutating func readRow(
    _ bytes: UnsafeRawBufferPointer, _ line: TextLine, isCut: Bool, mayWait: Bool, _ header: CSVHeader,
    _ separator: UInt8, _ batch: inout RecordingBatch
  ) -> Bool {
    func report(_ kind: InputProblem.Kind, at position: Int, _ rule: StaticString) {
      batch.problems.report(
        kind, line: line.number, byteOffset: line.offset + position, rule.description)
    }
    let separator = CSVFields.separator(of: bytes, header: header.columns.count, separator)
    if isCut, let rule = brokenRule(ofCut: bytes, header, separator) {
      report(.truncated, at: 0, rule)
      return false
    }
    var parsing = CSVRowParsing()
    let coordinate = parsing.parse(bytes, header: header, separator: separator)
    let date = order == nil ? parsing.row.dayAndMonth : nil
    let isTimeRead =
      coordinate != nil && parsing.row.readTime(isUTC: header.statesUTC, order: order ?? date?.order)
    if coordinate != nil, !isTimeRead, mayWait, date?.isAmbiguous == true { return true }
    fieldsBefore = parsing.fieldCount
    ending.add(bytes, column: header.columns[parsing.fieldCount - 1], separator: separator)
    for problem in parsing.problems { report(problem.kind, at: problem.position, problem.rule) }
    Self.classify(parsing.problems, isRowRead: isTimeRead, isRefusalReported: coordinate == nil, &batch)
    guard let coordinate else { return false }
    if isTimeRead {
      // The order of the other rows.
      order = order ?? date?.statedOrder
    } else {
      guard parsing.row.isTimeTooSmall else {
        report(.badTime, at: 0, Self.problem(ofDate: date))
        return false
      }
      report(.badTime, at: 0, "time is too small a number for the seconds since 1970")
      batch.unreadableTimes += 1
    }
    append(parsing.row, at: coordinate, header, &batch)
    return false
  }

  /// Counts the problems of a row, so that a refused row is one refusal, and a row that is read is none.
  ///
  /// - Parameter isRefusalReported: whether the reason why the row is refused is among the problems.
  private static func classify(
    _ problems: [CSVRowParsing.Problem], isRowRead: Bool, isRefusalReported: Bool,
    _ batch: inout RecordingBatch
  ) {
    guard !problems.isEmpty else { return }
    let values = isRowRead ? problems.count { $0.kind == .badNumber } : 0
    batch.problems.countLeftOutValues(values)
    let refusals = isRefusalReported ? 1 : 0
    batch.problems.countFurtherProblems(problems.count - values - refusals)
  }

  /// Returns the rule that a last row without a line feed breaks, if it is surely not whole; `nil` otherwise: many
  /// programs write no line feed after the last row.
  private func brokenRule(
    ofCut bytes: UnsafeRawBufferPointer, _ header: CSVHeader, _ separator: UInt8
  ) -> StaticString? {
    let count = CSVFields.count(of: bytes, separator: separator)
    if fieldsBefore == 0, count < header.columns.count {
      return "the last row has fewer fields than the header, and no line feed"
    }
    if count < fieldsBefore { return "the last row has fewer fields than the row before, and no line feed" }
    guard ending.isLonger(than: bytes, separator: separator) else { return nil }
    return "the last field is shorter than in all rows before, and has no line feed"
  }

  private mutating func append(
    _ row: CSVRow, at coordinate: Coordinate, _ header: CSVHeader, _ batch: inout RecordingBatch
  ) {
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

  /// Returns the order of the day and the month that a readable row states; `nil` for any other row.
  private func statedOrder(
    of line: TextLine, _ header: CSVHeader, _ separator: UInt8
  ) -> CSVDateOrder? {
    guard !line.isTooLong, Self.hasContent(line.bytes) else { return nil }
    let separator = CSVFields.separator(of: line.bytes, header: header.columns.count, separator)
    var parsing = CSVRowParsing()
    guard parsing.parse(line.bytes, header: header, separator: separator) != nil,
      let stated = parsing.row.dayAndMonth?.statedOrder,
      parsing.row.readTime(isUTC: header.statesUTC, order: stated)
    else { return nil }
    return stated
  }

  private static func problem(ofDate date: CSVDayAndMonth?) -> StaticString {
    guard let date, date.isAmbiguous else { return "time can't be read" }
    return "time can't be read: the day or the month may be first in the date; write it as 2024-03-01"
  }
}
