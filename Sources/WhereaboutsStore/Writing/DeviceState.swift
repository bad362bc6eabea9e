import GRDB
import Whereabouts
import WhereaboutsCore

/// What the writer must know of a device to add to it, as of the last transaction.
struct DeviceState {
  /// Its row.
  let id: Int64
  /// The last number that a fix got.
  var lastSeq: Int64
  /// The last number in the snapshot.
  var snapshotSeq: Int64
  /// No fix after the snapshot is older than this: where to look for them. `nil` while there is none.
  var sinceTime: Int64?
  /// The newest of the fixes that came after ``sinceTime`` was set.
  var newestSince: Int64?
  /// The last fix that was used.
  var lastUsed: (time: Int64, seq: Int64)?

  /// So far back ``sinceTime`` is set: fixes that come a little late move it no further.
  private static let slack: Int64 = 60_000_000_000

  static func before(_ time: Int64) -> Int64 {
    let (earlier, overflow) = time.subtractingReportingOverflow(slack)
    return overflow ? .min : earlier
  }

  /// Reads that of a device.
  ///
  /// - Returns: `nil` where nothing is known of it.
  static func read(_ name: DeviceID, in database: Database) throws -> DeviceState? {
    let row = try Statement(
      database,
      "SELECT id, snapshot_seq, since_time, seq_floor, used_time, used_seq FROM device WHERE name = ?")
    row.bind(name.rawValue, 1)
    guard try row.step() else { return nil }
    var state = DeviceState(
      id: row.int(0), lastSeq: max(row.int(1), row.int(3)), snapshotSeq: row.int(1),
      sinceTime: row.optionalInt(2))
    if let time = row.optionalInt(4), let seq = row.optionalInt(5) { state.lastUsed = (time, seq) }
    row.reset()
    try state.readSince(in: database)
    return state
  }

  private init(id: Int64, lastSeq: Int64, snapshotSeq: Int64, sinceTime: Int64?) {
    self.id = id
    self.lastSeq = lastSeq
    self.snapshotSeq = snapshotSeq
    self.sinceTime = sinceTime
  }

  /// Of a device that nothing was known of.
  init(id: Int64) { self.init(id: id, lastSeq: 0, snapshotSeq: 0, sinceTime: nil) }

  private mutating func readSince(in database: Database) throws {
    guard let sinceTime else { return }
    let rows = try Statement(
      database, "SELECT time, seq, use FROM fix WHERE device = ? AND time >= ? AND seq > ?")
    rows.bind(id, 1)
    rows.bind(sinceTime, 2)
    rows.bind(snapshotSeq, 3)
    while try rows.step() {
      let time = rows.int(0), seq = rows.int(1)
      lastSeq = max(lastSeq, seq)
      newestSince = max(newestSince ?? .min, time)
      if seq > lastUsed?.seq ?? .min, rows.text(2) == SeenFix.Use.used.rawValue { lastUsed = (time, seq) }
    }
  }
}
