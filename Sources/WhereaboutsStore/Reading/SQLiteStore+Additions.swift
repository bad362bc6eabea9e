import GRDB
import Whereabouts
import WhereaboutsModel

/// The position of a repeated reader in a device's history.
struct HistoryMark: Hashable, Sendable {
  /// The device's row, which another device of the same name does not have.
  fileprivate var device: Int64
  /// The last number of a fix.
  fileprivate(set) var lastSeq: Int64
  /// The newest time of a fix, in nanoseconds since 1970.
  fileprivate(set) var newestTime: Int64
  /// The changes of stored fixes: erasures and repairs.
  fileprivate var revision: [Int64]
}

/// The additions to a history since a mark.
enum HistoryAdditions {
  /// The new fixes in the order of time, and the mark after them.
  case fixes([StoredFix], HistoryMark)
  /// Stored fixes were changed or erased, or many arrived late: everything has to be read anew.
  case rewritten
}

extension SQLiteStore {
  /// Returns the mark of all that is stored of a device now; `nil` without a fix.
  func historyMark(of device: DeviceID) throws(StoreError) -> HistoryMark? {
    try read { try Self.mark(of: device, in: $0) }
  }

  /// Returns the fixes stored since a mark, in one transaction.
  ///
  /// - Parameters:
  ///   - start: the time before which late fixes are left out.
  ///   - limit: the greatest number of late fixes.
  /// - Complexity: O(log n) for each new fix; O(n) in the fixes since `start` if fixes arrived late.
  func additions(
    to device: DeviceID, since mark: HistoryMark, from start: UTCTime, limit: Int
  ) throws(StoreError) -> HistoryAdditions {
    try read { database in
      guard let reader = try DeviceReader(database, device),
        var next = try Self.mark(of: device, in: database),
        next.device == mark.device, next.revision == mark.revision
      else { return .rewritten }
      guard next.lastSeq != mark.lastSeq else { return .fixes([], mark) }
      next.newestTime = max(next.newestTime, mark.newestTime)
      var fixes = try Self.fixes(reader, after: mark.lastSeq, "time >= ?", mark.newestTime)
      // Each number belongs to one fix: others arrived late.
      if Int64(fixes.count) < next.lastSeq - mark.lastSeq {
        let late = try Self.fixes(
          reader, after: mark.lastSeq, "time >= ? AND time < \(mark.newestTime)", start.nanosecondsSince1970)
        guard late.count <= limit else { return .rewritten }
        fixes = late + fixes
      }
      return .fixes(fixes, next)
    }
  }

  private static func fixes(
    _ reader: DeviceReader, after seq: Int64, _ times: String, _ time: Int64
  ) throws -> [StoredFix] {
    let rows = try reader.statement(
      "SELECT \(FixRow.selected) FROM fix WHERE device = ? AND \(times) AND seq > ? ORDER BY time, seq")
    rows.bind(time, 2)
    rows.bind(seq, 3)
    var fixes: [StoredFix] = []
    while try rows.step() { fixes.append(try FixRow.fix(of: rows)) }
    return fixes
  }

  private static func mark(of device: DeviceID, in database: Database) throws -> HistoryMark? {
    guard let reader = try DeviceReader(database, device) else { return nil }
    let newest = try reader.statement("SELECT time FROM fix WHERE device = ? ORDER BY time DESC LIMIT 1")
    guard try newest.step() else { return nil }
    let time = newest.int(0)
    newest.reset()
    return HistoryMark(
      device: reader.id, lastSeq: reader.lastSeq, newestTime: time, revision: try revision(in: database))
  }

  /// Returns numbers that never recur once a stored fix was changed or erased.
  private static func revision(in database: Database) throws -> [Int64] {
    let numbers = try Int64.fetchAll(
      database, sql: "SELECT seq FROM sqlite_sequence WHERE name IN ('erasure', 'repair') ORDER BY name")
    // An undone repair is removed. A file of an older version has no repairs.
    guard try database.tableExists("repair") else { return numbers }
    return numbers + [try Int64.fetchOne(database, sql: "SELECT count(*) FROM repair") ?? 0]
  }
}
