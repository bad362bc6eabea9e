package import GRDB
public import Whereabouts

/// A store in one SQLite file: what a person can look at with `sqlite3`, and a process that is killed goes on from.
///
/// `docs/store.md` says what is in the file, how sure each kind of it is, and what a power cut may cost. The file is
/// private to its owner. Any number of tasks and processes may use it at once; of each device one process at a time
/// commits (``claim(_:as:)``).
///
/// - Errors: ``Whereabouts/StoreTrouble``, which says what helps.
/// - After a kill: what was committed is there.
public final class SQLiteStore: LocationStore, Sendable {
  /// What is done with a file.
  public enum Access: Hashable, Sendable {
    /// It is made where it is not there, brought to this version, and written.
    case readWrite
    /// It is there, and is only looked at.
    case readOnly
  }

  /// Where the file is, symbolic links resolved.
  public let path: String
  /// How it keeps what it is given.
  public let settings: StoreSettings
  /// What is done with it.
  public let access: Access

  let pool: DatabasePool
  let writing: WriterCell
  let claims = ClaimTable()
  private let gate = StoreGate()
  private let group: GroupCommit

  init(
    path: String, settings: StoreSettings, access: Access, pool: DatabasePool, writing: WriterCell
  ) {
    self.path = path
    self.settings = settings
    self.access = access
    self.pool = pool
    self.writing = writing
    group = GroupCommit { [writing] in writing.write($0) }
  }

  deinit { close() }

  /// Syncs what is not synced yet and lets go of the file. Nothing can be done with the store from then on.
  ///
  /// It is done by itself where nobody uses the store any more. Who is reading is waited for, so it must not be called from
  /// within something that reads.
  public func close() {
    guard gate.close() else { return }
    writing.close()
    claims.releaseAll()
    // The last connection that closes moves the log to the file, and only one that writes can.
    pool.invalidateReadOnlyConnections()
    try? pool.close()
  }

  // MARK: Committing

  /// Writes as one, and returns when it is as sure as was asked.
  public func commit(_ commit: StoreCommit) async throws(StoreTrouble) {
    guard access == .readWrite else { throw onlyLooks }
    let prepared: PreparedCommit
    do { prepared = try PreparedCommit(commit) } catch { throw trouble(error, "write") }
    try await group.commit(prepared)
  }

  /// Makes all that was committed outlive a power cut.
  public func sync() throws(StoreTrouble) {
    if let trouble = writing.sync() { throw trouble }
  }

  // MARK: Access for the other parts of the package

  /// Reads, seeing one state of the file throughout.
  package func read<Value>(_ body: (Database) throws -> Value) throws(StoreTrouble) -> Value {
    do { return try gate.pass { try pool.read(body) } } catch { throw trouble(error, "read") }
  }

  /// Writes as one transaction that outlives a power cut. Takes its turn with commits, and holds up the thread meanwhile.
  ///
  /// - Parameters:
  ///   - erasing: whether the reserve beside the file may be used up where the disk is full.
  ///   - body: must not write the tables that commits write. May run twice: what it did is rolled back before.
  package func write<Value>(
    erasing: Bool = false, _ body: (Database) throws -> Value
  ) throws(StoreTrouble) -> Value {
    guard access == .readWrite else { throw onlyLooks }
    do { return try writing.transaction(erasing: erasing, body) } catch { throw trouble(error, "write") }
  }

  func trouble(_ error: any Error, _ action: String) -> StoreTrouble { StoreTrouble(error, action, path) }

  private var onlyLooks: StoreTrouble {
    StoreTrouble(.readOnly, message: "write \(path): it was opened only to be read")
  }
}
