import GRDB

/// The tables of version 2: how long the receiver was asked to be on. `docs/store.md` says what is in them.
enum SchemaVersion2 {
  static func create(in database: Database) throws {
    try database.execute(sql: table)
    try database.execute(sql: view)
  }

  private static let table = """
    CREATE TABLE spell (
      device INTEGER NOT NULL, number INTEGER NOT NULL, began INTEGER, duration INTEGER NOT NULL,
      open INTEGER NOT NULL, fixes TEXT NOT NULL, accuracy REAL, filter REAL, interval INTEGER, activity TEXT,
      headings REAL, requests INTEGER NOT NULL, subscriptions INTEGER NOT NULL, trackers INTEGER NOT NULL,
      fences INTEGER NOT NULL, preset TEXT NOT NULL, reason TEXT NOT NULL,
      PRIMARY KEY (device, number)
    ) STRICT, WITHOUT ROWID
    """

  /// The name of ``view``.
  static let viewName = "receiver"

  static let view = """
    CREATE VIEW receiver AS SELECT device.name AS device, number,
      \(SchemaVersion1.readable("began")) AS began, round(duration / 1e9, 3) AS seconds, open,
      CASE fixes WHEN 'continuous' THEN printf('%g m', accuracy)
        || iif(filter > 0, printf(', every %g m', filter), '')
        || iif(interval > 0, printf(', every %g s', interval / 1e9), '')
      WHEN 'significant changes' THEN fixes ELSE 'headings' END AS asked,
      trim(iif(requests, 'requests ', '') || iif(subscriptions, 'subscriptions ', '')
        || iif(trackers, 'trackers ', '') || iif(fences, 'fences', '')) AS whom,
      preset, reason, began AS began_ns
    FROM spell JOIN device ON device.id = spell.device
    """
}
