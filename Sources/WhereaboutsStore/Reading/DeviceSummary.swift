import GRDB
public import Whereabouts
public import WhereaboutsCore

/// What is kept of a device, in numbers.
public struct DeviceSummary: Hashable, Sendable {
  /// Rows of history, by what was made of the fix.
  public var fixes: [SeenFix.Use: Int] = [:]
  /// The time of the oldest row; `nil` where there is none.
  public var oldest: UTCTime?
  /// The time of the newest row; `nil` where there is none.
  public var newest: UTCTime?
  /// Events told of fences.
  public var crossings = 0
  /// Fences as of the newest snapshot, edits of others not counted.
  public var fences = 0
  /// Trips, ended or not.
  public var trips = 0

  /// Nothing.
  public init() {}
}

extension SQLiteStore {
  /// What is kept of a device, in numbers.
  ///
  /// - Complexity: O(rows): about a second for ten million.
  public func summary(of device: DeviceID) throws(StoreTrouble) -> DeviceSummary {
    try read { database in
      var summary = DeviceSummary()
      guard let reader = try DeviceReader(database, device) else { return summary }
      let uses = try reader.statement("SELECT use, count(*) FROM fix WHERE device = ? GROUP BY use")
      while try uses.step() {
        if let use = SeenFix.Use(rawValue: uses.text(0)) { summary.fixes[use] = Int(clamping: uses.int(1)) }
      }
      func number(_ sql: String) throws -> Int64? {
        let row = try reader.statement(sql)
        return try row.step() ? row.optionalInt(0) : nil
      }
      func time(_ sql: String) throws -> UTCTime? {
        try number(sql).map(UTCTime.init(nanosecondsSince1970:))
      }
      summary.oldest = try time("SELECT min(time) FROM fix WHERE device = ?")
      summary.newest = try time("SELECT max(time) FROM fix WHERE device = ?")
      summary.crossings = Int(
        clamping: try number("SELECT count(*) FROM note WHERE device = ? AND what = 'event'") ?? 0)
      summary.fences = Int(clamping: try number("SELECT count(*) FROM fence WHERE device = ?") ?? 0)
      summary.trips = Int(clamping: try number("SELECT count(*) FROM trip WHERE device = ?") ?? 0)
      return summary
    }
  }

  /// Bytes of the file that are in use; what is free in it, and the log beside it, not counted.
  public var bytesInUse: Int64 {
    get throws(StoreTrouble) {
      try read { database in try FileSize(of: database).used }
    }
  }
}

/// The pages of a file.
struct FileSize {
  let used: Int64
  let free: Int64

  init(of database: Database) throws {
    let page = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
    let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
    let unused = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
    used = page * (pages - unused)
    free = page * unused
  }
}
