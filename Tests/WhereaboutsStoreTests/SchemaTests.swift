import GRDB
import Testing

@testable import WhereaboutsStore

@Suite struct StoreSchemaTests {
  @Test func applicationIDIsFixed() {
    #expect(StoreSchema.applicationID == 0x5748_5231)
  }

  @Test func versionIsThatOfTheLastMigration() throws {
    let store = try SQLiteStore.open(at: try TemporaryFolder().file)
    #expect(try store.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == StoreSchema.version)
    #expect(StoreSchema.migrator.migrations == (1...StoreSchema.version).map(String.init))
  }

  @Test func serverTablesExist() throws {
    let store = try SQLiteStore.open(at: try TemporaryFolder().file)
    let tables = try store.read {
      try String.fetchSet($0, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
    }
    #expect(tables.isSuperset(of: StoreScenario.serverRows.keys))
  }
}
