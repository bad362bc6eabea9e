import Dispatch
import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel

@testable import WhereaboutsStore

@Suite struct RetentionTests {
  private func store(_ retention: Retention, _ folder: TemporaryFolder) throws -> SQLiteStore {
    var settings = StoreSettings()
    settings.retention = retention
    return try SQLiteStore.open(at: folder.file, settings: settings)
  }

  private func fill(_ store: SQLiteStore, _ seconds: Range<Int64>) async throws {
    for first in stride(from: seconds.lowerBound, to: seconds.upperBound, by: 500) {
      var with = commit(try (first..<min(first + 500, seconds.upperBound)).map { LoggedFix(try fix($0)) })
      with.snapshot = EngineSnapshot()
      try await store.commit(with)
    }
    // As the automatic maintenance, but at once.
    store.writerConnection.enforceRetention()
  }

  private func times(_ store: SQLiteStore) throws -> [UTCTime] {
    var times: [UTCTime] = []
    try store.history(of: .this) { times.append($0.rowTime) }
    return times
  }

  @Test func ageLimitErasesOlderFixes() async throws {
    let folder = try TemporaryFolder(), store = try store(Retention(age: .seconds(1_000)), folder)
    try await fill(store, 0..<6_000)
    #expect(try times(store) == (4_999..<6_000).map { t($0) })
  }

  /// A device that sends rarely, or no more, has too few fixes for a check by their number.
  @Test func ageLimitIsEnforcedWithoutNewFixes() async throws {
    let folder = try TemporaryFolder(), unlimited = try store(Retention(), folder)
    try await fill(unlimited, 0..<3_000)
    unlimited.close()
    let store = try store(Retention(age: .seconds(1_000)), folder)
    store.scheduleRetention()
    await withCheckedContinuation { done in store.writerConnection.upkeepQueue.async { done.resume() } }
    #expect(try times(store) == (1_999..<3_000).map { t($0) })
  }

  @Test(arguments: [Retention(age: .seconds(10_000)), Retention(count: 6_000)])
  func fixDatedInTheFutureErasesNoHistory(retention: Retention) async throws {
    let folder = try TemporaryFolder()
    var settings = StoreSettings()
    settings.retention = retention
    let store = try SQLiteStore.open(at: folder.file, settings: settings, wall: { t(6_000) }, hook: nil)
    // As from a receiver with a week rollover.
    try await fill(store, 619_315_200..<619_315_800)
    try await fill(store, 0..<6_000)
    #expect(try times(store).prefix(6_000) == (0..<6_000).map { t($0) }[...])
  }

  @Test func wallClockBehindTheFixesErasesNothing() async throws {
    let folder = try TemporaryFolder()
    var settings = StoreSettings()
    settings.retention = Retention(age: .seconds(1_000))
    let start = UTCTime(nanosecondsSince1970: 0)
    let store = try SQLiteStore.open(at: folder.file, settings: settings, wall: { start }, hook: nil)
    try await fill(store, 0..<3_000)
    #expect(try times(store).count == 3_000)
  }

  /// The fixes of a source without dates have those of the wall clock.
  @Test(arguments: [Retention(age: .seconds(100)), Retention(age: .seconds(100_000))])
  func clockFarAheadForHoursErasesNoHistory(retention: Retention) async throws {
    let folder = try TemporaryFolder()
    var settings = StoreSettings()
    settings.retention = Retention(age: .seconds(200_000))
    let ahead: Int64 = 900_000_000
    var store = try SQLiteStore.open(
      at: folder.file, settings: settings, wall: { t(ahead + 90_000) }, hook: nil)
    try await fill(store, 0..<200)
    store.close()
    settings.retention = retention
    store = try SQLiteStore.open(at: folder.file, settings: settings, wall: { t(ahead + 90_000) }, hook: nil)
    try await fill(store, ahead..<ahead + 600)
    let kept = try times(store)
    #expect(kept.contains(t(199)) && kept.contains(t(100)) && kept.last == t(ahead + 599))
    // Fixes that span a day confirm the clock.
    try await fill(store, ahead + 86_400..<ahead + 87_000)
    #expect(try times(store).first.map { $0 >= t(ahead) } == true)
  }

  /// A host without a clock battery starts in 1970, as do the dates of the first fixes.
  @Test func fixesFromBeforeTheClockIsSetEraseNothing() async throws {
    let folder = try TemporaryFolder()
    var settings = StoreSettings()
    settings.retention = Retention(age: .seconds(10_000))
    let start = UTCTime(nanosecondsSince1970: 0)
    var store = try SQLiteStore.open(at: folder.file, settings: settings, wall: { t(2_000) }, hook: nil)
    try await fill(store, 0..<2_000)
    store.close()
    store = try SQLiteStore.open(at: folder.file, settings: settings, wall: { start }, hook: nil)
    try await fill(store, -1_700_000_000 ..< -1_699_999_900)
    try await fill(store, 2_100..<3_000)
    #expect(try times(store).count == 3_000)
    store.close()
    store = try SQLiteStore.open(at: folder.file, settings: settings, wall: { t(3_600) }, hook: nil)
    try await fill(store, 3_000..<3_600)
    // A date of 1970 is older than any age, and the right dates stay.
    #expect(try times(store) == (0..<2_000).map { t($0) } + (2_100..<3_600).map { t($0) })
  }

  @Test func countLimitRetainsTheNewestFixes() async throws {
    let folder = try TemporaryFolder(), store = try store(Retention(count: 1_000), folder)
    try await fill(store, 0..<6_000)
    #expect(try times(store) == (5_000..<6_000).map { t($0) })
  }

  @Test func sizeLimitBoundsTheFile() async throws {
    let folder = try TemporaryFolder(), store = try store(Retention(bytes: 400_000), folder)
    try await fill(store, 0..<20_000)
    #expect(try store.bytesInUse <= 400_000)
    #expect(try times(store).last == t(19_999))
    #expect(try times(store).count > 500)
  }

  @Test func fixesNeededByTheEngineAreRetained() async throws {
    let folder = try TemporaryFolder(), store = try store(Retention(count: 10), folder)
    try await fill(store, 0..<1_000)
    try await store.commit(commit(try (1_000..<1_100).map { LoggedFix(try fix($0)) }))
    store.writerConnection.enforceRetention()
    #expect(try await store.load(.this).fixesSinceSnapshot.count == 100)
  }

  @Test func disabledHistoryRetainsTheLastFixAndNeededFixes() async throws {
    let folder = try TemporaryFolder()
    var settings = StoreSettings()
    settings.keepsHistory = false
    let store = try SQLiteStore.open(at: folder.file, settings: settings)
    try await fill(store, 0..<1_000)
    #expect(try times(store) == [t(999)])
    try await store.commit(commit([LoggedFix(try fix(1_000))]))
    #expect(try await store.load(.this).fixesSinceSnapshot.count == 1)
    #expect(try await store.load(.this).lastFix?.time == t(1_000))
  }
}
