import GRDB

/// The column of a fix's floor, which version 6 added.
enum FixFloorSchema {
  /// The first version with the column.
  private static let version = 6
  /// The tables with a fix, and the name of its floor.
  private static let columns = [("fix", "floor"), ("fence_record", "fix_floor")]

  static let additions = columns.map { "ALTER TABLE \($0) ADD COLUMN \($1) INTEGER" }

  /// Makes a file of an older version readable that is not migrated: for this connection, temporary views stand for the
  /// tables, whose floor is `NULL`.
  static func replaceMissingColumns(_ database: Database) throws {
    let fileVersion = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    guard (1..<version).contains(fileVersion) else { return }
    for (table, column) in columns {
      try database.execute(
        sql: "CREATE TEMP VIEW IF NOT EXISTS \(table) AS SELECT *, NULL AS \(column) FROM main.\(table)")
    }
  }
}
