import GRDB
public import Whereabouts
public import WhereaboutsModel

/// The counts of a device's stored data.
public struct DeviceSummary: Hashable, Sendable {
  /// The numbers of history rows, by the use of the fix.
  public var fixes: [LoggedFix.Use: Int] = [:]
  /// The time of the oldest row; `nil` without rows.
  public var oldest: UTCTime?
  /// The time of the newest row; `nil` without rows.
  public var newest: UTCTime?
  /// The number of reported fence events.
  public var crossings = 0
  /// The number of fences as of the newest snapshot, without pending edits.
  public var fences = 0
  /// The number of trips, ended or not.
  public var trips = 0
  /// The number of visits that recordings state.
  public var statedVisits = 0

  /// Creates an empty summary.
  public init() {}
}

extension SQLiteStore {
  /// Returns the counts of a device's stored data.
  ///
  /// - Complexity: O(rows): about a second for ten million.
  public func summary(of device: DeviceID) throws(StoreError) -> DeviceSummary {
    try read { database in
      var summary = DeviceSummary()
      guard let reader = try DeviceReader(database, device) else { return summary }
      let uses = try reader.statement("SELECT use, count(*) FROM fix WHERE device = ? GROUP BY use")
      while try uses.step() {
        if let use = LoggedFix.Use(rawValue: uses.text(0)) { summary.fixes[use] = Int(clamping: uses.int(1)) }
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
        clamping: try number("SELECT count(*) FROM fence_record WHERE device = ? AND type = 'event'") ?? 0)
      summary.fences = Int(clamping: try number("SELECT count(*) FROM fence WHERE device = ?") ?? 0)
      summary.trips = Int(clamping: try number("SELECT count(*) FROM trip WHERE device = ?") ?? 0)
      // A file of an older version has none.
      if try database.tableExists("stated_visit") {
        summary.statedVisits = Int(
          clamping: try number("SELECT count(*) FROM stated_visit WHERE device = ?") ?? 0)
      }
      return summary
    }
  }

  /// The number of bytes in use in the file, without free pages and the log.
  public var bytesInUse: Int64 {
    get throws(StoreError) {
      try read { database in try FileSize(of: database).used }
    }
  }
}

/// The page counts of a file.
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
