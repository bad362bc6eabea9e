import GRDB
import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsStore

@Suite struct RepairTests {
  private static let fixes = try? (0..<40).map { try fix($0, 48 + Double($0 / 2) / 100) }
  private static let changes: [RepairChange] = [
    .leaveOut, .move(to: DeviceID(rawValue: "tablet")), .shift(-7_200_000_000_000), .shift(2_000_000_000),
    .removeAccuracy,
  ]

  private func storeWithPast(_ folder: TemporaryFolder) throws -> SQLiteStore {
    let store = try SQLiteStore.open(at: folder.file)
    _ = try store.addPast(try #require(Self.fixes), to: .this)
    return store
  }

  /// Returns all values of all fixes and device names.
  private func content(_ store: SQLiteStore) throws -> [Row] {
    try store.read {
      try Row.fetchAll(
        $0,
        sql:
          "SELECT device.name, fix.* FROM fix JOIN device ON device.id = fix.device ORDER BY 1, fix.time, fix.seq"
      )
    }
  }

  private func keys(_ store: SQLiteStore, _ range: Range<Int>) throws -> [(time: Int64, seq: Int64)] {
    var keys: [(time: Int64, seq: Int64)] = []
    try store.importedFixes(of: .this) { keys.append(($0.time, $0.seq)) }
    return Array(keys[range])
  }

  private func apply(
    _ change: RepairChange, _ store: SQLiteStore, _ range: Range<Int> = 10..<20
  ) throws -> AppliedRepair {
    try #require(
      try store.repair(
        .this, kind: "teleports", choice: "leave-out", fixes: try keys(store, range), change: change,
        at: t(100)))
  }

  @Test(arguments: changes) func undoRestoresEachByte(change: RepairChange) throws {
    let folder = try TemporaryFolder()
    let store = try storeWithPast(folder)
    let before = try content(store)
    let repair = try apply(change, store)
    #expect(repair.count == 10)
    #expect(try content(store) != before)
    #expect(try content(store).count == before.count)
    #expect(try store.repairs(of: .this) == [repair])
    #expect(try store.check().faults.isEmpty)
    #expect(try store.undoRepair(repair.number, of: .this) == .success(10))
    #expect(try content(store) == before)
    #expect(try store.repairs(of: .this).isEmpty)
    #expect(try store.undoRepair(repair.number, of: .this) == .failure(.unknown))
  }

  @Test(arguments: changes) func repeatedImportAddsNothingToARepairedPast(change: RepairChange) throws {
    let folder = try TemporaryFolder()
    let store = try storeWithPast(folder)
    _ = try apply(change, store)
    let repaired = try content(store)
    let result = try store.addPast(try #require(Self.fixes), to: .this)
    #expect(result.kept == 0 && result.duplicates == 40)
    #expect(try content(store) == repaired)
  }

  @Test(arguments: changes) func laterRepairIsUndoneFirst(change: RepairChange) throws {
    let folder = try TemporaryFolder()
    let store = try storeWithPast(folder)
    let before = try content(store)
    let first = try apply(.removeAccuracy, store, 0..<30)
    let second = try apply(change, store)
    #expect(second.count == 10)
    #expect(
      try store.undoRepair(first.number, of: .this) == .failure(.superseded(by: second.number, of: .this)))
    #expect(try store.undoRepair(second.number, of: .this) == .success(10))
    #expect(try store.undoRepair(first.number, of: .this) == .success(30))
    #expect(try content(store) == before)
  }

  @Test func shiftTwiceIsUndoneInOrder() throws {
    let folder = try TemporaryFolder()
    let store = try storeWithPast(folder)
    let before = try content(store)
    let first = try apply(.shift(3_600_000_000_000), store, 20..<40)
    let second = try apply(.shift(-7_200_000_000_000), store, 20..<40)
    let third = try apply(.move(to: DeviceID(rawValue: "tablet")), store, 0..<5)
    #expect(try store.addPast(try #require(Self.fixes), to: .this).kept == 0)
    for repair in [third, second, first] {
      #expect(try store.undoRepair(repair.number, of: .this) == .success(repair.count))
    }
    #expect(try content(store) == before)
  }

