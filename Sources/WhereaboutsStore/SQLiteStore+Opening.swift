import Foundation
import GRDB
import GRDBSQLite
public import Whereabouts
import WhereaboutsModel
import WhereaboutsSystem

extension SQLiteStore {
  /// Opens a store.
  ///
  /// - Parameters:
  ///   - path: the path of the file. With write access, a missing file is created (0600) with its missing folders
  ///     (0700). Existing files keep their permissions.
  ///   - settings: the settings of the store.
  ///   - access: the access to the file.
  /// - Throws: ``Whereabouts/StoreError``: `missing` (read-only access), `notPermitted`, `readOnly`, `corrupt`
  ///   (damaged or another kind of file), `newerVersion`, `locked`, `full`.
  public static func open(
    at path: String, settings: StoreSettings = StoreSettings(), access: Access = .readWrite
  ) throws(StoreError) -> SQLiteStore {
    try open(at: path, settings: settings, access: access, wall: { .now }, hook: nil)
  }

  /// Opens a store as ``open(at:settings:access:)`` does, for erasing and for tests.
  ///
  /// - Parameters:
  ///   - erasing: whether opening on a full disk may use up the reserve, because erasing follows.
  ///   - wall: the wall clock, for fixes without a time.
  ///   - hook: called at places inside each commit, on the thread that writes.
  package static func open(
    at path: String, settings: StoreSettings = StoreSettings(), access: Access = .readWrite,
    erasing: Bool = false, wall: @escaping @Sendable () -> UTCTime = { .now },
    hook: (@Sendable (CommitPoint) -> Void)?
  ) throws(StoreError) -> SQLiteStore {
    do {
      let path = try PrivateFile.resolve(path, makesFolders: access == .readWrite)
      if access == .readWrite {
        try PrivateFile.create(at: path)
      } else {
        try PrivateFile.requireExisting(at: path)
      }
      try requireOwnDatabase(path, settings)
      let pool = try makePool(path, settings, access, erasing: erasing)
      let patience = Int32(clamping: settings.commitTimeout.clampedNanoseconds / 1_000_000)
      pool.writeWithoutTransaction { _ = sqlite3_busy_timeout($0.sqliteConnection, patience) }
      let writing = WriterConnection(pool: pool, path: path, settings: settings, wall: wall, hook: hook)
      let store = SQLiteStore(
        path: path, settings: settings, access: access, pool: pool, writerConnection: writing)
      if access == .readWrite { store.resumeErasing() }
      return store
    } catch {
      throw StoreError(error, "open", path)
    }
  }

