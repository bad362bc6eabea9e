import GRDB
import Whereabouts
import WhereaboutsModel

/// The position of a repeated reader in a device's history.
struct HistoryMark: Hashable, Sendable {
  /// The device's row, which another device of the same name does not have.
  fileprivate var device: Int64
  /// The last number of a fix.
  fileprivate(set) var lastSeq: Int64
  /// The newest time of a fix up to ``bound``, in nanoseconds since 1970.
  fileprivate(set) var newestTime: Int64
  /// The time after which a fix has a wrong date, far ahead of the wall clock, in nanoseconds since 1970.
  fileprivate(set) var bound: Int64
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
    let wall = writerConnection.wall()
    return try read { try Self.mark(of: device, in: $0, at: wall) }
  }

  /// Returns the time of the first of the newest fixes of a span; the beginning of the span if it has fewer.
  ///
  /// - Parameter limit: the number of the newest fixes.
  /// - Complexity: O(limit).
  func beginning(
    ofNewest limit: Int, of device: DeviceID, in span: ClosedRange<UTCTime>
  ) throws(StoreError) -> UTCTime {
    try read { database in
      guard let reader = try DeviceReader(database, device) else { return span.lowerBound }
      let row = try reader.statement(
        "SELECT time FROM fix WHERE device = ? AND time BETWEEN ? AND ? ORDER BY time DESC LIMIT 1 OFFSET ?")
      row.bind(span.lowerBound.nanosecondsSince1970, 2)
      row.bind(span.upperBound.nanosecondsSince1970, 3)
      row.bind(Int64(max(1, limit) - 1), 4)
      return try row.step() ? UTCTime(nanosecondsSince1970: row.int(0)) : span.lowerBound
    }
  }

  /// Returns the fixes stored since a mark, in one transaction. Fixes with a wrong date, far ahead of the wall clock,
  /// are left out.
  ///
  /// - Parameters:
  ///   - start: the time before which late fixes are left out.
  ///   - settled: the time before which late fixes are left out unless there are many; `nil` for `start`.
  ///   - limit: the greatest number of late fixes.
  /// - Complexity: O(log n) for each new fix; if fixes arrived late, O(n) in the fixes since `settled`, or since `start` if
  ///   there are many.
  func additions(
    to device: DeviceID, since mark: HistoryMark, from start: UTCTime, settled: UTCTime?, limit: Int
  ) throws(StoreError) -> HistoryAdditions {
    let wall = writerConnection.wall()
    return try read { database in
      guard let reader = try DeviceReader(database, device),
        var next = try Self.mark(of: device, in: database, at: wall),
        next.device == mark.device, next.revision == mark.revision,
        try !Self.hasFix(reader, between: mark.bound, and: next.bound, upTo: mark.lastSeq)
      else { return .rewritten }
      guard next.lastSeq != mark.lastSeq else { return .fixes([], mark) }
      next.newestTime = max(next.newestTime, mark.newestTime)
      var fixes = try Self.fixes(
        reader, after: mark.lastSeq, "time >= ? AND time <= \(next.bound)", mark.newestTime)
      // Each number belongs to one fix: others arrived late. A few are not worth a read of all rows of a long past.
      let lateCount = next.lastSeq - mark.lastSeq - Int64(fixes.count)
      if lateCount > 0 {
        let first = lateCount > Int64(limit) ? start : max(start, settled ?? start)
        let late = try Self.fixes(
          reader, after: mark.lastSeq, "time >= ? AND time < \(mark.newestTime)", first.nanosecondsSince1970)
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

  private static func mark(
    of device: DeviceID, in database: Database, at wall: UTCTime
  ) throws -> HistoryMark? {
    guard let reader = try DeviceReader(database, device) else { return nil }
    let latest = UTCTime(nanosecondsSince1970: .max)
    // Where every date is ahead, the wall clock is wrong.
    let known = try reader.newestTime(at: wall)
    guard let newest = try known ?? reader.newestTime(at: latest) else { return nil }
    let bound = (known == nil ? latest : wall).advanced(by: .nanoseconds(DeviceReader.maximumClockLead))
    return HistoryMark(
      device: reader.id, lastSeq: reader.lastSeq, newestTime: newest, bound: bound.nanosecondsSince1970,
      revision: try revision(in: database))
  }

  /// Returns whether a fix up to a number has a time between two bounds: the date of a known fix has become wrong, or
  /// is wrong no longer.
  private static func hasFix(
    _ reader: DeviceReader, between one: Int64, and other: Int64, upTo seq: Int64
  ) throws -> Bool {
    let row = try reader.statement(
      "SELECT 1 FROM fix WHERE device = ? AND time > ? AND time <= ? AND seq <= ? LIMIT 1")
    row.bind(min(one, other), 2)
    row.bind(max(one, other), 3)
    row.bind(seq, 4)
    defer { row.reset() }
    return try row.step()
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
