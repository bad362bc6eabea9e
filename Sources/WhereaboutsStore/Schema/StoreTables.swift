/// The tables of a store, but for those of uploads and of the server. `docs/store.md` describes them.
enum StoreTables {
  /// The columns of a fix.
  private static let fixColumns = """
    lat REAL NOT NULL, lon REAL NOT NULL, hacc REAL, vacc REAL, estimated INTEGER NOT NULL,
    alt REAL, alt_hae REAL, speed REAL, speed_acc REAL, track REAL, track_acc REAL, climb REAL,
    mode INTEGER, status TEXT, sats_used INTEGER, sats_seen INTEGER, hdop REAL, vdop REAL, pdop REAL,
    source TEXT NOT NULL, simulated INTEGER NOT NULL, exact BLOB
    """

  static let tables = [
    "CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID",
    """
    CREATE TABLE device (
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, processed_until INTEGER,
      snapshot_seq INTEGER NOT NULL DEFAULT 0, since_time INTEGER,
      used_time INTEGER, used_seq INTEGER,
      fence_serial INTEGER NOT NULL DEFAULT 0, edits_applied INTEGER NOT NULL DEFAULT 0,
      seq_floor INTEGER NOT NULL DEFAULT 0, record_floor INTEGER NOT NULL DEFAULT 0,
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
    CREATE TABLE fence_record (
      device INTEGER NOT NULL, number INTEGER NOT NULL, type TEXT NOT NULL, event INTEGER, fence TEXT,
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
      distance REAL NOT NULL, uncertainty REAL NOT NULL, bridged_distance REAL NOT NULL, gaps INTEGER NOT NULL,
      elapsed_time REAL NOT NULL, moving_time REAL NOT NULL, maximum_speed REAL NOT NULL, ascent REAL, descent REAL,
      segments INTEGER NOT NULL, late_fixes INTEGER NOT NULL, duplicate_fixes INTEGER NOT NULL,
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
    // The times in which the receiver was asked to be on.
    """
    CREATE TABLE receiver_usage (
      device INTEGER NOT NULL, number INTEGER NOT NULL, began INTEGER, duration INTEGER NOT NULL,
      open INTEGER NOT NULL, fixes TEXT NOT NULL, accuracy REAL, filter REAL, interval INTEGER, activity TEXT,
      headings REAL, requests INTEGER NOT NULL, subscriptions INTEGER NOT NULL, trackers INTEGER NOT NULL,
      fences INTEGER NOT NULL, preset TEXT NOT NULL, reason TEXT NOT NULL,
      PRIMARY KEY (device, number)
    ) STRICT, WITHOUT ROWID
    """,
    // The pending erasures. A row stays until its bytes are gone, so that the next opener finishes.
    """
    CREATE TABLE erasure (
      id INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT NOT NULL, device INTEGER, first INTEGER, last INTEGER,
      trip TEXT
    ) STRICT
    """,
    // A used fix that is older than the used fix before it: the clock of the fixes was set back. The number after an
    // import of later times has a row, too. Between two of these rows, used fixes of a receiver stand in `fix` in the
    // order of their arrival. `time` is no later than that of any of them from `seq` to the next of these rows.
    """
    CREATE TABLE time_reset (
      device INTEGER NOT NULL, seq INTEGER NOT NULL, time INTEGER NOT NULL,
      PRIMARY KEY (device, seq)
    ) STRICT, WITHOUT ROWID
    """,
  ]
}
