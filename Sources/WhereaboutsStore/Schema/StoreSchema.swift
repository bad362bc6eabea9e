import GRDB

/// The identity of a store's file, and the migrations from older versions.
package enum StoreSchema {
  /// SQLite's application id: "WHR1".
  static let applicationID: Int32 = 0x5748_5231
  /// The application id of files from before versions began again at 1: "WHAB".
  static let supersededApplicationID: Int32 = 0x5748_4142
  /// SQLite's user version: the number of the last migration.
  package static let version = 8
  /// The oldest version that can be read without a migration: version 7 added columns, version 8 only tables and an index.
  static let oldestReadableVersion = 7

  /// The migrations of all versions. A released migration never changes.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      for sql in StoreTables.tables + UploadSchema.tables + StoreViews.views {
        try database.execute(sql: sql)
      }
      try database.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = 1")
    }
    migrator.registerMigration("2") { database in
      for sql in ServerSchema.tables { try database.execute(sql: sql) }
      try database.execute(sql: "PRAGMA user_version = 2")
    }
    migrator.registerMigration("3") { database in
      for sql in PlaceSchema.tables + ServerSchema.additionsOfVersion3 { try database.execute(sql: sql) }
      try database.execute(sql: "PRAGMA user_version = 3")
    }
    migrator.registerMigration("4") { database in
      for sql in RepairSchema.tables { try database.execute(sql: sql) }
      try database.execute(sql: "PRAGMA user_version = 4")
    }
    migrator.registerMigration("5") { database in
      for sql in AlertSchema.tables + ServerSchema.additionsOfVersion5 { try database.execute(sql: sql) }
      try database.execute(sql: "PRAGMA user_version = 5")
    }
    migrator.registerMigration("6") { database in
      for sql in changesOfVersion6 { try database.execute(sql: sql) }
      try database.execute(sql: "PRAGMA user_version = 6")
    }
    migrator.registerMigration("7") { database in
      for sql in changesOfVersion7 { try database.execute(sql: sql) }
      try database.execute(sql: "PRAGMA user_version = 7")
    }
    migrator.registerMigration("8") { database in
      for sql in changesOfVersion8 { try database.execute(sql: sql) }
      try database.execute(sql: "PRAGMA user_version = 8")
    }
    return migrator
  }
}
