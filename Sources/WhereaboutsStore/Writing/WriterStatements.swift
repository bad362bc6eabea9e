import GRDB

/// The statements prepared once and run with every commit.
struct WriterStatements {
  let begin: Statement
  let commit: Statement
  let rollback: Statement
  let dataVersion: Statement
  let pageCount: Statement
  let recordSync: Statement
  let fix: Statement
  let fenceRecord: Statement
  let snapshot: Statement
  let receiverUsage: Statement
  let device: Statement
  let timeReset: Statement

  init(_ database: Database) throws {
    begin = try Statement(database, "BEGIN IMMEDIATE")
    commit = try Statement(database, "COMMIT")
    rollback = try Statement(database, "ROLLBACK")
    dataVersion = try Statement(database, "PRAGMA data_version")
    pageCount = try Statement(database, "PRAGMA page_count")
    recordSync = try Statement(database, "INSERT OR REPLACE INTO meta (key, value) VALUES ('synced', ?)")
    fix = try Statement(database, FixRow.insert)
    fenceRecord = try Statement(database, FenceRecordRow.insert)
    receiverUsage = try Statement(database, ReceiverUsageRow.insert)
    snapshot = try Statement(
      database, "INSERT OR REPLACE INTO snapshot (device, version, state) VALUES (?, ?, ?)")
    timeReset = try Statement(
      database, "INSERT OR REPLACE INTO time_reset (device, seq, time) VALUES (?, ?, ?)")
    device = try Statement(
      database,
      """
      UPDATE device SET snapshot_seq = ?, since_time = ?, used_time = coalesce(?, used_time),
        used_seq = coalesce(?, used_seq), processed_until = coalesce(?, processed_until)
      WHERE id = ?
      """)
  }
}
