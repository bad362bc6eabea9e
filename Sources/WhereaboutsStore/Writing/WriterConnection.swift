import Dispatch
import Foundation
import GRDB
import GRDBSQLite
import Whereabouts
import WhereaboutsModel
import WhereaboutsSystem

/// The writing connection, with the state of its pending syncs.
///
/// Unchecked: all access to the variables happens inside `pool.writeWithoutTransaction`, one caller at a time. After
/// ``close()`` nothing happens any more.
final class WriterConnection: @unchecked Sendable {
  private let pool: DatabasePool
  private let path: String
  /// The number of the open file in its file system.
  private let inode: UInt64?
  private let settings: StoreSettings
  private let hook: (@Sendable (CommitPoint) -> Void)?
  let wall: @Sendable () -> UTCTime
  private let reserve: StoreReserve
  /// Whether the disk was full during an erasure. From then on the log is reused instead of truncated.
  private var isDiskFull = false
  private var writer: CommitWriter?
  private var isClosed = false
  /// The numbers of commits and fixes that a power cut would lose.
  private(set) var unsynced = (commits: 0, fixes: 0)
  private var syncs = 0
  private var isSyncScheduled = false
  private let retentionEnforcer: RetentionEnforcer?
  /// The number of fixes since the last retention check.
  private var fixesSinceCheck = RetentionEnforcer.fixesPerCheck
  private var isUpkeepScheduled = false
  let upkeepQueue = DispatchQueue(label: "whereabouts.store.upkeep")

