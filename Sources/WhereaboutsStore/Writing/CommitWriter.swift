import WhereaboutsEngine
import GRDB
import Whereabouts
import WhereaboutsModel

/// A writer of commits, part of the one writing connection. Use on the connection's queue only.
final class CommitWriter {
  let database: Database
  let hook: (@Sendable (CommitPoint) -> Void)?
  private let path: String
  private let wall: () -> UTCTime
  private let keepsHistory: Bool
  private let pageSize: Int64
  let statements: WriterStatements
  /// The states of the devices written so far, valid as long as no other process has written.
  private var devices: [DeviceID: DeviceState] = [:]
  private var dataVersion: Int64?
  private var isFullSync: Bool?

  init(
    _ database: Database, path: String, keepsHistory: Bool, wall: @escaping () -> UTCTime,
    hook: (@Sendable (CommitPoint) -> Void)?
  ) throws {
    self.database = database
    self.path = path
    self.hook = hook
    self.wall = wall
    self.keepsHistory = keepsHistory
    statements = try WriterStatements(database)
    pageSize = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
  }

  // MARK: Transactions

  /// Writes commits in one transaction.
  ///
  /// - Parameter synced: whether all earlier writes must survive a power cut when the method returns.
  func write(_ commits: some Collection<PreparedCommit>, synced: Bool) throws {
    // Roll back a transaction that could not be rolled back after its failure.
    if database.isInsideTransaction { try statements.rollback.run() }
    try setSync(full: synced)
    hook?(.beforeBegin)
    try statements.begin.run()
    do {
      hook?(.afterBegin)
      try discardStaleStates()
      for commit in commits { try write(commit) }
      try reserveSpace()
      hook?(.beforeCommit)
      try statements.commit.run()
    } catch {
      devices = [:]
      // SQLite may have rolled back itself. If the rollback fails now, the next transaction begins with a rollback.
      if database.isInsideTransaction { try? statements.rollback.run() }
      throw error
    }
    hook?(.afterCommit)
  }

  /// Reserves disk space for every page of this transaction, so that a full disk never blocks a checkpoint.
  ///
  /// - Throws: `SQLITE_FULL` if the disk is full; nothing is committed then.
  func reserveSpace() throws {
    guard try statements.pageCount.step() else { return }
    let bytes = statements.pageCount.int(0) * pageSize
    statements.pageCount.reset()
    try DiskSpace.reserve(bytes, in: path, of: database)
  }

  /// Syncs all earlier commits: a commit that syncs the log syncs the whole log.
  func sync() throws {
    try setSync(full: true)
    let statement = statements.recordSync
    statement.bind(wall().nanosecondsSince1970, 1)
    try statement.run()
    hook?(.afterSync)
  }

  /// Discards the cached states, because another part of this process has changed a device.
  func discardStates() { devices = [:] }

  /// Sets `synchronous=FULL` for the next write.
  func useFullSync() throws { try setSync(full: true) }