  @Test func fixThatTheOtherDeviceHasIsLeftOutAndNotMoved() throws {
    let folder = try TemporaryFolder()
    let store = try storeWithPast(folder)
    let fixes = try #require(Self.fixes)
    let tablet = DeviceID(rawValue: "tablet")
    _ = try store.addPast(Array(fixes[10..<15]), to: tablet)
    let before = try content(store)
    let repair = try apply(.move(to: tablet), store)
    #expect(repair.count == 10)
    var times: [Int64] = [], sources: [Int] = []
    try store.importedFixes(of: tablet) {
      times.append($0.time)
      sources.append($0.source)
    }
    #expect(times == (10..<20).map { t($0).nanosecondsSince1970 })
    #expect(sources == [1, 1, 1, 1, 1, 2, 2, 2, 2, 2])
    var left = 0
    try store.importedFixes(of: .this) { _ in left += 1 }
    #expect(left == 30)
    #expect(try store.check().faults.isEmpty)
    #expect(try store.addPast(fixes, to: .this).kept == 0)
    #expect(try store.addPast(Array(fixes[10..<20]), to: tablet).kept == 0)
    #expect(try store.undoRepair(repair.number, of: .this) == .success(10))
    #expect(try content(store) == before)
  }

  @Test func secondOfTwoEqualFixesMovesWhereTheOtherDeviceHasOne() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    let tablet = DeviceID(rawValue: "tablet")
    _ = try store.addPast([try fix(0), try fix(0), try fix(1)], to: .this)
    _ = try store.addPast([try fix(0)], to: tablet)
    let before = try content(store)
    let repair = try apply(.move(to: tablet), store, 0..<3)
    var times: [Int64] = []
    try store.importedFixes(of: tablet) { times.append($0.time) }
    #expect(times == [0, 0, 1].map { t($0).nanosecondsSince1970 })
    #expect(try store.undoRepair(repair.number, of: .this) == .success(3))
    #expect(try content(store) == before)
  }

  @Test func undoNamesTheDeviceOfTheLaterRepair() throws {
    let folder = try TemporaryFolder()
    let store = try storeWithPast(folder)
    let tablet = DeviceID(rawValue: "tablet")
    let first = try apply(.move(to: tablet), store)
    var keys: [(time: Int64, seq: Int64)] = []
    try store.importedFixes(of: tablet) { keys.append(($0.time, $0.seq)) }
    let second = try #require(
      try store.repair(
        tablet, kind: "teleports", choice: "leave-out", fixes: keys, change: .leaveOut, at: t(101)))
    #expect(
      try store.undoRepair(first.number, of: .this)
        == .failure(.superseded(by: second.number, of: tablet)))
  }

  @Test func forgottenFixesStayForgotten() throws {
    let folder = try TemporaryFolder()
    let store = try storeWithPast(folder)
    let repair = try apply(.leaveOut, store)
    try store.forget(.span(t(10)..<t(15), of: .this))
    #expect(try store.repairs(of: .this).map(\.count) == [5])
    #expect(try store.undoRepair(repair.number, of: .this) == .success(5))
    #expect(try content(store).count == 35)
  }

  @Test(arguments: [ErasureScope.device(.this), .everything, .span(t(-1)..<t(99), of: .this)])
  func nothingOfARepairOutlivesItsFixes(what: ErasureScope) throws {
    let folder = try TemporaryFolder()
    let store = try storeWithPast(folder)
    _ = try apply(.leaveOut, store)
    try store.forget(what)
    for table in ["repair", "repaired_fix"] {
      #expect(try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") } == 0, "\(table)")
    }
  }

  @Test func recordedFixesAreNotChanged() async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    try await store.commit(commit(try (0..<5).map { LoggedFix(try fix($0)) }))
    let keys = (0..<5).map { (time: t($0).nanosecondsSince1970, seq: $0 + 1) }
    let repair = try store.repair(
      .this, kind: "ties", choice: "leave-out", fixes: keys, change: .leaveOut, at: t(9))
    #expect(repair == nil)
    #expect(try store.repairs(of: .this).isEmpty)
    var count = 0
    try store.importedFixes(of: .this) { _ in count += 1 }
    #expect(count == 0)
  }

  @Test func batchesOfOneFileAreOneImport() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    let fixes = try #require(Self.fixes)
    _ = try store.addPast(Array(fixes[..<10]), to: .this)
    _ = try store.addPast(Array(fixes[10..<20]), to: .this, isContinued: true)
    _ = try store.addPast(Array(fixes[20...]), to: .this)
    var sources: [Int] = []
    try store.importedFixes(of: .this) { sources.append($0.source) }
    #expect(sources == [Int](repeating: 1, count: 20) + [Int](repeating: 2, count: 20))
  }
}
