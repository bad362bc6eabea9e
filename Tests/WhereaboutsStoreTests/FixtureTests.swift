import Foundation
import GRDB
import Testing
import Whereabouts
import WhereaboutsCore

@testable import WhereaboutsStore

@Suite struct FixtureTests {
  /// A copy of the file that a version wrote.
  private func copy(of version: Int, to folder: Folder) throws {
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
  func aFileOfEachVersionOpensWithAllThatIsInIt(version: Int) async throws {
    let folder = try Folder()
    try copy(of: version, to: folder)
    let store = try SQLiteStore.open(at: folder.file)
    let record = try await store.load(.this)
    #expect(record.snapshot == EngineSnapshot(watch: FenceWatch()))
    #expect(record.since == Array(try Story.fixes()[8...]))
    #expect(record.lastFix == (try Story.fixes().last))
    #expect(record.notes == (try Story.notes()))
    #expect(record.lastEvent == 1 && record.lastNote == 3)
    #expect(record.fences == [FenceChange.Entry(try Story.fence(), serial: 2)])
    #expect(record.edits == [FenceEdit(number: 1, change: .removed("shop"))])
    #expect(record.openTrips == [Story.trip()])
    #expect(record.passed == t(8))
    let spells = version < 2 ? [] : [Story.spell()]
    #expect(try store.spells(of: .this) == spells && record.lastSpell == spells.last)
    #expect(try store.gaps(of: "walk", device: .this) == [Story.gap()])
    #expect(try await store.cursor(of: "page", device: .this) == 1)
    var fixes: [SeenFix] = []
    try store.history(of: .this, uses: Set(SeenFix.Use.allCases)) { fixes.append($0.fix) }
    #expect(fixes.count == 10)
    for (fix, told) in zip(fixes, try Story.fixes()) { #expect(fix.isBitForBit(told)) }
    // And is from then on as one that was made today.
    store.close()
    let fresh = try Folder()
    try SQLiteStore.open(at: fresh.file).close()
    #expect(try schema(of: folder.file) == schema(of: fresh.file))
  }

  @Test(arguments: 1...2)
  func migrationReservesEveryRowIDThatWasInUse(version: Int) async throws {
    let folder = try Folder()
    try copy(of: version, to: folder)
    let queue = try DatabaseQueue(path: folder.file)
    try await queue.write {
      // A row that a device erased by an earlier version has left.
      try $0.execute(sql: "INSERT INTO consumer (device, name, number) VALUES (41, 'page', 1)")
    }
    try queue.close()
    let store = try SQLiteStore.open(at: folder.file)
    try await store.commit(commit([SeenFix(try fix(0))], device: "new"))
    #expect(
      try store.read { try Int64.fetchOne($0, sql: "SELECT id FROM device WHERE name = 'new'") } == 42)
  }

  @Test(
    .enabled(if: ProcessInfo.processInfo.environment["RECORD"] != nil, "RECORD=1 writes the fixture anew"))
  func recordTheFileOfThisVersion() async throws {
    let folder = try Folder()
    let store = try SQLiteStore.open(at: folder.file, wall: { t(0) }, hook: nil)
    try await Story.tell(to: store)
    store.close()
    let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/store-\(StoreSchema.version).sqlite")
    try? FileManager.default.removeItem(at: fixture)
    try FileManager.default.copyItem(atPath: folder.file, toPath: fixture.path)
    Issue.record("written: \(fixture.lastPathComponent); look at what is otherwise before it is committed")
  }
}
