import GRDB

/// What is prepared once and run with every commit.
struct WriterStatements {
  let begin: Statement
  let commit: Statement
  let rollback: Statement
  let dataVersion: Statement
  let pageCount: Statement
  let noteSync: Statement
  let fix: Statement
  let note: Statement
  let snapshot: Statement
  let spell: Statement
  let device: Statement
  let timeReset: Statement

  init(_ database: Database) throws {
    begin = try Statement(database, "BEGIN IMMEDIATE")
    commit = try Statement(database, "COMMIT")
    rollback = try Statement(database, "ROLLBACK")
    dataVersion = try Statement(database, "PRAGMA data_version")
    pageCount = try Statement(database, "PRAGMA page_count")
    noteSync = try Statement(database, "INSERT OR REPLACE INTO meta (key, value) VALUES ('synced', ?)")
    fix = try Statement(database, FixRow.insert)
    note = try Statement(database, NoteRow.insert)
    spell = try Statement(database, SpellRow.insert)
    snapshot = try Statement(
      database, "INSERT OR REPLACE INTO snapshot (device, version, state) VALUES (?, ?, ?)")
    timeReset = try Statement(
      database, "INSERT OR REPLACE INTO time_reset (device, seq, time) VALUES (?, ?, ?)")
    device = try Statement(
      database,
      """
      UPDATE device SET snapshot_seq = ?, since_time = ?, used_time = coalesce(?, used_time),
        used_seq = coalesce(?, used_seq), passed = coalesce(?, passed)
      WHERE id = ?
      """)
  }
}
