import Foundation
import GRDB
import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel

@testable import WhereaboutsStore

@Suite struct StoreMigrationTests {
  /// Copies the file written by a version.
  private func copy(of version: Int, to folder: TemporaryFolder) throws {
    let fixture = try #require(
      Bundle.module.url(forResource: "store-\(version)", withExtension: "sqlite", subdirectory: "Fixtures"))
    try FileManager.default.copyItem(atPath: fixture.path, toPath: folder.file)
  }

  private func schema(of file: String) throws -> [String] {
    let queue = try DatabaseQueue(path: file)
    return try queue.read {
      try String.fetchAll($0, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name")
    }
  }

  @Test(arguments: 1...StoreSchema.version)
  func fileOfEachVersionOpensWithItsContent(version: Int) async throws {
    let folder = try TemporaryFolder()
    try copy(of: version, to: folder)
    let store = try SQLiteStore.open(at: folder.file)
    let record = try await store.load(.this)
    #expect(record.snapshot == EngineSnapshot(watch: FenceWatch()))
    #expect(record.fixesSinceSnapshot == Array(try StoreScenario.fixes()[8...]))
    #expect(record.lastFix == (try StoreScenario.fixes().last))
    #expect(record.fenceRecords == (try StoreScenario.fenceRecords()))
    #expect(record.lastEventNumber == 1 && record.lastRecordNumber == 3)
    #expect(record.fences == [StoreCommit.FenceChange.Entry(try StoreScenario.fence(), serial: 2)])
    #expect(record.edits == [DeviceRecord.FenceEdit(number: 1, change: .removed("shop"))])
    #expect(record.openTrips == [StoreScenario.trip()])
    #expect(record.processedUntil == t(8))
    let usages = [StoreScenario.receiverUsage()]
    #expect(try store.receiverUsages(of: .this) == usages && record.lastReceiverUsage == usages.last)
    #expect(try store.gaps(of: "walk", device: .this) == [StoreScenario.gap()])
    #expect(try await store.cursor(of: "page", device: .this) == 1)
    var fixes: [LoggedFix] = []
    try store.history(of: .this, uses: Set(LoggedFix.Use.allCases)) { fixes.append($0.fix) }
    #expect(fixes.count == 10)
    for (fix, expected) in zip(fixes, try StoreScenario.fixes()) { #expect(fix.isBitwiseEqual(to: expected)) }
    for (table, row) in StoreScenario.serverRows where version >= StoreScenario.firstVersion(of: table) {
      let written = StoreScenario.serverRow(row, of: table, writtenBy: version)
      #expect(try StoreScenario.serverRow(of: table, in: store) == written)
    }
    #expect(try store.places(of: .this) == (version >= 3 ? [StoreScenario.savedPlace()] : []))
    #expect(try store.statedOffsets(of: .this) == (version >= 8 ? StoreScenario.statedOffsets : []))
    #expect(try store.statedVisits(of: .this) == (version >= 8 ? [StoreScenario.statedVisit()] : []))
    // The migrated file has the same schema as a new one.
    store.close()
    let fresh = try TemporaryFolder()
    try SQLiteStore.open(at: fresh.file).close()
    #expect(try schema(of: folder.file) == schema(of: fresh.file))
  }

  @Test(arguments: [true, false]) func termIsRenamedAndPropertiesAreKept(reports: Bool) async throws {
    let folder = try TemporaryFolder()
    try copy(of: 5, to: folder)
    let queue = try DatabaseQueue(path: folder.file)
    try await queue.write {
      try $0.execute(
        sql: """
          UPDATE fence SET fence = json_set(fence, '$.terms.tellsInitialSide', json(?),
            '$.properties', json('{"told":"twice","reported":1,"terms":{"tellsInitialSide":true}}'))
          """, arguments: ["\(reports)"])
    }
    try queue.close()
    let store = try SQLiteStore.open(at: folder.file)
    let fence = try #require(try await store.load(.this).fences.first?.fence)
    #expect(fence.terms.reportsInitialSide == reports)
    #expect(
      fence.properties
        == [
          "told": .string("twice"), "reported": .number(1),
          "terms": .object(["tellsInitialSide": .bool(true)]),
        ])
  }

  @Test(arguments: StoreSchema.oldestReadableVersion...StoreSchema.version)
  func readableFileIsReadWithoutMigration(version: Int) async throws {
    let folder = try TemporaryFolder()
    try copy(of: version, to: folder)
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.file))
    let store = try SQLiteStore.open(at: folder.file, access: .readOnly)
    #expect(try await store.load(.this).lastFix == (try StoreScenario.fixes().last))
    // The shared fence of the scenario, `{}`, can't be decoded.
    #expect(try store.check().faults.count == 1)
    store.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file)) == before)
  }

  @Test(arguments: 1..<StoreSchema.oldestReadableVersion)
  func olderFileIsRefusedUnchangedWithoutMigration(version: Int) throws {
    let folder = try TemporaryFolder()
    try copy(of: version, to: folder)
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.file))
    let error = #expect(throws: StoreError.self) { try SQLiteStore.open(at: folder.file, access: .readOnly) }
    #expect(error?.message.contains("Open it for writing once") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file)) == before)
  }

  @Test func fileFromBeforeTheFirstVersionIsRefusedUnchanged() throws {
    let folder = try TemporaryFolder()
    do {
      let queue = try DatabaseQueue(path: folder.file)
      try queue.write {
        try $0.execute(
          sql: "CREATE TABLE note (what TEXT); PRAGMA application_id = 1464353090; PRAGMA user_version = 1")
      }
      try queue.close()
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.file))
    let error = #expect(throws: StoreError.self) { try SQLiteStore.open(at: folder.file) }
    #expect(error?.message.contains("began again at version 1") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file)) == before)
  }

  @Test(
    .enabled(if: ProcessInfo.processInfo.environment["RECORD"] != nil, "RECORD=1 writes the fixture anew"))
  func writeFixtureOfThisVersion() async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file, wall: { t(0) }, hook: nil)
    try await StoreScenario.write(to: store)
    store.close()
    let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/store-\(StoreSchema.version).sqlite")
    try? FileManager.default.removeItem(at: fixture)
    try FileManager.default.copyItem(atPath: folder.file, toPath: fixture.path)
    Issue.record("written: \(fixture.lastPathComponent); check the differences before you commit it")
  }
}
