import Foundation
import GRDB
import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsStore

@Suite struct StoreErrorTests {
  private func limit(_ store: SQLiteStore, pages: Int) throws {
    try store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(pages)") }
  }

  private func run(_ sql: String, in queue: DatabaseQueue) throws {
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  @Test func fullDiskIsReportedAndCommitsResume() async throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    try await store.commit(commit([LoggedFix(try fix(0))]))
    // SQLite reports the same error as for a full disk.
    try limit(store, pages: 30)
    let much = commit(try (0..<5_000).map { LoggedFix(try fix($0)) })
    let problem = await #expect(throws: StoreError.self) { try await store.commit(much) }
    #expect(problem?.code == .full)
    #expect(try await store.load(.this).fixesSinceSnapshot.count == 1)
    try limit(store, pages: 100_000)
    try await store.commit(much)
    #expect(try await store.load(.this).fixesSinceSnapshot.count == 5_001)
  }

  @Test func lockTimeoutIsReportedAndCommitsResume() async throws {
    let folder = try TemporaryFolder()
    var settings = StoreSettings()
    settings.commitTimeout = .milliseconds(20)
    let store = try SQLiteStore.open(at: folder.file, settings: settings)
    var unguarded = Configuration()
    unguarded.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: folder.file, configuration: unguarded)
    try run("BEGIN IMMEDIATE", in: other)
    let problem = await #expect(throws: StoreError.self) { try await store.commit(commit([])) }
    #expect(problem?.code == .locked)
    try run("ROLLBACK", in: other)
    try await store.commit(commit([LoggedFix(try fix(0))]))
  }

  /// No later process would find what is written, so nothing is acknowledged until the file is back.
  @Test(arguments: [false, true]) func removedOrReplacedFileIsReported(isReplaced: Bool) async throws {
    let folder = try TemporaryFolder(), away = folder.path + "/away"
    let store = try SQLiteStore.open(at: folder.file)
    try await store.commit(commit([LoggedFix(try fix(0))]))
    try store.requireFile()
    try FileManager.default.moveItem(atPath: folder.file, toPath: away)
    if isReplaced { try Data("a copy".utf8).write(to: URL(filePath: folder.file)) }
    let next = commit([LoggedFix(try fix(1))])
    let problem = await #expect(throws: StoreError.self) { try await store.commit(next) }
    #expect(problem?.code == .failed && problem?.message.contains("put the file back") == true)
    #expect(throws: StoreError.self) { try store.write { _ in } }
    #expect(throws: StoreError.self) { try store.requireFile() }
    if isReplaced { try FileManager.default.removeItem(atPath: folder.file) }
    try FileManager.default.moveItem(atPath: away, toPath: folder.file)
    try await store.commit(next)
    #expect(try await store.load(.this).fixesSinceSnapshot.count == 2)
  }

  @Test func damagedPageIsReported() async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    try await store.commit(commit(try (0..<20_000).map { LoggedFix(try fix($0)) }))
    store.close()
    let handle = try #require(FileHandle(forUpdatingAtPath: folder.file))
    // After the root pages of the tables, which are read on opening.
    for page in 100..<140 {
      try handle.seek(toOffset: UInt64(page * 4096))
      try handle.write(contentsOf: Data(repeating: 0xFF, count: 4096))
    }
    try handle.close()
    let again = try SQLiteStore.open(at: folder.file)
    let problem = #expect(throws: StoreError.self) { try again.history(of: .this) { _ in } }
    #expect(problem?.code == .corrupt)
  }

  @Test func callerErrorsAreRethrown() async throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    try await store.commit(commit([LoggedFix(try fix(0))]))
    #expect(throws: InvalidPlaceError.self) {
      try store.history(of: .this) { _ in throw InvalidPlaceError() }
    }
  }

  @Test func readsDuringCloseReturnOrThrow() async throws {
    for _ in 0..<40 {
      let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
      try await store.commit(commit([LoggedFix(try fix(0))]))
      // Threads instead of tasks, which would block each other.
      DispatchQueue.concurrentPerform(iterations: 6) { place in
        if place == 0 {
          _ = try? store.lastFix(of: .this)
          return store.close()
        }
        while (try? store.lastFix(of: .this)) != nil {}
      }
      #expect(throws: StoreError.self) { try store.lastFix(of: .this) }
      #expect(throws: StoreError.self) { try store.dataVersion }
    }
  }

  @Test func closedStoreThrows() async throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    store.close()
    await #expect(throws: StoreError.self) { try await store.commit(commit([])) }
  }
}

@Suite struct SyncTests {
  /// Records the points that commits reach.
  ///
  /// `points` is guarded by `lock`.
  private final class CommitPointRecorder: @unchecked Sendable {
    private let lock = NSLock()
    private var points: [CommitPoint] = []
    func record(_ point: CommitPoint) { lock.withLock { points.append(point) } }
    var all: [CommitPoint] { lock.withLock { points } }
  }

  private func store(_ folder: TemporaryFolder, count: Int, _ hook: @escaping @Sendable (CommitPoint) -> Void)
    throws
    -> SQLiteStore
  {
    var settings = StoreSettings()
    settings.syncCount = count
    // No sync by time comes in between.
    settings.syncInterval = .seconds(1_000_000)
    return try SQLiteStore.open(at: folder.file, settings: settings, hook: hook)
  }

  @Test func fixesAreSyncedAfterTheSyncCount() async throws {
    let folder = try TemporaryFolder(), store = try store(folder, count: 3) { _ in }
    for (second, left) in zip(Int64(0)..., [1, 2, 0, 1, 2, 0]) {
      try await store.commit(commit([LoggedFix(try fix(second))]))
      #expect(store.writerConnection.unsynced.fixes == left)
    }
    try await store.commit(commit([LoggedFix(try fix(9))]))
    try await store.commit(commit([], durability: .power))
    #expect(store.writerConnection.unsynced.fixes == 0)
    try await store.commit(commit([LoggedFix(try fix(10))]))
    try store.sync()
    #expect(store.writerConnection.unsynced.fixes == 0)
  }

  // A failure would wait forever.
  @Test(.timeLimit(.minutes(10))) func fixesAreSyncedAfterTheSyncInterval() async throws {
    let folder = try TemporaryFolder()
    var settings = StoreSettings()
    settings.syncInterval = .milliseconds(1)
    let (synced, signal) = AsyncStream.makeStream(of: CommitPoint.self)
    let store = try SQLiteStore.open(at: folder.file, settings: settings) { signal.yield($0) }
    // Repeated, since a commit may arrive while the previous sync ends.
    for second in 0..<Int64(100) {
      try await store.commit(commit([LoggedFix(try fix(second))]))
      for await point in synced where point == .afterSync { break }
    }
  }

  @Test func hookIsCalledAtEachCommitPoint() async throws {
    let track = CommitPointRecorder()
    let folder = try TemporaryFolder(), store = try store(folder, count: 100) { track.record($0) }
    try await StoreScenario.write(to: store)
    let first = Array(track.all.prefix { $0 != .afterCommit })
    #expect(
      first == [.beforeBegin, .afterBegin] + Array(repeating: .afterFix, count: 8)
        + [
          .afterNote, .afterNote, .afterNote, .afterFences, .afterTrip, .afterTrip, .afterReceiverUsage,
          .afterSnapshot,
          .afterDevice, .beforeCommit,
        ])
  }
}
