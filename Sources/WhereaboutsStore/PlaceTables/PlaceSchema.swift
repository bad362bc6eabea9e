/// The table of places that a person has named or merged.
///
/// Visits and journeys are not stored: they derive from the fixes.
enum PlaceSchema {
  /// The tables with rows of devices.
  static let tablesByDevice = ["place"]

  static let tables = [
    // first, last: the times of the visits by which the place was known when it was changed.
    """
    CREATE TABLE place (
      device INTEGER NOT NULL, id TEXT NOT NULL, name TEXT, lat REAL NOT NULL, lon REAL NOT NULL,
      radius REAL NOT NULL, merged_into TEXT, first INTEGER, last INTEGER,
      PRIMARY KEY (device, id)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE VIEW places AS SELECT device.name AS device, place.id AS place, place.name AS name, lat, lon, radius,
      merged_into
    FROM place JOIN device ON device.id = place.device
    """,
  ]
}
