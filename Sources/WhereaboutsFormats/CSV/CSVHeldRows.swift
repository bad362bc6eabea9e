/// The rows of a table from the first date on in which the day or the month may be first, while no row states the order.
///
/// They wait as bytes, so that a table is read as if its order were known from the start.
struct CSVHeldRows: Sendable {
  /// A row that waits.
  struct Row: Sendable {
    fileprivate let bytes: Range<Int>
    fileprivate let number: Int
    fileprivate let offset: Int
    fileprivate let isTooLong: Bool
    /// Whether the row has no line feed.
    let isCut: Bool
  }

  /// The number of bytes from which the rows wait no longer: about 40,000 rows of 60 characters.
  static let limit = 4 << 20
  /// The memory of a row beside its text, which counts toward the limit too: lines may be empty.
  private static let sizeOfRow = MemoryLayout<Row>.stride

  private var bytes: [UInt8] = []
  private var rows: [Row] = []
  /// The number of rows that were processed.
  private var processedCount = 0
  /// Whether the rows can be processed.
  private(set) var isReleased = false

  /// Whether no row waits.
  var isEmpty: Bool { processedCount == rows.count }

  /// Whether the rows have reached the limit.
  var isFull: Bool { bytes.count + rows.count * Self.sizeOfRow >= Self.limit }

  /// Appends a copy of a row.
  mutating func append(_ line: TextLine, isCut: Bool) {
    let start = bytes.count
    bytes.append(contentsOf: line.bytes)
    rows.append(
      Row(
        bytes: start..<bytes.count, number: line.number, offset: line.offset, isTooLong: line.isTooLong,
        isCut: isCut))
  }

  /// Makes the rows ready: the order is known, or stays unknown.
  mutating func release() {
    isReleased = !isEmpty
  }

  /// Returns the next row to process; `nil` after the last one.
  mutating func popFirst() -> Row? {
    guard processedCount < rows.count else { return nil }
    defer { processedCount += 1 }
    return rows[processedCount]
  }

  /// Calls with the line of a row.
  func withLine(of row: Row, _ body: (TextLine) -> Void) {
    bytes.withUnsafeBytes {
      body(
        TextLine(
          bytes: UnsafeRawBufferPointer(rebasing: $0[row.bytes]), number: row.number, offset: row.offset,
          isTooLong: row.isTooLong))
    }
  }
}