  init(
    pool: DatabasePool, path: String, settings: StoreSettings, wall: @escaping @Sendable () -> UTCTime,
    hook: (@Sendable (CommitPoint) -> Void)?
  ) {
    self.pool = pool
    self.path = path
    self.settings = settings
    self.wall = wall
    self.hook = hook
    reserve = StoreReserve(store: path)
    retentionEnforcer = RetentionEnforcer(settings.retention, wall: wall)
    var status = stat()
    inode = stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  /// Throws if the path leads to another file than the open one, or to none: no later process would find what is
  /// written. Does not wait for the connection.
  func requireFile() throws(StoreError) {
    var status = stat()
    let isFound = stat(path, &status) == 0
    // A file in a folder that may not be read any more is still open.
    guard isFound ? UInt64(status.st_ino) != inode : errno == ENOENT else { return }
    throw StoreError(
      .failed,
      message:
        "write \(path): its file was removed or replaced while it was open; end this program, put the file back, and start it again"
    )
  }

  // MARK: Writes

  /// Writes commits in one transaction. After a failure that one commit may have caused, writes each commit alone.
  func write(_ commits: [PreparedCommit]) -> [StoreError?] {
    pool.writeWithoutTransaction { database in
      do {
        try write(commits[...], in: database)
        return Array(repeating: nil, count: commits.count)
      } catch {
        let problem = StoreError(error, "write", path)
        guard commits.count > 1, problem.mayConcernOneCommit else {
          return Array(repeating: problem, count: commits.count)
        }
      }
      return commits.indices.map { place in
        do {
          try write(commits[place...place], in: database)
          return nil
        } catch {
          return StoreError(error, "write", path)
        }
      }
    }
  }

  private func write(_ commits: ArraySlice<PreparedCommit>, in database: Database) throws {
    try requireFile()
    let fixes = commits.reduce(0) { $0 + $1.commit.fixes.count }
    let isFull =
      commits.contains { $0.commit.durability == .power } || unsynced.fixes + fixes >= settings.syncCount
    try withDiskSpace(in: database) { try writer(of: database).write(commits, synced: isFull) }
    unsynced = isFull ? (0, 0) : (unsynced.commits + commits.count, unsynced.fixes + fixes)
    if isFull { syncs += 1 } else { scheduleSync() }
    fixesSinceCheck += fixes
    if fixesSinceCheck >= RetentionEnforcer.fixesPerCheck { scheduleUpkeep() }
  }

  private func writer(of database: Database) throws -> CommitWriter {
    if isClosed { throw StoreError(.failed, message: "write \(path): the store is closed") }
    if let writer { return writer }
    let writer = try CommitWriter(
      database, path: path, keepsHistory: settings.keepsHistory, wall: wall, hook: hook)
    self.writer = writer
    return writer
  }

  /// Runs another transaction of this process.
  func transaction<Value>(erasing: Bool = false, _ body: (Database) throws -> Value) throws -> Value {
    try requireFile()
    return try pool.writeWithoutTransaction { database in
      let writer = try writer(of: database)
      writer.discardStates()
      defer { writer.discardStates() }
      try writer.useFullSync()
      let result = try withDiskSpace(in: database, erasing: erasing) {
        var result: Value?
        try database.inTransaction(.immediate) {
          result = try body(database)
          try writer.reserveSpace()
          return .commit
        }
        return result
      }
      unsynced = (0, 0)
      syncs += 1
      guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
      return result
    }
  }

  /// Runs a closure on the writing connection, without a transaction.
  func withConnection<Value>(erasing: Bool = false, _ body: (Database) throws -> Value) throws -> Value {
    try pool.writeWithoutTransaction { database in
      guard !isClosed else { throw StoreClosedError() }
      guard erasing else { return try body(database) }
      return try withDiskSpace(in: database, erasing: true) { try body(database) }
    }
  }

  // MARK: A full disk

  /// Runs a closure that writes. On a full disk, moves the log into the file, truncates the log and retries once. The
  /// file has the room reserved by ``CommitWriter/reserveSpace()``.
  ///
  /// - Parameter erasing: whether the reserve file may be used up as well.
  private func withDiskSpace<Value>(
    in database: Database, erasing: Bool = false, _ body: () throws -> Value
  ) throws -> Value {
    // Restart only: after a truncation another program could use up the log's disk space.
    if erasing, isDiskFull { _ = try? Self.checkpoint(.restart, database) }
    do { return try body() } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
      if erasing {
        reserve.release()
        isDiskFull = true
      }
      _ = try? Self.checkpoint(.truncate, database)
      do { return try body() } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
        returnDiskSpace(in: database)
        throw error
      }
    }
  }

  /// Returns the disk space that a failed transaction took in the log and behind the file's last page, so that erasing
  /// has it.
  private func returnDiskSpace(in database: Database) {
    guard !database.isInsideTransaction, (try? Self.checkpoint(.truncate, database)) == true, let writer
    else { return }
    // A checkpoint shortens the file only after a commit.
    try? writer.sync()
    _ = try? Self.checkpoint(.truncate, database)
  }

  private enum Checkpoint: String {
    /// Restarts the log: the next commit writes at its start.
    case restart = "RESTART"
    /// Truncates the log as well.
    case truncate = "TRUNCATE"
  }

  /// - Returns: `false` if a reader blocks the checkpoint.
  private static func checkpoint(_ kind: Checkpoint, _ database: Database) throws -> Bool {
    let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(\(kind.rawValue))")
    return (row?[0] as Int64?) == 0
  }

  /// Moves the log into the file and truncates the log, without waiting for readers.
  ///
  /// - Returns: `false` if a reader blocks the truncation.
  func emptyLog() throws -> Bool {
    try withConnection { database in
      sqlite3_busy_timeout(database.sqliteConnection, 0)
      let patience = Int32(clamping: settings.commitTimeout.clampedNanoseconds / 1_000_000)
      defer { sqlite3_busy_timeout(database.sqliteConnection, patience) }
      return try Self.checkpoint(.truncate, database)
    }
  }

  /// Notifies the connection that all pending erasures are done.
  func erasureFinished() {
    pool.writeWithoutTransaction { _ in isDiskFull = false }
    reserve.update()
  }

  /// Empties the log after an erasure that a reader blocked, or whose shortening of the file failed.
  private func finishErasingLog() {
    guard let tasks = try? withConnection({ try ErasureTask.pending(in: $0) }), !tasks.isEmpty,
      tasks.allSatisfy({ $0.kind == .log })
    else { return }
    let isShortened = (try? returnFreePages()) ?? false
    guard (try? emptyLog()) == true, isShortened else { return }
    // A failure leaves the task for the next attempt.
    try? transaction(erasing: true) { try ErasureTask.remove(tasks, from: $0) }
  }

  /// Returns the free pages of one step to the disk.
  ///
  /// - Returns: whether no more pages can be returned.
  private func returnFreePages() throws -> Bool {
    try withConnection(erasing: true) { database in
      let free = try FileSize(of: database).free
      guard free > 0 else { return true }
      // The statement must run to its end: each row is a page.
      let statement = try Statement(database, "PRAGMA incremental_vacuum(\(Eraser.pagesPerStep))")
      while try statement.step() {}
      let left = try FileSize(of: database).free
      return left == 0 || left >= free
    }
  }

  // MARK: Syncs

  /// The number of synced transactions.
  var syncCount: Int { pool.writeWithoutTransaction { _ in syncs } }

  /// Syncs the commits that a power cut would lose.
  func sync() -> StoreError? {
    pool.writeWithoutTransaction { database in
      guard !isClosed, unsynced.commits > 0 else { return nil }
      do {
        try writer(of: database).sync()
        unsynced = (0, 0)
        syncs += 1
        return nil
      } catch {
        return StoreError(error, "write", path)
      }
    }
  }

  private func scheduleSync() {
    guard !isSyncScheduled else { return }
    isSyncScheduled = true
    let delay = DispatchTimeInterval.nanoseconds(Int(clamping: settings.syncInterval.clampedNanoseconds))
    upkeepQueue.asyncAfter(deadline: .now() + delay) { [weak self] in self?.runScheduledSync() }
  }

  private func runScheduledSync() {
    _ = sync()
    finishErasingLog()
    pool.writeWithoutTransaction { _ in
      isSyncScheduled = false
      // A commit after the sync began, or a sync that failed. Each commit reports the error of a failed one.
      if unsynced.commits > 0, !isClosed { scheduleSync() }
    }
  }

  // MARK: Retention

  private func scheduleUpkeep() {
    fixesSinceCheck = 0
    guard !isUpkeepScheduled else { return }
    isUpkeepScheduled = true
    upkeepQueue.async { [weak self] in
      self?.reserve.update()
      self?.enforceRetention()
    }
  }

  /// Enforces the retention limits soon, also without new fixes.
  func scheduleRetention() {
    guard retentionEnforcer != nil else { return }
    upkeepQueue.async { [weak self] in self?.enforceRetention() }
  }

  /// Erases data beyond the retention limits, step by step.
  func enforceRetention() {
    var isMore = retentionEnforcer != nil
    while isMore, let retentionEnforcer {
      // The same failure also fails and reports commits; later fixes retry the erasure.
      isMore = (try? transaction { try retentionEnforcer.step(in: $0) }) ?? false
    }
    pool.writeWithoutTransaction { _ in isUpkeepScheduled = false }
  }

  /// Syncs and releases the connection's resources.
  func close() {
    _ = sync()
    finishErasingLog()
    pool.writeWithoutTransaction { _ in
      if writer != nil { reserve.update() }
      writer = nil
      isClosed = true
    }
  }
}

extension StoreError {
  /// Whether one commit may have caused the error, so that other commits can succeed without it.
  fileprivate var mayConcernOneCommit: Bool {
    switch code {
    case .full, .failed: true
    case .readOnly, .notPermitted, .corrupt, .newerVersion, .locked, .unresponsive, .missing: false
    }
  }
}
