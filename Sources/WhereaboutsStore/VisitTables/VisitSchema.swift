/// The table of visits that recordings state.
///
/// No visit is derived from fixes here: such visits are not stored.
enum VisitSchema {
  /// The tables with rows of devices.
  static let tablesByDevice = ["stated_visit"]

  static let tables = [
    // level: the depth within other visits; 0 for the outermost.
    """
    CREATE TABLE stated_visit (
      device INTEGER NOT NULL, arrival INTEGER NOT NULL, departure INTEGER NOT NULL, level INTEGER NOT NULL,
      lat REAL NOT NULL, lon REAL NOT NULL, name TEXT, address TEXT, kind TEXT, place_id TEXT, probability REAL,
      confirmed INTEGER NOT NULL,
      PRIMARY KEY (device, arrival, departure, level, lat, lon)
    ) STRICT, WITHOUT ROWID
    """
  ]
}
