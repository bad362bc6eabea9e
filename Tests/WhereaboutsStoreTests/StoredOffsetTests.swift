import GRDB
import Testing
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel

@testable import WhereaboutsStore

/// The offsets from UTC that recordings state, in the store.
@Suite struct StoredOffsetTests {
  private func offset(_ second: Int64, _ minutes: Int) -> StatedOffset {
    StatedOffset(time: t(second), minutes: minutes)
  }

  private func fixes(_ seconds: Range<Int64>) throws -> [Fix] { try seconds.map { try fix($0) } }

  @Test func offsetsAreStoredAlsoForKnownFixes() throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    let week = try fixes(0..<10), offsets = [offset(0, 60), offset(5, 540)]
    _ = try store.addPast(week, to: .this)
    #expect(try store.statedOffsets(of: .this).isEmpty)
    for _ in 0..<2 {
      #expect(try store.addPast(week, to: .this, offsets: offsets).kept == 0)
      #expect(try store.statedOffsets(of: .this) == offsets)
    }
    #expect(try store.statedOffsets(of: "other").isEmpty)
    #expect(try store.check().faults.isEmpty)
  }

  @Test func recordingBetweenTwoOthersChangesOnlyItsTime() throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    _ = try store.addPast(try fixes(0..<10), to: .this, offsets: [offset(0, 60)])
    _ = try store.addPast(try fixes(20..<30), to: .this, offsets: [offset(20, 60), offset(21, 60)])
    _ = try store.addPast(try fixes(10..<20), to: .this, offsets: [offset(10, 540)])
    #expect(try store.statedOffsets(of: .this) == [offset(0, 60), offset(10, 540), offset(20, 60)])
  }

  @Test func dryRunStoresNoOffset() throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    _ = try store.addPast(try fixes(0..<10), to: .this, offsets: [offset(0, 60)], dryRun: ImportPrediction())
    #expect(try store.statedOffsets(of: .this).isEmpty)
  }

  /// Fixes at the seconds 0 to 29, offsets at 0, 10 and 20, and an erased span with the offsets that are left.
  @Test(
    arguments: [
      (0..<5, [5: 60, 10: 540, 20: 120]), (5..<8, [0: 60, 10: 540, 20: 120]),
      // The last offset of the span holds for the next fix.
      (5..<15, [0: 60, 15: 540, 20: 120]), (5..<20, [0: 60, 20: 120]), (5..<25, [0: 60, 25: 120]),
      // No fix is left that it could hold for.
      (15..<100, [0: 60, 10: 540]), (0..<100, [:]),
    ] as [(Range<Int64>, [Int64: Int])])
  func offsetsAreForgottenWithTheirSpan(span: Range<Int64>, left: [Int64: Int]) throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    _ = try store.addPast(
      try fixes(0..<30), to: .this, offsets: [offset(0, 60), offset(10, 540), offset(20, 120)])
    try store.forget(.span(t(span.lowerBound)..<t(span.upperBound), of: .this))
    let expected = left.sorted { $0.key < $1.key }.map { offset($0.key, $0.value) }
    #expect(try store.statedOffsets(of: .this) == expected)
  }

  /// The last offset of the span holds for the next visit of a past without fixes.
  @Test func offsetStaysForTheNextStatedVisit() throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    let visits = try [Int64(1), 20].map {
      RecordedVisit(coordinate: try place(48), arrival: t($0), departure: t($0 + 5))
    }
    _ = try store.addStatedVisits(visits, to: .this)
    _ = try store.addPast([], to: .this, offsets: [offset(1, 540)])
    try store.forget(.span(t(0)..<t(10), of: .this))
    #expect(try store.statedOffsets(of: .this) == [offset(20, 540)])
    try store.forget(.span(t(0)..<t(100), of: .this))
    #expect(try store.statedOffsets(of: .this).isEmpty)
  }

  @Test func offsetsAreForgottenWithTheirDevice() throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    for device: DeviceID in [.this, "other"] {
      _ = try store.addPast(try fixes(0..<3), to: device, offsets: [offset(0, 60)])
    }
    try store.forget(.device(.this))
    #expect(try store.statedOffsets(of: "other") == [offset(0, 60)])
    #expect(try store.check().faults.isEmpty)
  }

  @Test func offsetsAreKeptAsLongAsFixes() throws {
    let folder = try TemporaryFolder()
    var settings = StoreSettings()
    settings.retention = Retention(count: 10)
    let store = try SQLiteStore.open(at: folder.file, settings: settings)
    _ = try store.addPast(
      try fixes(0..<30), to: .this, offsets: [offset(0, 60), offset(10, 540), offset(25, 120)])
    store.writerConnection.enforceRetention()
    #expect(try store.statedOffsets(of: .this) == [offset(20, 540), offset(25, 120)])
  }

  /// A visit that began before the oldest fix is kept, and its local times need the offset before it.
  @Test func offsetsAreKeptAsLongAsStatedVisits() throws {
    let folder = try TemporaryFolder()
    var settings = StoreSettings()
    settings.retention = Retention(count: 10)
    let store = try SQLiteStore.open(at: folder.file, settings: settings)
    _ = try store.addPast(
      try fixes(0..<30), to: .this, offsets: [offset(0, 60), offset(10, 540), offset(25, 120)])
    let visit = RecordedVisit(coordinate: try place(48), arrival: t(5), departure: t(40))
    _ = try store.addStatedVisits([visit], to: .this)
    store.writerConnection.enforceRetention()
    #expect(try store.statedOffsets(of: .this) == [offset(5, 60), offset(10, 540), offset(25, 120)])
  }

  /// Every day would be computed with it, and one near the limit would end the program.
  @Test(arguments: [Int64.max, .min, 855, 61])
  func damagedOffsetIsAnError(minutes: Int64) throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    _ = try store.addPast(try fixes(0..<3), to: .this, offsets: [offset(0, -840), offset(1, 840)])
    #expect(try store.check().faults.isEmpty)
    try store.write { try $0.execute(sql: "UPDATE stated_offset SET minutes = \(minutes)") }
    let error = #expect(throws: StoreError.self) { try store.statedOffsets(of: .this) }
    #expect(error?.code == .corrupt)
    let faults = try store.check().faults
    #expect(faults.map(\.kind) == [.row])
    #expect(
      faults.first?.message.contains("a stated offset from UTC is not one of a clock") == true, "\(faults)")
  }
}
