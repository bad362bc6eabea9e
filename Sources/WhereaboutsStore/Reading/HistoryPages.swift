import GRDB
import Whereabouts
import WhereaboutsCore

/// The pages of a history, each read in a transaction of its own.
struct HistoryPages {
  /// Fixes of a page: a few milliseconds.
  static let size = 1_000

  private let device: DeviceID
  private let sql: String
  /// Where the next page begins: after the last fix of the one before.
  private var place: (time: Int64, seq: Int64)
  /// The end of the span that is come to last.
  private let end: Int64
  /// The row and the newest number as of the first page: what came later is not given.
  private var scope: (device: Int64, lastSeq: Int64)?
  /// Whether there is no other page.
  private(set) var isOver = false

  init(device: DeviceID, span: Range<UTCTime>?, uses: Set<SeenFix.Use>, newestFirst: Bool) {
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
    place = newestFirst ? (to, .min) : (from, .min)
    end = newestFirst ? from : to
  }

  mutating func next(in database: Database, atMost limit: Int) throws -> [StoredFix] {
    let count = min(limit, Self.size)
    guard let reader = try DeviceReader(database, device) else { return finish() }
    // A device that was forgotten meanwhile and came again is another one.
    let scope = scope ?? (reader.id, reader.lastSeq)
    guard scope.device == reader.id else { return finish() }
    self.scope = scope
    let rows = try reader.statement(sql)
    rows.bind(place.time, 2)
    rows.bind(place.seq, 3)
    rows.bind(end, 4)
    rows.bind(scope.lastSeq, 5)
    rows.bind(Int64(count), 6)
    var page: [StoredFix] = []
    while try rows.step() { page.append(try FixRow.fix(of: rows)) }
    if let last = page.last { place = (last.rowTime.nanosecondsSince1970, Int64(clamping: last.seq)) }
    if page.count < count { isOver = true }
    return page
  }

  private mutating func finish() -> [StoredFix] {
    isOver = true
    return []
  }
}
