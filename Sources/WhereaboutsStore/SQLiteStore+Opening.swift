import Foundation
import GRDB
import GRDBSQLite
public import Whereabouts
import WhereaboutsCore

extension SQLiteStore {
  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: where it is. To be written, it is made where it is not there, for its owner alone (0600), with the folders
  ///     that are missing (0700); what is there keeps its permissions.
  ///   - settings: how it keeps what it is given.
  ///   - access: what is done with it.
  /// - Throws: ``Whereabouts/StoreTrouble``: `missing` (only to be read), `notPermitted`, `readOnly`, `corrupt` (some other file, or
  ///   damaged), `newerVersion`, `locked`, `full`.
  public static func open(
    at path: String, settings: StoreSettings = StoreSettings(), access: Access = .readWrite
  ) throws(StoreTrouble) -> SQLiteStore {
    try open(at: path, settings: settings, access: access, wall: { .now }, hook: nil)
  }

  /// As ``open(at:settings:access:)``, for tests.
  ///
  /// - Parameters:
  ///   - wall: the wall clock, for fixes that come without any time.
  ///   - hook: called at places inside each commit, on the thread that writes.
  package static func open(
    at path: String, settings: StoreSettings = StoreSettings(), access: Access = .readWrite,
    wall: @escaping @Sendable () -> UTCTime = { .now }, hook: (@Sendable (CommitPoint) -> Void)?
  ) throws(StoreTrouble) -> SQLiteStore {
    do {
      let path = try PrivateFile.resolve(path, makesFolders: access == .readWrite)
      if access == .readWrite { try PrivateFile.make(at: path) } else { try PrivateFile.find(at: path) }
      try refuseStrangers(path, settings)
      let pool = try makePool(path, settings, access)
      let patience = Int32(clamping: settings.committingPatience.clampedNanoseconds / 1_000_000)
      pool.writeWithoutTransaction { _ = sqlite3_busy_timeout($0.sqliteConnection, patience) }
      let writing = WriterCell(pool: pool, path: path, settings: settings, wall: wall, hook: hook)
      let store = SQLiteStore(path: path, settings: settings, access: access, pool: pool, writing: writing)
      if access == .readWrite { store.resumeErasing() }
      return store
    } catch {
      throw StoreTrouble(error, "open", path)
    }
  }

  private static func makePool(
    _ path: String, _ settings: StoreSettings, _ access: Access
  ) throws -> DatabasePool {
    func make(_ name: String) throws -> DatabasePool {
      let pool = try DatabasePool(path: name, configuration: configuration(settings, access))
      try prepare(pool, path, access)
      return pool
    }
    do { return try make(path) } catch let error as DatabaseError {
      switch access {
      case .readWrite where error.isFullDisk:
        StoreReserve(store: path).release()
        return try make(path)
      case .readOnly where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode):
        return try make(try PrivateFile.unchangingName(of: path))
      default: throw error
      }
    }
  }

  /// Finishes what another process was to erase. Before anybody reads: an engine would go on with it.
  private func resumeErasing() {
    // What can't be done now is tried again: while commits are synced, at the next opening, and by who asks for it.
    _ = try? finishErasing(patience: .zero) { _ in true }
  }

  private static func configuration(_ settings: StoreSettings, _ access: Access) -> Configuration {
    var configuration = Configuration()
    configuration.label = "whereabouts.store"
    configuration.readonly = access == .readOnly
    // A transaction that can't even be rolled back, on a disk that fails, is an error and not the end of the process.
    configuration.allowsUnsafeTransactions = true
    configuration.busyMode = .timeout(settings.openingPatience.inSeconds)
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON")
      // Apple's fsync lets the disk keep what it was given in its cache.
      #if canImport(Darwin)
        try database.execute(sql: "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
      #endif
      guard access == .readWrite, let connection = database.sqliteConnection else { return }
      try database.execute(sql: "PRAGMA journal_size_limit = 8388608")
      StoreRoom.setChunk(of: database)
      // Has to be said before there is any page, which is now or never.
      if sqlite3_db_readonly(connection, "main") == 0,
        try Int.fetchOne(database, sql: "PRAGMA page_count") == 0
      {
        try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
      }
    }
    return configuration
  }

  /// Sees that the file is no stranger's before anything is done to it: a database that is opened to be written by many
  /// gets a journal of another kind, and a few bytes are written.
  private static func refuseStrangers(_ path: String, _ settings: StoreSettings) throws {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(settings.openingPatience.inSeconds)
    // What can't be read in this way, as where a journal has to be rolled back first, is seen when it is opened.
    let identity = try? DatabaseQueue(path: path, configuration: configuration).read(FileIdentity.init)
    try identity?.check(path)
  }

  /// Sees that the file is a store, and brings it to this version.
  private static func prepare(_ pool: DatabasePool, _ path: String, _ access: Access) throws {
    let identity = try pool.read(FileIdentity.init)
    try identity.check(path)
    guard identity.version < StoreSchema.version else { return }
    guard access == .readWrite else {
      throw StoreTrouble(
        .readOnly,
        message:
          "read \(path): an older version of this program has written it (form \(identity.version)); open it once to be written, which brings it to form \(StoreSchema.version)"
      )
    }
    do { try StoreSchema.migrator.migrate(pool) } catch {
      // Another process may have been quicker, and what it made be in the way.
      guard try pool.read(FileIdentity.init).version > identity.version else { throw error }
      try prepare(pool, path, access)
    }
  }
}

/// Whose a database is, and of which version.
private struct FileIdentity {
  let application: Int32
  let version: Int
  private let tables: Int

  init(_ database: Database) throws {
    application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    // The migrator's own table comes in a transaction before: all there is where a process was killed in between.
    tables =
      try Int.fetchOne(
        database, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'") ?? 0
  }

  func check(_ path: String) throws {
    guard application == StoreSchema.applicationID || (application == 0 && version == 0 && tables == 0) else {
      throw StoreTrouble(
        .corrupt, message: "open \(path): it is another program's database; name another file")
    }
    guard version <= StoreSchema.version else {
      throw StoreTrouble(
        .newerVersion,
        message:
          "open \(path): a newer version of this program has written it (form \(version), this one knows \(StoreSchema.version)); use that version, or name another file"
      )
    }
  }
}

extension UTCTime {
  /// By the wall clock.
  static var now: UTCTime {
    let now = Date().timeIntervalSince1970
    return UTCTime(secondsSince1970: now) ?? UTCTime(nanosecondsSince1970: 0)
  }
}

extension DatabaseError {
  /// Whether there is no room on the disk, for the file or for what SQLite needs beside it.
  var isFullDisk: Bool {
    resultCode == .SQLITE_FULL || extendedResultCode == .SQLITE_IOERR_SHMSIZE
      || extendedResultCode == .SQLITE_IOERR_SHMOPEN
  }
}
