/// The tables of the server, which `WhereaboutsServer` reads and writes.
///
/// The store creates, checks and erases the tables, because a process may erase data without the server target. The
/// store never reads their content.
enum ServerSchema {
  // since: the time before which the reader sees nothing.
  static let additionsOfVersion3 = ["ALTER TABLE token ADD COLUMN since INTEGER"]

  // link: the conditions that end a link and the end of its journey, as JSON. look: an opening of a link; it outlives
  // the token.
  static let additionsOfVersion5 = [
    "ALTER TABLE token ADD COLUMN link TEXT",
    """
    CREATE TABLE look (
      id INTEGER PRIMARY KEY AUTOINCREMENT, device INTEGER NOT NULL, token INTEGER NOT NULL, label TEXT NOT NULL,
      time INTEGER NOT NULL, reader TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX look_by_device ON look (device, id)",
  ]

  /// The tables with rows of devices.
  static let tablesByDevice = ["token", "privacy_zone", "rejected_row", "look"]

  static let tables = [
    // Either a random secret: prefix finds the row, hash is an HMAC of the whole secret. Or a password: salt and cost
    // are the parameters of scrypt, and label is the user name. Without a device: every device.
    """
    CREATE TABLE token (
      id INTEGER PRIMARY KEY AUTOINCREMENT, label TEXT NOT NULL, device INTEGER, scopes TEXT NOT NULL,
      accuracy_cap REAL, created INTEGER NOT NULL, expires INTEGER,
      prefix TEXT UNIQUE, hash BLOB NOT NULL, salt BLOB, cost INTEGER
    ) STRICT
    """,
    "CREATE UNIQUE INDEX token_user ON token (label) WHERE salt IS NOT NULL",
    // cover_…: the displaced circle that is hidden, which holds the zone. Without a device: every device.
    """
    CREATE TABLE privacy_zone (
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, device INTEGER,
      lat REAL NOT NULL, lon REAL NOT NULL, radius REAL NOT NULL, coarse REAL,
      cover_lat REAL NOT NULL, cover_lon REAL NOT NULL, cover_radius REAL NOT NULL
    ) STRICT
    """,
    // Without a device: the request named no device, or an unknown one.
    """
    CREATE TABLE rejected_row (
      id INTEGER PRIMARY KEY AUTOINCREMENT, device INTEGER, arrived INTEGER NOT NULL, dialect TEXT NOT NULL,
      place TEXT NOT NULL, reason TEXT NOT NULL, bytes BLOB NOT NULL
    ) STRICT
    """,
    "CREATE TABLE server_secret (id INTEGER PRIMARY KEY CHECK (id = 1), key BLOB NOT NULL) STRICT",
    "CREATE TABLE shared_fence (id TEXT NOT NULL UNIQUE, serial INTEGER NOT NULL, fence TEXT NOT NULL) STRICT",
    // The fence records of all devices in the order in which they were stored, for streams of events.
    """
    CREATE TABLE fence_record_order (
      position INTEGER PRIMARY KEY AUTOINCREMENT, device INTEGER NOT NULL, number INTEGER NOT NULL
    ) STRICT
    """,
    """
    INSERT INTO fence_record_order (device, number)
      SELECT device, number FROM fence_record ORDER BY coalesce(decided, time, 0), device, number
    """,
    """
    CREATE TRIGGER fence_record_ordered AFTER INSERT ON fence_record BEGIN
      INSERT INTO fence_record_order (device, number) VALUES (NEW.device, NEW.number);
    END
    """,
    """
    CREATE TRIGGER fence_record_unordered AFTER DELETE ON fence_record BEGIN
      DELETE FROM fence_record_order WHERE device = OLD.device AND number = OLD.number;
    END
    """,
  ]
}
