import GRDB

/// Version 3: SQLite never gives the row id of an erased device to another device.
///
/// Other tables and running programs name a device by its row id. With a reused id they would take one device for another.
enum SchemaVersion3 {
  static func migrate(_ database: Database) throws {
    let reserved = try Int64.fetchOne(database, sql: "SELECT max(id) FROM (\(usedIDs))") ?? 0
    // SQLite rejects the renaming of a table while views refer to a missing one.
    for view in SchemaVersion1.viewNames + [SchemaVersion2.viewName] {
      try database.execute(sql: "DROP VIEW \(view)")
    }
    try database.execute(
      sql: """
        \(table);
        INSERT INTO new_device (\(columns)) SELECT \(columns) FROM device;
        DROP TABLE device;
        ALTER TABLE new_device RENAME TO device;
        """)
    for view in SchemaVersion1.views + [SchemaVersion2.view] { try database.execute(sql: view) }
    // `AUTOINCREMENT` continues after this number; it has no row where the table was always empty.
    try database.execute(
      sql: """
        DELETE FROM sqlite_sequence WHERE name = 'device';
        INSERT INTO sqlite_sequence (name, seq) VALUES ('device', \(reserved))
        """)
  }

  private static let columns = """
    id, name, passed, snapshot_seq, since_time, used_time, used_seq, fence_serial, edits_taken, seq_floor,
    note_floor, event_floor
    """

  private static let table = """
    CREATE TABLE new_device (
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, passed INTEGER,
      snapshot_seq INTEGER NOT NULL DEFAULT 0, since_time INTEGER,
      used_time INTEGER, used_seq INTEGER,
      fence_serial INTEGER NOT NULL DEFAULT 0, edits_taken INTEGER NOT NULL DEFAULT 0,
      seq_floor INTEGER NOT NULL DEFAULT 0, note_floor INTEGER NOT NULL DEFAULT 0,
      event_floor INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """

  /// Rows of a device that is gone count, too.
  private static let usedIDs =
    (["SELECT max(id) AS id FROM device"]
    + [
      "fix", "note", "snapshot", "fence", "fence_edit", "consumer", "trip", "trip_gap", "spell",
      "upload_cursor",
      "upload_batch",
    ].map { "SELECT max(device) FROM \($0)" }).joined(separator: " UNION ALL ")
}
