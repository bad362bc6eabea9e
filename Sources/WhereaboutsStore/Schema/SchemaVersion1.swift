import GRDB

/// The tables of version 1. `docs/store.md` says what is in them.
enum SchemaVersion1 {
  static func create(in database: Database) throws {
    for sql in tables + UploadSchema.tables { try database.execute(sql: sql) }
    for sql in views { try database.execute(sql: sql) }
  }

  /// The columns of a fix as they were in this version.
  private static let fixColumns = """
    lat REAL NOT NULL, lon REAL NOT NULL, hacc REAL, vacc REAL, estimated INTEGER NOT NULL,
    alt REAL, alt_hae REAL, speed REAL, speed_acc REAL, track REAL, track_acc REAL, climb REAL,
    mode INTEGER, status TEXT, sats_used INTEGER, sats_seen INTEGER, hdop REAL, vdop REAL, pdop REAL,
    source TEXT NOT NULL, simulated INTEGER NOT NULL, exact BLOB
    """

  private static let tables = [
    "CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID",
    """
    CREATE TABLE device (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, passed INTEGER,
      snapshot_seq INTEGER NOT NULL DEFAULT 0, since_time INTEGER,
      used_time INTEGER, used_seq INTEGER,
      fence_serial INTEGER NOT NULL DEFAULT 0, edits_taken INTEGER NOT NULL DEFAULT 0,
      seq_floor INTEGER NOT NULL DEFAULT 0, note_floor INTEGER NOT NULL DEFAULT 0,
      event_floor INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    // In the order of time, without a second index: that would cost two to three times as much to write.
    """
    CREATE TABLE fix (
      device INTEGER NOT NULL, time INTEGER NOT NULL, seq INTEGER NOT NULL, timing INTEGER NOT NULL,
      seen INTEGER, use TEXT NOT NULL, \(fixColumns),
      PRIMARY KEY (device, time, seq)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE note (
      device INTEGER NOT NULL, number INTEGER NOT NULL, what TEXT NOT NULL, event INTEGER, fence TEXT,
      kind TEXT, manner TEXT, time INTEGER, time_unc REAL, last_before INTEGER, first_after INTEGER,
      place_lat REAL, place_lon REAL, confidence REAL, decided INTEGER, pending INTEGER, reason TEXT,
      exact TEXT, fix_time INTEGER,
      fix_lat REAL, fix_lon REAL, fix_hacc REAL, fix_vacc REAL, fix_estimated INTEGER,
      fix_alt REAL, fix_alt_hae REAL, fix_speed REAL, fix_speed_acc REAL, fix_track REAL, fix_track_acc REAL,
      fix_climb REAL, fix_mode INTEGER, fix_status TEXT, fix_sats_used INTEGER, fix_sats_seen INTEGER,
      fix_hdop REAL, fix_vdop REAL, fix_pdop REAL, fix_source TEXT, fix_simulated INTEGER, fix_exact BLOB,
      PRIMARY KEY (device, number)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE snapshot (
      device INTEGER PRIMARY KEY, version INTEGER NOT NULL, state TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE fence (
      device INTEGER NOT NULL, id TEXT NOT NULL, serial INTEGER NOT NULL, fence TEXT NOT NULL,
      UNIQUE (device, id)
    ) STRICT
    """,
    """
    CREATE TABLE fence_edit (
      device INTEGER NOT NULL, number INTEGER NOT NULL, id TEXT NOT NULL, fence TEXT,
      PRIMARY KEY (device, number)
    ) STRICT
    """,
    """
    CREATE TABLE consumer (
      device INTEGER NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL,
      PRIMARY KEY (device, name)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE trip (
      device INTEGER NOT NULL, id TEXT NOT NULL, began INTEGER, settled_to INTEGER, ended INTEGER,
      distance REAL NOT NULL, uncertainty REAL NOT NULL, bridged REAL NOT NULL, gaps INTEGER NOT NULL,
      elapsed REAL NOT NULL, moving REAL NOT NULL, fastest REAL NOT NULL, ascent REAL, descent REAL,
      segments INTEGER NOT NULL, left_out INTEGER NOT NULL, doubled INTEGER NOT NULL,
      PRIMARY KEY (device, id)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE trip_gap (
      device INTEGER NOT NULL, trip TEXT NOT NULL, end INTEGER NOT NULL, duration REAL NOT NULL,
      geodesic REAL NOT NULL, counted REAL NOT NULL, uncertainty REAL NOT NULL,
      PRIMARY KEY (device, trip, end)
    ) STRICT, WITHOUT ROWID
    """,
  ]

  // MARK: Views

  /// Nanoseconds since 1970 as people read them, to the millisecond.
  static func readable(_ column: String) -> String {
    """
    strftime('%Y-%m-%dT%H:%M:%S', \(column) / 1000000000, 'unixepoch') \
    || printf('.%03dZ', \(column) / 1000000 % 1000)
    """
  }

  /// The names of ``views``.
  static let viewNames = ["fixes", "crossings", "trips", "fences", "deliveries", "queue"]

  static let views = [
    """
    CREATE VIEW fixes AS SELECT device.name AS device, \(readable("fix.time")) AS time, seq, use,
      lat, lon, hacc, alt, speed, track, source, fix.time AS time_ns
    FROM fix JOIN device ON device.id = fix.device
    """,
    """
    CREATE VIEW crossings AS SELECT device.name AS device, number, event, fence, kind, manner,
      \(readable("note.time")) AS time, time_unc, place_lat AS lat, place_lon AS lon, confidence,
      \(readable("decided")) AS decided, note.time AS time_ns
    FROM note JOIN device ON device.id = note.device WHERE what = 'event'
    """,
    """
    CREATE VIEW trips AS SELECT device.name AS device, trip.id AS trip, \(readable("began")) AS began,
      \(readable("ended")) AS ended, round(distance, 1) AS metres, round(uncertainty, 1) AS give_or_take,
      round(moving) AS seconds_moving, gaps
    FROM trip JOIN device ON device.id = trip.device
    """,
    """
    CREATE VIEW fences AS SELECT device.name AS device, fence.id AS fence, fence ->> '$.name' AS called,
      fence ->> '$.area.type' AS shape, fence ->> '$.area.radius' AS radius
    FROM fence JOIN device ON device.id = fence.device
    """,
    """
    CREATE VIEW deliveries AS SELECT device.name AS device, consumer.name AS consumer,
      consumer.number AS through,
      (SELECT count(*) FROM note WHERE note.device = consumer.device AND note.number > consumer.number)
        AS waiting
    FROM consumer JOIN device ON device.id = consumer.device
    """,
    """
    CREATE VIEW queue AS SELECT endpoint.name AS endpoint, device.name AS device, upload_batch.id AS batch,
      state, items, attempts, \(readable("next_try")) AS next_try, reason
    FROM upload_batch JOIN endpoint ON endpoint.id = upload_batch.endpoint
      LEFT JOIN device ON device.id = upload_batch.device
    """,
  ]
}