  private static func makePool(
    _ path: String, _ settings: StoreSettings, _ access: Access, erasing: Bool
  ) throws -> DatabasePool {
    func make(_ name: String) throws -> DatabasePool {
      let pool = try DatabasePool(path: name, configuration: configuration(settings, access))
      try prepare(pool, path, access)
      return pool
    }
    do { return try make(path) } catch let error as DatabaseError {
      switch access {
      case _ where error.isFullDisk:
        let reserve = StoreReserve(store: path)
        if erasing { reserve.release() } else { reserve.makeRoomForOpening() }
        do { return try make(path) } catch let again as DatabaseError where again.isFullDisk {
          // Without a log the file is complete, and reading it needs no auxiliary files.
          guard access == .readOnly, DiskSpace.size(of: path + "-wal") == 0 else { throw again }
          return try make(try PrivateFile.immutableURI(of: path))
        }
      case .readOnly where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode):
        return try make(try PrivateFile.immutableURI(of: path))
      default: throw error
      }
    }
  }

  /// Finishes the erasures of an earlier process before the first read, so that no engine resumes from erased data.
  private func resumeErasing() {
    // A failure is retried with the syncs of commits, at the next opening, and by `finishErasing`.
    _ = try? finishErasing(patience: .zero) { _ in true }
  }

  private static func configuration(_ settings: StoreSettings, _ access: Access) -> Configuration {
    var configuration = Configuration()
    configuration.label = "whereabouts.store"
    configuration.readonly = access == .readOnly
    // On a failing disk a transaction may not even roll back: an error, not a reason to trap.
    configuration.allowsUnsafeTransactions = true
    configuration.busyMode = .timeout(settings.openTimeout.inSeconds)
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON")
      // Apple's fsync leaves data in the disk's cache.
      #if canImport(Darwin)
        try database.execute(sql: "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
      #endif
      guard access == .readWrite, let connection = database.sqliteConnection else { return }
      try database.execute(sql: "PRAGMA journal_size_limit = 8388608")
      DiskSpace.setChunk(of: database)
      // The setting must precede the first page.
      if sqlite3_db_readonly(connection, "main") == 0,
        try Int.fetchOne(database, sql: "PRAGMA page_count") == 0
      {
        try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
      }
    }
    return configuration
  }

  /// Checks that the file is a store before any write. Opening a foreign database for many connections would change
  /// its journal mode and write a few bytes.
  private static func requireOwnDatabase(_ path: String, _ settings: StoreSettings) throws {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(settings.openTimeout.inSeconds)
    // Opening reports a file that can't be read here, such as one with a journal to roll back.
    let identity = try? DatabaseQueue(path: path, configuration: configuration).read(FileIdentity.init)
    try identity?.check(path)
  }

  /// Checks that the file is a store, and migrates the file to this version.
  private static func prepare(_ pool: DatabasePool, _ path: String, _ access: Access) throws {
    let identity = try pool.read(FileIdentity.init)
    try identity.check(path)
    guard identity.version < StoreSchema.version else { return }
    guard access == .readWrite else {
      // A file without tables has no older form.
      guard identity.application == StoreSchema.applicationID else {
        throw StoreError(
          .corrupt,
          message: "read \(path): it is empty and no store; name a store, or remove it to begin anew")
      }
      if identity.version >= StoreSchema.oldestReadableVersion { return }
      throw StoreError(
        .readOnly,
        message:
          "read \(path): an older version of this program wrote it (form \(identity.version)). Open it for writing once, as `whereabouts history` does where the file and its folder may be written: this converts it to form \(StoreSchema.version)"
      )
    }
    do {
      // Without room in the file, the pages would stay in the log when the disk is full later.
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 1") }
      defer {
        // SQLite's own value.
        try? pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 1000") }
      }
      try StoreSchema.migrator.migrate(pool)
    } catch {
      // Another process may have migrated first, and its tables collide with these.
      guard try pool.read(FileIdentity.init).version > identity.version else { throw error }
      try prepare(pool, path, access)
    }
  }
}

/// The application id and version of a database.
private struct FileIdentity {
  let application: Int32
  let version: Int
  private let tables: Int
  /// The number of the last migration, which is the form of an undamaged file; `nil` if it can't be read.
  private let migrated: Int?

  init(_ database: Database) throws {
    application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    // The migrator creates its own table in an earlier transaction, which may be alone after a kill.
    tables =
      try Int.fetchOne(
        database, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'") ?? 0
    // A file without a valid form may lack the table, too.
    migrated = try? Int.fetchOne(
      database, sql: "SELECT max(CAST(identifier AS INTEGER)) FROM grdb_migrations")
  }

  func check(_ path: String) throws {
    guard application != StoreSchema.supersededApplicationID else {
      throw StoreError(
        .corrupt,
        message:
          "open \(path): it was written before the store's format began again at version 1; choose another file, and keep this one for the program that wrote it"
      )
    }
    guard application == StoreSchema.applicationID || (application == 0 && version == 0 && tables == 0) else {
      throw StoreError(
        .corrupt, message: "open \(path): it is another program's database; choose another file")
    }
    // No migration would change it: the file has those of its real form.
    guard version > 0 || tables == 0 else {
      let form = migrated.map { "\($0)" } ?? "FORM"
      throw StoreError(
        .corrupt,
        message:
          """
          open \(path): its form is \(version), which no version of this program writes. A dump of sqlite3 leaves the \
          form out. Set it with `sqlite3 \(path.shellQuoted) 'PRAGMA user_version = \(form)'`\
          \(migrated == nil ? ", where FORM is the form of the dumped store" : "")
          """
      )
    }
    guard version <= StoreSchema.version else {
      throw StoreError(
        .newerVersion,
        message:
          "open \(path): a newer version of this program has written it (form \(version), this one knows \(StoreSchema.version)); use that version, or choose another file"
      )
    }
  }
}

extension UTCTime {
  /// The current time of the wall clock.
  static var now: UTCTime {
    let now = Date().timeIntervalSince1970
    return UTCTime(secondsSince1970: now) ?? UTCTime(nanosecondsSince1970: 0)
  }
}

extension DatabaseError {
  /// Whether the disk has no room for the file or for SQLite's auxiliary files.
  var isFullDisk: Bool {
    resultCode == .SQLITE_FULL || extendedResultCode == .SQLITE_IOERR_SHMSIZE
      || extendedResultCode == .SQLITE_IOERR_SHMOPEN
  }
}
