/// The tables of imports and of repairs of an imported past.
///
/// A repair stores only the changed columns of `fix`. Triggers remove them with the fix, however it is erased.
enum RepairSchema {
  /// The tables with rows of devices.
  static let tablesByDevice = ["import_run", "repaired_fix", "repair"]

  static let tables = [
    """
    CREATE TABLE import_run (
      device INTEGER NOT NULL, number INTEGER NOT NULL, first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL,
      PRIMARY KEY (device, number)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE repair (
      id INTEGER PRIMARY KEY AUTOINCREMENT, device INTEGER NOT NULL, kind TEXT NOT NULL, choice TEXT NOT NULL,
      applied INTEGER NOT NULL
    ) STRICT
    """,
    // The key and the changed columns before the repair, and the key since the repair.
    """
    CREATE TABLE repaired_fix (
      repair INTEGER NOT NULL, device INTEGER NOT NULL, time INTEGER NOT NULL, seq INTEGER NOT NULL,
      new_device INTEGER NOT NULL, new_time INTEGER NOT NULL, new_seq INTEGER NOT NULL,
      use TEXT NOT NULL, hacc REAL,
      PRIMARY KEY (new_device, new_time, new_seq, repair)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX repaired_fix_time ON repaired_fix (device, time)",
    "CREATE INDEX repaired_fix_repair ON repaired_fix (repair)",
    """
    CREATE TRIGGER fix_erased AFTER DELETE ON fix BEGIN
      DELETE FROM repaired_fix WHERE new_device = old.device AND new_time = old.time AND new_seq = old.seq;
    END
    """,
    """
    CREATE TRIGGER repaired_fix_erased AFTER DELETE ON repaired_fix BEGIN
      DELETE FROM repair WHERE id = old.repair
        AND NOT EXISTS (SELECT 1 FROM repaired_fix WHERE repair = old.repair);
    END
    """,
  ]
}
