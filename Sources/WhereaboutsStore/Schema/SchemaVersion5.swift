import GRDB

/// Version 5: what uploads need to read the history in order of arrival without going through all of it, and to tell a
/// server's refusals from other failures.
enum SchemaVersion5 {
  static func migrate(_ database: Database) throws {
    for sql in tables + [findResets, findPositions] { try database.execute(sql: sql) }
  }

  private static let tables = [
    // A used fix that is older than the used fix before it: the clock of the fixes was set back. Between two of these
    // rows, used fixes stand in `fix` in the order of their arrival. `time` is no later than that of any used fix from
    // `seq` to the next of these rows.
    """
    CREATE TABLE time_reset (
      device INTEGER NOT NULL, seq INTEGER NOT NULL, time INTEGER NOT NULL,
      PRIMARY KEY (device, seq)
    ) STRICT, WITHOUT ROWID
    """,
    // Where reading goes on while it has not reached the end, and the last fix that there was when it began.
    "ALTER TABLE upload_cursor ADD COLUMN scan_time INTEGER",
    "ALTER TABLE upload_cursor ADD COLUMN scan_seq INTEGER",
    "ALTER TABLE upload_cursor ADD COLUMN scan_through INTEGER",
    // Of the attempts, those that the server itself refused.
    "ALTER TABLE upload_batch ADD COLUMN refusals INTEGER NOT NULL DEFAULT 0",
    // Answers in a row by which the URL or the device is wrong; answers ever that were not the server's.
    "ALTER TABLE endpoint ADD COLUMN misdirected INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE endpoint ADD COLUMN unconfirmed INTEGER NOT NULL DEFAULT 0",
  ]

  private static let findResets = """
    INSERT INTO time_reset (device, seq, time)
    SELECT device, seq, time FROM (
      SELECT device, seq, time, lag(time) OVER (PARTITION BY device ORDER BY seq) AS before
      FROM fix WHERE use = 'used'
    ) WHERE time < before
    """

  /// The time was that of the last fix of any use, which may be one of the future.
  private static let findPositions = """
    UPDATE upload_cursor SET time = (
      SELECT time FROM fix WHERE fix.device = upload_cursor.device AND use = 'used' AND seq <= upload_cursor.seq
      ORDER BY seq DESC LIMIT 1)
    """
}
