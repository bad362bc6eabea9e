import GRDB

/// What a store's file is known by, and how files of older versions become files of this one.
package enum StoreSchema {
  /// SQLite's application id: "WHAB".
  static let applicationID: Int32 = 0x5748_4142
  /// SQLite's user version: the number of the last migration.
  package static let version = 5

  /// Every migration there has ever been. One that has been released is never changed.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try SchemaVersion1.create(in: database)
      try database.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = 1")
    }
    migrator.registerMigration("2") { database in
      try SchemaVersion2.create(in: database)
      try database.execute(sql: "PRAGMA user_version = 2")
    }
    migrator.registerMigration("3") { database in
      try SchemaVersion3.migrate(database)
      try database.execute(sql: "PRAGMA user_version = 3")
    }
    migrator.registerMigration("4") { database in
      try SchemaVersion4.create(in: database)
      try database.execute(sql: "PRAGMA user_version = 4")
    }
    migrator.registerMigration("5") { database in
      try SchemaVersion5.migrate(database)
      try database.execute(sql: "PRAGMA user_version = 5")
    }
    return migrator
  }
}
