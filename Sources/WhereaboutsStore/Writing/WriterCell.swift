import Dispatch
import Foundation
import GRDB
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
  private let wall: @Sendable () -> UTCTime
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
    retainer = Retainer(settings.retention)
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
    try writer(of: database).write(commits, synced: isFull)
    unsynced = isFull ? (0, 0) : (unsynced.commits + commits.count, unsynced.fixes + fixes)
    if !isFull { arrangeSync() }
    unlooked += fixes
    if unlooked >= Retainer.rest { arrangeRetaining() }
  }

  private func writer(of database: Database) throws -> CommitWriter {
    if isClosed { throw StoreTrouble(.failed, message: "write \(path): the store is closed") }
    if let writer { return writer }
    let writer = try CommitWriter(
      database, keepsHistory: settings.keepsHistory, wall: wall, hook: hook)
    self.writer = writer
    return writer
  }

  /// Another transaction of this process, whatever it writes.
  func transaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try pool.writeWithoutTransaction { database in
      let writer = try writer(of: database)
      writer.forgetStates()
      defer { writer.forgetStates() }
      var result: Value?
      try writer.useFullSync()
      try database.inTransaction(.immediate) {
        result = try body(database)
        return .commit
      }
      unsynced = (0, 0)
      guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
      return result
    }
  }

  /// Something that needs no transaction of its own, on the connection that writes.
  func look<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try pool.writeWithoutTransaction { database in
      guard !isClosed else { throw StoreClosed() }
      return try body(database)
    }
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
    pool.writeWithoutTransaction { _ in
      isSyncArranged = false
      // Tried again until it works: the bound can't be kept meanwhile, and whoever commits is told of the trouble.
      if failed, !isClosed { arrangeSync() }
    }
  }

  // MARK: Retention

  private func arrangeRetaining() {
    unlooked = 0
    guard retainer != nil, !isRetaining else { return }
    isRetaining = true
    clock.async { [weak self] in self?.retain() }
  }

  /// Erases what is kept no longer, step by step.
  func retain() {
    guard let retainer else { return }
    var isMore = true
    while isMore {
      // What fails here fails for who commits too, and is told there; it is tried again with later fixes.
      isMore = (try? transaction { try retainer.step(in: $0) }) ?? false
    }
    pool.writeWithoutTransaction { _ in isRetaining = false }
  }

  /// Syncs, and ends what belongs to the connection.
  func close() {
    _ = sync()
    pool.writeWithoutTransaction { _ in
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
    case .readOnly, .notPermitted, .corrupt, .newerVersion, .locked, .missing: false
    }
  }
}
