import GRDB

/// Version 4: what is being erased. A row stays until its bytes are gone, so that whoever opens the file next finishes.
enum SchemaVersion4 {
  static func create(in database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE erasure (
          id INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT NOT NULL, device INTEGER, first INTEGER, last INTEGER,
          trip TEXT
        ) STRICT
        """)
  }
}
