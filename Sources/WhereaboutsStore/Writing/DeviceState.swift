import GRDB
import Whereabouts
import WhereaboutsModel

/// The writer's state of a device as of the last transaction.
struct DeviceState {
  /// The device's row id.
  let id: Int64
  /// The last number of a fix.
  var lastSeq: Int64
  /// The number of the last fix in the snapshot.
  var snapshotSeq: Int64
  /// A lower bound of the times of the fixes after the snapshot; `nil` before the first fix.
  var sinceTime: Int64?
  /// The newest time of the fixes after the snapshot; `nil` while there are none.
  var newestSinceSnapshot: Int64?
  /// The last used fix.
  var lastUsed: (time: Int64, seq: Int64)?

  /// The margin of ``sinceTime`` in nanoseconds, so that slightly late fixes don't move the bound.
  private static let slack: Int64 = 60_000_000_000

  static func scanStart(_ time: Int64) -> Int64 {
    let (earlier, overflow) = time.subtractingReportingOverflow(slack)
    return overflow ? .min : earlier
  }

  /// Reads the state of a device.
  ///
  /// - Returns: `nil` for an unknown device.
  static func read(_ name: DeviceID, in database: Database) throws -> DeviceState? {
    let row = try Statement(
      kept: "SELECT id, snapshot_seq, since_time, seq_floor, used_time, used_seq FROM device WHERE name = ?",
      by: database)
    row.bind(name.rawValue, 1)
    guard try row.step() else { return nil }
    var state = DeviceState(
      id: row.int(0), lastSeq: max(row.int(1), row.int(3)), snapshotSeq: row.int(1),
      sinceTime: row.optionalInt(2))
    if let time = row.optionalInt(4), let seq = row.optionalInt(5) { state.lastUsed = (time, seq) }
    row.reset()
    try state.readFixesSinceSnapshot(in: database)
    return state
  }

  private init(id: Int64, lastSeq: Int64, snapshotSeq: Int64, sinceTime: Int64?) {
    self.id = id
    self.lastSeq = lastSeq
    self.snapshotSeq = snapshotSeq
    self.sinceTime = sinceTime
  }

  /// Creates the state of a new device.
  init(id: Int64) { self.init(id: id, lastSeq: 0, snapshotSeq: 0, sinceTime: nil) }

  /// Uses up the numbers of imported fixes, even if the engine's state lacks them.
  ///
  /// - Parameter newest: the newest time of the fixes.
  func addImported(_ numbers: ClosedRange<Int64>, newest: Int64, in database: Database) throws {
    try database.execute(
      sql: "UPDATE device SET seq_floor = max(seq_floor, ?) WHERE id = ?",
      arguments: [numbers.upperBound, id])
    // The next fix of a receiver may be older than the imports before it, so it counts as one after a reset of the
    // clock.
    try database.execute(
      sql: "UPDATE OR REPLACE time_reset SET seq = ? WHERE device = ? AND seq = ?",
      arguments: [numbers.upperBound + 1, id, numbers.lowerBound])
    guard let lastUsed, newest > lastUsed.time else { return }
    try database.execute(
      sql: "INSERT OR REPLACE INTO time_reset (device, seq, time) VALUES (?, ?, ?)",
      arguments: [id, numbers.upperBound + 1, lastUsed.time])
  }

  private mutating func readFixesSinceSnapshot(in database: Database) throws {
    guard let sinceTime else { return }
    let rows = try Statement(
      kept: """
        SELECT time, seq, use FROM fix
        WHERE device = ? AND time >= ? AND seq > ? AND timing <> \(FixRow.Timing.imported.rawValue)
        """, by: database)
    rows.bind(id, 1)
    rows.bind(sinceTime, 2)
    rows.bind(snapshotSeq, 3)
    while try rows.step() {
      let time = rows.int(0), seq = rows.int(1)
      lastSeq = max(lastSeq, seq)
      newestSinceSnapshot = max(newestSinceSnapshot ?? .min, time)
      if seq > lastUsed?.seq ?? .min, rows.text(2) == LoggedFix.Use.used.rawValue { lastUsed = (time, seq) }
    }
  }
}
