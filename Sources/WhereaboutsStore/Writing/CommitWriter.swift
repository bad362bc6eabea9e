import GRDB
import Whereabouts
import WhereaboutsCore

/// Writes commits on the one connection that writes, of which it is a part: only to be used where that is.
final class CommitWriter {
  let database: Database
  let hook: (@Sendable (CommitPoint) -> Void)?
  private let path: String
  private let wall: () -> UTCTime
  private let keepsHistory: Bool
  private let pageSize: Int64
  let statements: WriterStatements
  /// Of the devices written so far; good as long as nobody else has written.
  private var devices: [DeviceID: DeviceState] = [:]
  private var dataVersion: Int64?
  private var isFull: Bool?

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

  // MARK: A transaction

  /// Writes commits as one.
  ///
  /// - Parameter synced: whether everything written so far must outlive a power cut when this returns.
  func write(_ commits: some Collection<PreparedCommit>, synced: Bool) throws {
    // Left from one that could not be rolled back when it failed.
    if database.isInsideTransaction { try statements.rollback.run() }
    try setSync(full: synced)
    hook?(.beforeBegin)
    try statements.begin.run()
    do {
      hook?(.afterBegin)
      try forgetStatesThatOthersChanged()
      for commit in commits { try write(commit) }
      try reserveRoom()
      hook?(.beforeCommit)
      try statements.commit.run()
    } catch {
      devices = [:]
      // SQLite may have rolled it back itself; where it can't be now, the next begins with it.
      if database.isInsideTransaction { try? statements.rollback.run() }
      throw error
    }
    hook?(.afterCommit)
  }

  /// Makes room in the file for every page of this transaction, so that a full disk never keeps the log from being moved
  /// there.
  ///
  /// - Throws: `SQLITE_FULL` where there is none; nothing is committed then.
  func reserveRoom() throws {
    guard try statements.pageCount.step() else { return }
    let bytes = statements.pageCount.int(0) * pageSize
    statements.pageCount.reset()
    try StoreRoom.reserve(bytes, in: path, of: database)
  }

  /// Makes what was committed for the process alone outlive a power cut: a commit that syncs the log syncs all of it.
  func sync() throws {
    try setSync(full: true)
    let statement = statements.noteSync
    statement.bind(wall().nanosecondsSince1970, 1)
    try statement.run()
    hook?(.afterSync)
  }

  /// What another part of this process has done to a device is not to be told from what is remembered here.
  func forgetStates() { devices = [:] }

  /// What is written next by others outlives a power cut.
  func useFullSync() throws { try setSync(full: true) }

  private func setSync(full: Bool) throws {
    guard full != isFull else { return }
    // Takes effect when it is prepared, so it can't be kept prepared.
    try database.execute(sql: full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
    isFull = full
  }

  private func forgetStatesThatOthersChanged() throws {
    guard try statements.dataVersion.step() else { return }
    let version = statements.dataVersion.int(0)
    statements.dataVersion.reset()
    if version != dataVersion { devices = [:] }
    dataVersion = version
  }

  // MARK: A commit

  private func write(_ prepared: PreparedCommit) throws {
    let commit = prepared.commit
    var state = try state(of: commit.device)
    var isChanged = false
    for fix in commit.fixes { isChanged = try write(fix, &state) || isChanged }
    for (place, note) in commit.notes.enumerated() {
      NoteRow.bind(note, device: state.id, exact: prepared.exactNotes[place], to: statements.note)
      try statements.note.run()
      if database.changesCount == 0 { try requireSame(note, state) }
      hook?(.afterNote)
    }
    if !commit.fences.isEmpty || commit.editsTaken != nil {
      try writeFences(prepared, state)
      hook?(.afterFences)
    }
    for trip in commit.trips { try write(trip, state) }
    for gap in commit.gaps { try write(gap, state) }
    try write(commit.spells, state)
    if let snapshot = prepared.snapshot, let version = commit.snapshot?.version {
      try writeSnapshot(snapshot, version: version, &state)
      isChanged = true
    }
    if isChanged || commit.passed != nil { try writeDevice(state, passed: commit.passed) }
    devices[commit.device] = state
  }

  /// A commit may be tried again after its answer was lost. Another note under the same number is another manager's.
  private func requireSame(_ note: NumberedNote, _ state: DeviceState) throws {
    let row = try Statement(database, "SELECT \(NoteRow.selected) FROM note WHERE device = ? AND number = ?")
    row.bind(state.id, 1)
    row.bind(Int64(clamping: note.number), 2)
    // As text, in which NaN equals itself.
    if try row.step(), try StoreJSON.encode(NoteRow.note(of: row).note) == StoreJSON.encode(note.note) {
      return
    }
    throw NumberTaken(number: note.number)
  }

  private func state(of device: DeviceID) throws -> DeviceState {
    if let state = devices[device] { return state }
    if let state = try DeviceState.read(device, in: database) { return state }
    let statement = try Statement(database, "INSERT INTO device (name) VALUES (?)")
    statement.bind(device.rawValue, 1)
    try statement.run()
    return DeviceState(id: database.lastInsertedRowID)
  }

  /// - Returns: whether the row of the device is another for it.
  private func write(_ fix: SeenFix, _ state: inout DeviceState) throws -> Bool {
    let (time, timing) = FixRow.time(of: fix, wall: wall)
    let nanoseconds = time.nanosecondsSince1970
    state.lastSeq += 1
    FixRow.bind(fix, device: state.id, seq: state.lastSeq, at: time, timing, to: statements.fix)
    try statements.fix.run()
    if fix.use == .used {
      // Where the last one is not known any more, that it was newer must be assumed.
      let isReset = state.lastUsed.map { nanoseconds < $0.time } ?? (state.lastSeq > 1)
      if isReset { try noteReset(to: nanoseconds, state) }
      state.lastUsed = (nanoseconds, state.lastSeq)
    }
    state.newestSince = max(state.newestSince ?? .min, nanoseconds)
    hook?(.afterFix)
    if let since = state.sinceTime, since <= nanoseconds { return false }
    state.sinceTime = DeviceState.before(nanoseconds)
    return true
  }

  /// Notes that the clock of the fixes was set back, for who reads them in the order of their arrival.
  private func noteReset(to time: Int64, _ state: DeviceState) throws {
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
    if let newest = state.newestSince { state.sinceTime = DeviceState.before(newest) }
    state.newestSince = nil
    if !keepsHistory { try dropHistory(state) }
    hook?(.afterSnapshot)
  }

  /// What the snapshot includes is of no more use but for the last fix.
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
    // As of the snapshot: what came after it is found where the fixes since are looked for.
    let isOfSnapshot = state.lastUsed.map { $0.seq <= state.snapshotSeq } ?? false
    statement.bind(isOfSnapshot ? state.lastUsed?.time : nil, 3)
    statement.bind(isOfSnapshot ? state.lastUsed?.seq : nil, 4)
    statement.bind(passed?.nanosecondsSince1970, 5)
    statement.bind(state.id, 6)
    try statement.run()
    hook?(.afterDevice)
  }
}

/// A note has the number of another one, which somebody else has written.
struct NumberTaken: Error {
  let number: UInt64
}
