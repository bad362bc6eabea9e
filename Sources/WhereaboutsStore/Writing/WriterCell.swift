import Dispatch
import Foundation
import GRDB
import GRDBSQLite
import Whereabouts
import WhereaboutsCore

/// The connection that writes, and what is to be synced of what it has written.
///
/// Everything is touched only inside `pool.writeWithoutTransaction`, which is where one at a time may be; after
/// ``close()`` nothing happens any more.
final class WriterCell: @unchecked Sendable {
  private let pool: DatabasePool
  private let path: String
  private let settings: StoreSettings
  private let hook: (@Sendable (CommitPoint) -> Void)?
  let wall: @Sendable () -> UTCTime
  private let reserve: StoreReserve
  /// Whether the disk was full while something was erased: the log is used over and over from then on.
  private var isTight = false
  private var writer: CommitWriter?
  private var isClosed = false
  /// Commits and fixes that a power cut would cost.
  private(set) var unsynced = (commits: 0, fixes: 0)
  private var isSyncArranged = false
  private let retainer: Retainer?
  /// Fixes since it was looked what of the history is kept no longer.
  private var unlooked = Retainer.rest
  private var isRetaining = false
  private let clock = DispatchQueue(label: "whereabouts.store.upkeep")

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
    retainer = Retainer(settings.retention, wall: wall)
  }

  // MARK: Writing

  /// Writes commits as one, or one by one where that fails and one of them may be to blame.
  func write(_ commits: [PreparedCommit]) -> [StoreTrouble?] {
    pool.writeWithoutTransaction { database in
      do {
        try write(commits[...], in: database)
        return Array(repeating: nil, count: commits.count)
      } catch {
        let trouble = StoreTrouble(error, "write", path)
        guard commits.count > 1, trouble.mayBeOfOneCommit else {
          return Array(repeating: trouble, count: commits.count)
        }
      }
      return commits.indices.map { place in
        do {
          try write(commits[place...place], in: database)
          return nil
        } catch {
          return StoreTrouble(error, "write", path)
        }
      }
    }
  }

  private func write(_ commits: ArraySlice<PreparedCommit>, in database: Database) throws {
    let fixes = commits.reduce(0) { $0 + $1.commit.fixes.count }
    let isFull =
      commits.contains { $0.commit.durability == .power } || unsynced.fixes + fixes >= settings.syncCount
    try withRoom(in: database) { try writer(of: database).write(commits, synced: isFull) }
    unsynced = isFull ? (0, 0) : (unsynced.commits + commits.count, unsynced.fixes + fixes)
    if !isFull { arrangeSync() }
    unlooked += fixes
    if unlooked >= Retainer.rest { arrangeUpkeep() }
  }

  private func writer(of database: Database) throws -> CommitWriter {
    if isClosed { throw StoreTrouble(.failed, message: "write \(path): the store is closed") }
    if let writer { return writer }
    let writer = try CommitWriter(
      database, path: path, keepsHistory: settings.keepsHistory, wall: wall, hook: hook)
    self.writer = writer
    return writer
  }

  /// Another transaction of this process, whatever it writes.
  func transaction<Value>(erasing: Bool = false, _ body: (Database) throws -> Value) throws -> Value {
    try pool.writeWithoutTransaction { database in
      let writer = try writer(of: database)
      writer.forgetStates()
      defer { writer.forgetStates() }
      try writer.useFullSync()
      let result = try withRoom(in: database, erasing: erasing) {
        var result: Value?
        try database.inTransaction(.immediate) {
          result = try body(database)
          try writer.reserveRoom()
          return .commit
        }
        return result
      }
      unsynced = (0, 0)
      guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
      return result
    }
  }

  /// Something that needs no transaction of its own, on the connection that writes.
  func look<Value>(erasing: Bool = false, _ body: (Database) throws -> Value) throws -> Value {
    try pool.writeWithoutTransaction { database in
      guard !isClosed else { throw StoreClosed() }
      guard erasing else { return try body(database) }
      return try withRoom(in: database, erasing: true) { try body(database) }
    }
  }

  // MARK: A full disk

  /// Does something that writes. Where the disk is full the log is moved to the file, which has room for it
  /// (``CommitWriter/reserveRoom()``), and cut to nothing; then it is tried once more.
  ///
  /// - Parameter erasing: whether the reserve is used up as well.
  private func withRoom<Value>(
    in database: Database, erasing: Bool = false, _ body: () throws -> Value
  ) throws -> Value {
    // Cut to nothing, the room of the log might be somebody else's by the next step.
    if erasing, isTight { _ = try? Self.checkpoint(.restart, database) }
    do { return try body() } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
      if erasing {
        reserve.release()
        isTight = true
      }
      _ = try? Self.checkpoint(.truncate, database)
      return try body()
    }
  }

  private enum Checkpoint: String {
    /// The next commit begins at the start of the log.
    case restart = "RESTART"
    /// The log is cut to nothing as well.
    case truncate = "TRUNCATE"
  }

  /// - Returns: `false` where a reader is in the way.
  private static func checkpoint(_ kind: Checkpoint, _ database: Database) throws -> Bool {
    let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(\(kind.rawValue))")
    return (row?[0] as Int64?) == 0
  }

  /// Moves the log to the file and cuts it to nothing, without waiting for readers.
  ///
  /// - Returns: `false` where one is in the way.
  func emptyLog() throws -> Bool {
    try look { database in
      sqlite3_busy_timeout(database.sqliteConnection, 0)
      let patience = Int32(clamping: settings.committingPatience.clampedNanoseconds / 1_000_000)
      defer { sqlite3_busy_timeout(database.sqliteConnection, patience) }
      return try Self.checkpoint(.truncate, database)
    }
  }

  /// Everything is erased that was to be.
  func erasingEnded() {
    pool.writeWithoutTransaction { _ in isTight = false }
    reserve.make()
  }

  /// Empties the log where rows were erased and a reader was in the way at that time.
  private func finishErasingLog() {
    guard let tasks = try? look({ try ErasureTask.pending(in: $0) }), !tasks.isEmpty,
      tasks.allSatisfy({ $0.kind == .log }), (try? emptyLog()) == true
    else { return }
    // Where this fails it is done again.
    try? transaction(erasing: true) { try ErasureTask.remove(tasks, from: $0) }
  }

  // MARK: Syncing

  /// Syncs what a power cut would cost.
  func sync() -> StoreTrouble? {
    pool.writeWithoutTransaction { database in
      guard !isClosed, unsynced.commits > 0 else { return nil }
      do {
        try writer(of: database).sync()
        unsynced = (0, 0)
        return nil
      } catch {
        return StoreTrouble(error, "write", path)
      }
    }
  }

  private func arrangeSync() {
    guard !isSyncArranged else { return }
    isSyncArranged = true
    let delay = DispatchTimeInterval.nanoseconds(Int(clamping: settings.syncInterval.clampedNanoseconds))
    clock.asyncAfter(deadline: .now() + delay) { [weak self] in self?.syncArranged() }
  }

  private func syncArranged() {
    let failed = sync() != nil
    finishErasingLog()
    pool.writeWithoutTransaction { _ in
      isSyncArranged = false
      // Tried again until it works: the bound can't be kept meanwhile, and whoever commits is told of the trouble.
      if failed, !isClosed { arrangeSync() }
    }
  }

  // MARK: Retention

  private func arrangeUpkeep() {
    unlooked = 0
    guard !isRetaining else { return }
    isRetaining = true
    clock.async { [weak self] in
      self?.reserve.make()
      self?.retain()
    }
  }

  /// Erases what is kept no longer, step by step.
  func retain() {
    var isMore = retainer != nil
    while isMore, let retainer {
      // What fails here fails for who commits too, and is told there; it is tried again with later fixes.
      isMore = (try? transaction { try retainer.step(in: $0) }) ?? false
    }
    pool.writeWithoutTransaction { _ in isRetaining = false }
  }

  /// Syncs, and ends what belongs to the connection.
  func close() {
    _ = sync()
    finishErasingLog()
    pool.writeWithoutTransaction { _ in
      if writer != nil { reserve.make() }
      writer = nil
      isClosed = true
    }
  }
}

extension StoreTrouble {
  /// Whether a commit may be the cause, so that others do better without it.
  fileprivate var mayBeOfOneCommit: Bool {
    switch code {
    case .full, .failed: true
    case .readOnly, .notPermitted, .corrupt, .newerVersion, .locked, .unresponsive, .missing: false
    }
  }
}
