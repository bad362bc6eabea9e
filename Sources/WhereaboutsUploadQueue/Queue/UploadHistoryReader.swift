import GRDB
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore

/// A reader of the data after a cursor, in order.
enum UploadHistoryReader {
  /// The number of rows read in one step, which takes some milliseconds.
  static let window = 5_000

  /// Returns the number of a device's last fix; 0 if there is none.
  static func lastSeq(_ database: Database, device: Int64) throws -> Int64 {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT max(device.snapshot_seq, device.seq_floor, coalesce((
          SELECT max(seq) FROM fix WHERE fix.device = device.id AND fix.time >= device.since_time
        ), 0)) FROM device WHERE device.id = ?
        """, arguments: [device])
    return row?[0] ?? 0
  }

  /// Returns the latest time that a fix may have at a time of the wall clock, in nanoseconds since 1970. A later one is a
  /// wrong date, as of a recording whose receiver had a wrong clock.
  static func latestTime(at wall: UTCTime) -> Int64 {
    wall.advanced(by: .nanoseconds(DeviceReader.maximumClockLead)).nanosecondsSince1970
  }

  /// Returns the time of a device's newest used fix up to a number, imported ones included, without wrong dates; `nil` if
  /// there is none.
  static func newestUsedTime(
    _ database: Database, device: Int64, upTo seq: Int64 = .max, at wall: UTCTime
  ) throws -> Int64? {
    try Int64.fetchOne(
      database,
      sql: """
        SELECT time FROM fix WHERE device = ? AND time <= ? AND seq <= ? AND use = 'used' ORDER BY time DESC LIMIT 1
        """,
      arguments: [device, latestTime(at: wall), seq])
  }

  /// Returns the number of a device's last fence record; 0 if there is none.
  static func lastRecordNumber(_ database: Database, device: Int64) throws -> Int64 {
    try Int64.fetchOne(
      database, sql: "SELECT coalesce(max(number), 0) FROM fence_record WHERE device = ?", arguments: [device]
    ) ?? 0
  }

  /// Returns the next rows of a device in the order of `fix`, of any use and order of arrival.
  static func page(
    _ database: Database, device: Int64, after place: (time: Int64, seq: Int64), limit: Int
  ) throws -> Statement {
    let statement = try Statement(
      database,
      """
      SELECT \(FixRow.selected) FROM fix WHERE device = ? AND (time, seq) > (?, ?) ORDER BY time, seq LIMIT ?
      """)
    statement.bind(device, 1)
    statement.bind(place.time, 2)
    statement.bind(place.seq, 3)
    statement.bind(Int64(limit), 4)
    return statement
  }

  /// Returns the next used fix that is, or after an import may be, older than its predecessor, with a lower bound of the
  /// later times.
  static func nextReset(
    _ database: Database, device: Int64, after seq: Int64
  ) throws -> (seq: Int64, time: Int64)? {
    let row = try Row.fetchOne(
      database, sql: "SELECT seq, time FROM time_reset WHERE device = ? AND seq > ? ORDER BY seq LIMIT 1",
      arguments: [device, seq])
    guard let row else { return nil }
    let (next, time): (Int64, Int64) = (row[0], row[1])
    return (next, time)
  }

  /// Returns the display name of a fence of the device, or of one that all devices share; `nil` if the fence has none or
  /// is removed.
  static func name(of fence: FenceID, _ database: Database, device: Int64) throws -> String? {
    try String.fetchOne(
      database,
      sql: """
        SELECT coalesce(
          (SELECT fence ->> '$.name' FROM fence WHERE device = ?1 AND id = ?2),
          (SELECT fence ->> '$.name' FROM fence_edit WHERE device = ?1 AND id = ?2 AND fence IS NOT NULL
            ORDER BY number DESC LIMIT 1),
          (SELECT fence ->> '$.name' FROM shared_fence WHERE id = ?2))
        """, arguments: [device, fence.name])
  }

  /// Returns a fix read before; `nil` if the fix was erased since.
  static func fix(_ database: Database, device: Int64, time: Int64, seq: Int64) throws -> StoredFix? {
    let statement = try Statement(
      database, "SELECT \(FixRow.selected) FROM fix WHERE device = ? AND time = ? AND seq = ?")
    statement.bind(device, 1)
    statement.bind(time, 2)
    statement.bind(seq, 3)
    return try rows(statement).first
  }

  /// Returns the next fence records.
  static func fenceRecords(
    _ database: Database, device: Int64, after number: Int64, limit: Int
  ) throws -> [NumberedFenceRecord] {
    let statement = try Statement(
      database,
      "SELECT \(FenceRecordRow.selected) FROM fence_record WHERE device = ? AND number > ? ORDER BY number LIMIT ?"
    )
    statement.bind(device, 1)
    statement.bind(number, 2)
    statement.bind(Int64(limit), 3)
    var records: [NumberedFenceRecord] = []
    while try statement.step() { records.append(try FenceRecordRow.record(of: statement)) }
    return records
  }

  private static func rows(_ statement: Statement) throws -> [StoredFix] {
    var fixes: [StoredFix] = []
    while try statement.step() { fixes.append(try FixRow.fix(of: statement)) }
    return fixes
  }
}
