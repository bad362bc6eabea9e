import GRDB
import Whereabouts
import WhereaboutsModel

/// The pages of a history, each read in its own transaction.
struct HistoryPages {
  /// The number of fixes in a page, which take a few milliseconds.
  static let size = 1_000

  private let device: DeviceID
  private let sql: String
  /// The start of the next page: after the last fix of the previous page.
  private var position: HistoryPosition
  /// The bound of the span that is reached last.
  private let end: Int64
  /// The device's row and newest number as of the first page. Later fixes are left out.
  private var scope: (device: Int64, lastSeq: Int64)?
  /// Whether no page is left.
  private(set) var isAtEnd = false

  init(device: DeviceID, span: Range<UTCTime>?, uses: Set<LoggedFix.Use>, newestFirst: Bool) {
    self.device = device
    let from = span?.lowerBound.nanosecondsSince1970 ?? .min,
      to = span?.upperBound.nanosecondsSince1970 ?? .max
    let uses = uses.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
    let (order, next, last) = newestFirst ? ("DESC", "<", ">=") : ("ASC", ">", "<")
    sql = """
      SELECT \(FixRow.selected) FROM fix
      WHERE device = ? AND (time, seq) \(next) (?, ?) AND time \(last) ? AND use IN (\(uses)) AND seq <= ?
      ORDER BY time \(order), seq \(order) LIMIT ?
      """
    // No fix has the least number.
    position = HistoryPosition(time: newestFirst ? to : from, seq: .min)
    end = newestFirst ? from : to
  }

  mutating func next(in database: Database, atMost limit: Int) throws -> [StoredFix] {
    let count = min(limit, Self.size)
    guard let reader = try DeviceReader(database, device) else { return finish() }
    // A device that was erased and added again meanwhile is another device.
    let scope = scope ?? (reader.id, reader.lastSeq)
    guard scope.device == reader.id else { return finish() }
    self.scope = scope
    let rows = try reader.statement(sql)
    rows.bind(position.time, 2)
    rows.bind(position.seq, 3)
    rows.bind(end, 4)
    rows.bind(scope.lastSeq, 5)
    rows.bind(Int64(count), 6)
    var page: [StoredFix] = []
    while try rows.step() { page.append(try FixRow.fix(of: rows)) }
    if let last = page.last { position = last.position }
    if page.count < count { isAtEnd = true }
    return page
  }

  private mutating func finish() -> [StoredFix] {
    isAtEnd = true
    return []
  }
}