  private func setSync(full: Bool) throws {
    guard full != isFullSync else { return }
    // The pragma takes effect during preparation, so no prepared statement can be kept.
    try database.execute(sql: full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
    isFullSync = full
  }

  private func discardStaleStates() throws {
    guard try statements.dataVersion.step() else { return }
    let version = statements.dataVersion.int(0)
    statements.dataVersion.reset()
    if version != dataVersion { devices = [:] }
    dataVersion = version
  }

  // MARK: Commits

  private func write(_ prepared: PreparedCommit) throws {
    let commit = prepared.commit
    var state = try state(of: commit.device)
    var isChanged = false
    for fix in commit.fixes { isChanged = try write(fix, &state) || isChanged }
    for (place, numbered) in commit.fenceRecords.enumerated() {
      FenceRecordRow.bind(
        numbered, device: state.id, exact: prepared.exactRecords[place], to: statements.fenceRecord)
      try statements.fenceRecord.run()
      if database.changesCount == 0 { try requireSame(numbered, state) }
      hook?(.afterNote)
    }
    if !commit.fences.isEmpty || commit.lastAppliedEdit != nil {
      try writeFences(prepared, state)
      hook?(.afterFences)
    }
    for trip in commit.trips { try write(trip, state) }
    for gap in commit.gaps { try write(gap, state) }
    try write(commit.receiverUsages, state)
    if let snapshot = prepared.snapshot, let version = commit.snapshot?.version {
      try writeSnapshot(snapshot, version: version, &state)
      isChanged = true
    }
    if isChanged || commit.processedUntil != nil { try writeDevice(state, passed: commit.processedUntil) }
    devices[commit.device] = state
  }

  /// Checks that a stored record equals the new one, because a commit may be retried after a lost answer. A different
  /// record under the same number is from another manager.
  private func requireSame(_ numbered: NumberedFenceRecord, _ state: DeviceState) throws {
    let row = try Statement(
      database, "SELECT \(FenceRecordRow.selected) FROM fence_record WHERE device = ? AND number = ?")
    row.bind(state.id, 1)
    row.bind(Int64(clamping: numbered.number), 2)
    // Compare as text, in which NaN equals itself.
    if try row.step(),
      try StoreJSON.encode(FenceRecordRow.record(of: row).record) == StoreJSON.encode(numbered.record)
    {
      return
    }
    throw DuplicateNumberError(number: numbered.number)
  }

  private func state(of device: DeviceID) throws -> DeviceState {
    if let state = devices[device] { return state }
    if let state = try DeviceState.read(device, in: database) { return state }
    return DeviceState(id: try SQLiteStore.rowID(of: device, in: database))
  }

  /// - Returns: whether the device's row must be updated.
  private func write(_ fix: LoggedFix, _ state: inout DeviceState) throws -> Bool {
    let (time, timing) = FixRow.time(of: fix, wall: wall)
    let nanoseconds = time.nanosecondsSince1970
    state.lastSeq += 1
    FixRow.bind(fix, device: state.id, seq: state.lastSeq, at: time, timing, to: statements.fix)
    try statements.fix.run()
    if fix.use == .used {
      // Without a known last fix, assume that the last fix was newer.
      let isReset = state.lastUsed.map { nanoseconds < $0.time } ?? (state.lastSeq > 1)
      if isReset { try recordClockReset(to: nanoseconds, state) }
      state.lastUsed = (nanoseconds, state.lastSeq)
    }
    state.newestSinceSnapshot = max(state.newestSinceSnapshot ?? .min, nanoseconds)
    hook?(.afterFix)
    if let since = state.sinceTime, since <= nanoseconds { return false }
    state.sinceTime = DeviceState.scanStart(nanoseconds)
    return true
  }

  /// Records that the clock of the fixes was set back, for readers in order of arrival.
  private func recordClockReset(to time: Int64, _ state: DeviceState) throws {
    let statement = statements.timeReset
    statement.bind(state.id, 1)
    statement.bind(state.lastSeq, 2)
    statement.bind(time, 3)
    try statement.run()
  }

  private func writeSnapshot(_ snapshot: String, version: Int, _ state: inout DeviceState) throws {
    let statement = statements.snapshot
    statement.bind(state.id, 1)
    statement.bind(Int64(version), 2)
    statement.bind(snapshot, 3)
    try statement.run()
    state.snapshotSeq = state.lastSeq
    if let newest = state.newestSinceSnapshot { state.sinceTime = DeviceState.scanStart(newest) }
    state.newestSinceSnapshot = nil
    if !keepsHistory { try dropHistory(state) }
    hook?(.afterSnapshot)
  }

  /// Erases the fixes included in the snapshot, except the last used fix.
  private func dropHistory(_ state: DeviceState) throws {
    let statement = try Statement(database, "DELETE FROM fix WHERE device = ? AND seq <= ? AND seq <> ?")
    statement.bind(state.id, 1)
    statement.bind(state.snapshotSeq, 2)
    statement.bind(state.lastUsed?.seq ?? 0, 3)
    try statement.run()
  }

  private func writeDevice(_ state: DeviceState, passed: UTCTime?) throws {
    let statement = statements.device
    statement.bind(state.snapshotSeq, 1)
    statement.bind(state.sinceTime, 2)
    // As of the snapshot: the last fix may be later and is then among the fixes since.
    let isOfSnapshot = state.lastUsed.map { $0.seq <= state.snapshotSeq } ?? false
    statement.bind(isOfSnapshot ? state.lastUsed?.time : nil, 3)
    statement.bind(isOfSnapshot ? state.lastUsed?.seq : nil, 4)
    statement.bind(passed?.nanosecondsSince1970, 5)
    statement.bind(state.id, 6)
    try statement.run()
    hook?(.afterDevice)
  }
}

/// An error: another writer has used the number of a fence record.
struct DuplicateNumberError: Error {
  let number: UInt64
}
