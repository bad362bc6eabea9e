package import GRDB
public import Whereabouts
package import WhereaboutsModel

/// A store in one SQLite file, readable with `sqlite3`.
///
/// `docs/store.md` describes the content, the durability of each kind of data, and the losses of a power cut. The
/// file is private to its owner. Any number of tasks and processes may use the file at once; one process at a time
/// commits for a device (``claim(_:as:)``).
///
/// - Errors: ``Whereabouts/StoreError``, with a remedy.
/// - After a kill: every commit is in the file.
public final class SQLiteStore: LocationStore, Sendable {
  /// The access to a file.
  public enum Access: Hashable, Sendable {
    /// Creates a missing file, migrates an old one to this version, and writes.
    case readWrite
    /// Opens an existing file for reading only.
    case readOnly
  }

  /// The path of the file, with symbolic links resolved.
  public let path: String
  /// The settings of the store.
  public let settings: StoreSettings
  /// The access to the file.
  public let access: Access

  let pool: DatabasePool
  let writerConnection: WriterConnection
  let claims = ClaimTable()
  private let gate = StoreGate()
  private let groupCommit: GroupCommit

  init(
    path: String, settings: StoreSettings, access: Access, pool: DatabasePool,
    writerConnection: WriterConnection
  ) {
    self.path = path
    self.settings = settings
    self.access = access
    self.pool = pool
    self.writerConnection = writerConnection
    groupCommit = GroupCommit { [writerConnection] in writerConnection.write($0) }
  }

  deinit { close() }

  /// Syncs pending commits and closes the file. The store is unusable afterwards.
  ///
  /// The last release of the store also closes the file. The method waits for readers, so never call it within a
  /// read.
  public func close() {
    guard gate.close() else { return }
    writerConnection.close()
    claims.releaseAll()
    // The last connection to close runs the checkpoint, and only a writing connection can.
    pool.invalidateReadOnlyConnections()
    try? pool.close()
  }

  // MARK: Commits

  /// Writes a commit atomically, and returns once the commit has the required durability.
  public func commit(_ commit: StoreCommit) async throws(StoreError) {
    guard access == .readWrite else { throw readOnlyError }
    let prepared: PreparedCommit
    do { prepared = try PreparedCommit(commit) } catch { throw storeError(error, "write") }
    try await groupCommit.commit(prepared)
  }

  /// Syncs all commits, so that they survive a power cut.
  public func sync() throws(StoreError) {
    if let problem = writerConnection.sync() { throw problem }
  }

  // MARK: Package access

  /// Enforces the retention limits soon, also without new fixes. Does nothing without limits.
  package func scheduleRetention() { writerConnection.scheduleRetention() }

  /// The time of the wall clock.
  package var wallTime: UTCTime { writerConnection.wall() }

  /// The number of synced transactions since the store was opened.
  package var syncCount: Int { writerConnection.syncCount }

  /// Throws if the file was removed or replaced while it was open. The call costs next to nothing, and writes make it
  /// themselves.
  package func requireFile() throws(StoreError) { try writerConnection.requireFile() }

  /// Reads from one consistent state of the file.
  package func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do { return try gate.withOpenStore { try pool.read(body) } } catch { throw storeError(error, "read") }
  }

  /// Reads without a transaction, which would cost half of a short read. Each statement reads a state of its own.
  func readSingly<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do { return try gate.withOpenStore { try pool.unsafeRead(body) } } catch {
      throw storeError(error, "read")
    }
  }

  /// Writes in one transaction that survives a power cut. The transaction queues with the commits and blocks the
  /// thread meanwhile.
  ///
  /// - Parameters:
  ///   - erasing: whether the reserve file may be used up on a full disk.
  ///   - body: must not write the tables of commits. May run twice: the first run is rolled back.
  package func write<Value>(
    erasing: Bool = false, _ body: (Database) throws -> Value
  ) throws(StoreError) -> Value {
    guard access == .readWrite else { throw readOnlyError }
    do { return try writerConnection.transaction(erasing: erasing, body) } catch {
      throw storeError(error, "write")
    }
  }

  func storeError(_ error: any Error, _ action: String) -> StoreError { StoreError(error, action, path) }

  private var readOnlyError: StoreError {
    StoreError(.readOnly, message: "write \(path): it was opened only to be read")
  }
}
