import GRDB
import Whereabouts
import WhereaboutsCore

/// Reads what comes after a cursor, in order.
enum UploadReading {
  /// Rows that are read at once.
  static let window = 1000

  /// So far before the cursor's time fixes are looked for that came after it.
  private static let slack: Int64 = 600_000_000_000

  /// The number of the last fix of a device; 0 where there is none.
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

  /// The number of the last note of a device; 0 where there is none.
  static func lastNote(_ database: Database, device: Int64) throws -> Int64 {
    try Int64.fetchOne(
      database, sql: "SELECT coalesce(max(number), 0) FROM note WHERE device = ?", arguments: [device]) ?? 0
  }

  /// The next fixes in the order of their arrival; none only where there are none.
  ///
  /// The table is in the order of time and has no index by arrival, so it is read from about the cursor's time on. Where
  /// the numbers that are found there go on from the cursor's without a hole, nothing is missing. Else something was
  /// erased, or came with a time of long before: then all of the device's fixes are gone through, once.
  static func fixes(_ database: Database, after cursor: UploadCursor, last: Int64) throws -> [StoredFix] {
    guard last > cursor.seq else { return [] }
    if let time = cursor.time {
      let (earlier, overflow) = time.subtractingReportingOverflow(slack)
      let statement = try Statement(
        database,
        """
        SELECT \(FixRow.selected) FROM fix WHERE device = ? AND time >= ? AND seq > ? ORDER BY time, seq LIMIT ?
        """)
      statement.bind(cursor.device, 1)
      statement.bind(overflow ? .min : earlier, 2)
      statement.bind(cursor.seq, 3)
      statement.bind(Int64(window), 4)
      let found = try rows(statement).sorted { $0.seq < $1.seq }
      let whole = found.enumerated().prefix { Int64(clamping: $1.seq) == cursor.seq + 1 + Int64($0) }
      if !whole.isEmpty { return whole.map(\.element) }
    }
    let statement = try Statement(
      database, "SELECT \(FixRow.selected) FROM fix WHERE device = ? AND seq > ? ORDER BY seq LIMIT ?")
    statement.bind(cursor.device, 1)
    statement.bind(cursor.seq, 2)
    statement.bind(Int64(window), 3)
    return try rows(statement)
  }

  /// A fix that was read before; `nil` where it was erased since.
  static func fix(_ database: Database, device: Int64, time: Int64, seq: Int64) throws -> StoredFix? {
    let statement = try Statement(
      database, "SELECT \(FixRow.selected) FROM fix WHERE device = ? AND time = ? AND seq = ?")
    statement.bind(device, 1)
    statement.bind(time, 2)
    statement.bind(seq, 3)
    return try rows(statement).first
  }

  /// The next notes.
  static func notes(
    _ database: Database, device: Int64, after number: Int64, limit: Int
  ) throws -> [NumberedNote] {
    let statement = try Statement(
      database,
      "SELECT \(NoteRow.selected) FROM note WHERE device = ? AND number > ? ORDER BY number LIMIT ?")
    statement.bind(device, 1)
    statement.bind(number, 2)
    statement.bind(Int64(limit), 3)
    var notes: [NumberedNote] = []
    while try statement.step() { notes.append(try NoteRow.note(of: statement)) }
    return notes
  }

  private static func rows(_ statement: Statement) throws -> [StoredFix] {
    var fixes: [StoredFix] = []
    while try statement.step() { fixes.append(try FixRow.fix(of: statement)) }
    return fixes
  }
}
