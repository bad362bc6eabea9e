import WhereaboutsEngine
import WhereaboutsModel

/// A queue of a manager's commits to its store.
///
/// The queue numbers the fence records of each input, collects its lasting changes, and writes them before any
/// notification. A failed commit stays in the queue and is retried later.
struct CommitQueue {
  /// The number of fixes after which a snapshot is written. The next process replays at most as many fixes.
  static let fixesPerSnapshot = 120
  /// The number of fixes, and of receiver usages, that may wait for a failing store. Once a tenth more wait,
  /// the oldest beyond this number are dropped, and are lost to history.
  static let maximumWaitingFixes = 10_000
  /// The interval at which the open receiver usage is written. A kill loses at most one interval of usage.
  static let receiverUsageInterval = Duration.seconds(60)
  private static let firstRetryDelay = Duration.seconds(1)
  private static let longestRetryDelay = Duration.seconds(30)
  private static let longestLoadDelay = Duration.seconds(600)

  private let store: (any LocationStore)?
  private let device: DeviceID
  /// The claim held while this manager commits for the device.
  private var claim: (any StoreClaim)?
  private let timeouts: StoreTimeouts
  let storesStateWithFixes: Bool
  private let onLateResult: @Sendable (Result<Void, StoreError>) -> Void
  private(set) var health: StoreHealth
  /// The next commit, including changes that could not be written before.
  private var pending: StoreCommit
  /// The commit that timed out. Nothing is written before the store answers.
  private var unanswered: StoreCommit?
  private var isSnapshotDue = false
  /// Whether the due snapshot does not wait for the next fix.
  private var isSnapshotUrgent = false
  private var fixesSinceSnapshot = 0
  /// The time of the last record of the open receiver usage.
  private var usageRecordedAt = Instant.start
  private var retryDelay = firstRetryDelay
  /// The time of the next retry; `nil` if none is scheduled.
  private(set) var nextRetry: Instant?
  private var loadDelay = firstRetryDelay
  /// Whether the manager has given its claim back. Nothing is loaded or committed afterwards.
  private(set) var isClosed = false
  /// The time from which a failed load may be repeated; `nil` if none has failed, or another manager has the store.
  private var nextLoad: Instant?
  /// The number of the last fence record, reported or not; 0 before the first, and while the stored ones can't be
  /// loaded.
  private(set) var lastNumber: UInt64 = 0
  /// The names of the trips that had ended at the load, or have ended in this process. A later trip of such a name
  /// would replace the stored one, so it is not written.
  private var endedTrips: Set<TripID> = []
  /// The number that is added to the ids of events while the stored records can't be loaded.
  private let unstoredIDs = UInt64.random(in: (1 << 52)..<((1 << 53) - (1 << 32)))
  /// The cursors of consumers, for a manager without a store.
  private var cursors: [String: UInt64] = [:]
  /// The numbers that consumers have acknowledged before their records were stored.
  private var earlyAcknowledgements: [String: UInt64] = [:]

  /// - Parameters:
  ///   - storesStateWithFixes: whether a change of the state alone waits for the next fix; see ``ManagerSettings``.
  ///   - onLateResult: receives the result of a commit that timed out.
  init(
    store: (any LocationStore)?, device: DeviceID, clock: ManagerClock, storesStateWithFixes: Bool,
    onLateResult: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) {
    self.store = store
    self.device = device
    self.storesStateWithFixes = storesStateWithFixes
    self.onLateResult = onLateResult
    timeouts = StoreTimeouts(clock)
    health = store == nil ? .none : .working
    pending = StoreCommit(device: device)
  }

  private var isUsable: Bool { store != nil && !isUnloaded }

  /// Whether the stored data could not be loaded.
  var isUnloaded: Bool { if case .unusable = health { true } else { false } }

  /// Returns whether a trip of this name is stored, or will be, and has ended.
  func hasEnded(_ trip: TripID) -> Bool { endedTrips.contains(trip) }

  /// Returns whether a failed load may be repeated now. A call that still hangs would make another one hang, too.
  ///
  /// - Parameter isUrgent: whether the pause after a failure is left out.
  func mayRepeatLoad(at now: Instant, isUrgent: Bool) -> Bool {
    isUnloaded && !isClosed && !timeouts.hasAbandonedCall && (isUrgent || nextLoad.map { $0 <= now } ?? false)
  }

  /// Claims the device and loads its record from the store.
  ///
  /// - Returns: the record, or `nil` without a store and after a failure. A failure makes the store unusable until a
  ///   later load succeeds.
  mutating func load(at now: Moment) async -> DeviceRecord? {
    guard let store else { return nil }
    // A claim that arrives after the timeout is released with its result.
    let loaded = await timeouts.wait(StoreTimeouts.loadingLimit) { [device] in
      await Self.result { () async throws(StoreError) in
        (claim: try await store.claim(device), record: try await store.load(device))
      }
    }
    switch loaded ?? .failure(.unresponsive(after: StoreTimeouts.loadingLimit)) {
    case .success(let (claimed, record)):
      claim = claimed
      // Many short runs must not leave more and more fixes to replay.
      fixesSinceSnapshot = record.fixesSinceSnapshot.count
      lastNumber = max(record.lastRecordNumber, record.fenceRecords.last?.number ?? 0)
      keepTrips(besidesThoseOf: record)
      health = .working
      return record
    case .failure(let problem):
      health = .unusable(problem)
      // Each claim of a store that another manager has would delay the fixes for seconds.
      nextLoad = problem.code == .locked ? nil : timeouts.end(of: now).advanced(by: loadDelay)
      loadDelay = min(loadDelay * 2, Self.longestLoadDelay)
      return nil
    }
  }

  /// Keeps the trips that ended before a late load for the next commit, with their gaps. A stored trip of the same name
  /// is not replaced; if it is open, it can still end.
  private mutating func keepTrips(besidesThoseOf record: DeviceRecord) {
    let open = Set(record.openTrips.map(\.id))
    let stored = open.union(record.endedTrips)
    pending.trips.removeAll { stored.contains($0.id) }
    pending.gaps.removeAll { stored.contains($0.trip) }
    endedTrips.subtract(open)
    endedTrips.formUnion(record.endedTrips)
    guard !pending.trips.isEmpty || !pending.gaps.isEmpty else { return }
    pending.durability = .power
    isSnapshotDue = true
  }

  private static func result<Value>(
    _ body: () async throws(StoreError) -> Value
  ) async -> Result<Value, StoreError> {
    do throws(StoreError) { return .success(try await body()) } catch { return .failure(error) }
  }

  // MARK: Writing

  /// Assigns numbers to the fence records of an input's effects, in order.
  ///
  /// While the stored records can't be loaded, the records get 0: any number may be that of a stored record, which an
  /// acknowledgement would skip. Their events get ids that no stored event has.
  mutating func assignNumbers(_ effects: [Effect]) -> [NumberedFenceRecord] {
    var records: [NumberedFenceRecord] = []
    for case .fence(let record) in effects {
      if isUnloaded {
        records.append(NumberedFenceRecord(number: 0, record: record.addingToIDs(unstoredIDs)))
      } else {
        lastNumber += 1
        records.append(NumberedFenceRecord(number: lastNumber, record: record))
      }
    }
    return records
  }

  /// Appends the lasting changes of an input.
  ///
  /// - Parameters:
  ///   - changes: the data of the engine that must survive the process.
  ///   - records: the new fence records.
  ///   - fences: the changes to the fences.
  ///   - edits: the number of the last applied edit.
  mutating func append(
    _ changes: PendingPersistence, _ records: [NumberedFenceRecord], _ fences: StoreCommit.FenceChange,
    edits: UInt64?
  ) {
    for gap in changes.gaps where !endedTrips.contains(gap.trip) { pending.gaps.append(gap) }
    for trip in changes.endedTrips where endedTrips.insert(trip.id).inserted {
      pending.trips.removeAll { $0.id == trip.id }
      pending.trips.append(trip)
    }
    guard isUsable else {
      // Applied again once the stored fences are loaded.
      pending.fences.append(fences)
      return
    }
    if let fix = changes.fix {
      pending.fixes.append(fix)
      fixesSinceSnapshot += 1
    }
    pending.fenceRecords += records
    for usage in changes.receiverUsages { append(usage) }
    pending.fences.append(fences)
    pending.lastAppliedEdit = edits ?? pending.lastAppliedEdit
    if !records.isEmpty || !fences.isEmpty || !changes.endedTrips.isEmpty || edits != nil {
      pending.durability = .power
    }
    if changes.isSnapshotStale { isSnapshotDue = true }
    if changes.isSnapshotUrgent { isSnapshotUrgent = true }
  }

  /// Returns the changes of the fences since the load failed, and clears them. The fences that ended stay for the next
  /// commit.
  mutating func drainUnloadedFenceChange() -> StoreCommit.FenceChange {
    let change = pending.fences
    pending.fences = StoreCommit.FenceChange()
    pending.fences.ended = change.ended
    return change
  }

  /// Updates the receiver usage, at most once per interval.
  mutating func updateReceiverUsage(_ engine: Engine, at now: Moment) {
    guard isUsable, now.instant.since(usageRecordedAt) >= Self.receiverUsageInterval else { return }
    recordReceiverUsage(of: engine, at: now)
  }

  /// - Parameter isEnding: whether the open usage ends now.
  private mutating func recordReceiverUsage(of engine: Engine, at now: Moment, isEnding: Bool = false) {
    usageRecordedAt = now.instant
    guard var usage = engine.receiverUsage(at: now) else { return }
    if isEnding { usage.isOpen = false }
    append(usage)
  }

  private mutating func append(_ usage: ReceiverUsage) {
    guard !storesStateWithFixes else { return }
    if let last = pending.receiverUsages.last, last.number == usage.number {
      pending.receiverUsages[pending.receiverUsages.count - 1] = usage
    } else {
      pending.receiverUsages.append(usage)
    }
  }

  /// Returns whether changes must be written before they are reported.
  private func needsWrite(_ engine: Engine) -> Bool {
    !pending.fixes.isEmpty || !pending.receiverUsages.isEmpty || pending.durability == .power
      || isSnapshotDue && engine.hasSnapshotContent && (!storesStateWithFixes || isSnapshotUrgent)
  }

  /// The next step of a write. It is chosen before the wait for the store, so that a manager's task keeps no copy of
  /// its engine meanwhile.
  enum WriteStep {
    /// No store is usable.
    case nothing
    case acknowledge
    case commit
    /// The store does not answer, or its next retry is not due.
    case blocked(StoreError)
  }

  /// Completes the next commit if one is needed.
  mutating func prepareWrite(_ engine: Engine, at now: Moment) -> WriteStep {
    guard isUsable, !isClosed else { return .nothing }
    if unanswered != nil, case .failing(let problem) = health {
      dropOldest()
      return .blocked(problem)
    }
    guard needsWrite(engine) else {
      nextRetry = nil
      return .acknowledge
    }
    if let nextRetry, now.instant < nextRetry {
      dropOldest()
      if case .failing(let problem) = health { return .blocked(problem) }
    }
    completeCommit(with: engine, at: now)
    return .commit
  }

  /// Carries out a step.
  ///
  /// - Returns: the error of the store, or `nil` if nothing is pending any more or no store is usable.
  mutating func write(_ step: WriteStep, at now: Moment) async -> StoreError? {
    switch step {
    case .nothing: return nil
    case .blocked(let problem): return problem
    case .acknowledge:
      await acknowledgeStored()
      return nil
    case .commit: return await commit(at: now)
    }
  }

  private mutating func commit(at now: Moment) async -> StoreError? {
    guard let store else { return nil }
    let answer = await timeouts.wait(
      for: { [store, pending] in
        await Self.result { () async throws(StoreError) in try await store.commit(pending) }
      }, onLateResult: onLateResult)
    switch answer {
    case .success:
      if pending.snapshot != nil { fixesSinceSnapshot = 0 }
      isSnapshotDue = false
      isSnapshotUrgent = false
      pending = StoreCommit(device: device)
      nextRetry = nil
      retryDelay = Self.firstRetryDelay
      health = .working
      await acknowledgeStored()
      return nil
    case .failure(let problem):
      scheduleRetry(problem, at: now)
      return problem
    case nil:
      let problem = StoreError.unresponsive(after: StoreTimeouts.limit)
      unanswered = pending
      pending = StoreCommit(device: device)
      isSnapshotDue = true
      health = .failing(problem)
      nextRetry = nil
      return problem
    }
  }

  /// - Parameter now: the time of the input; the failed commit may have ended later.
  private mutating func scheduleRetry(_ problem: StoreError, at now: Moment) {
    nextRetry = timeouts.end(of: now).advanced(by: retryDelay)
    retryDelay = min(retryDelay * 2, Self.longestRetryDelay)
    health = .failing(problem)
    // Fixes may be dropped now, and only a snapshot covers the dropped fixes.
    isSnapshotDue = true
    dropOldest()
  }

  /// Processes the late answer to a commit that timed out. Later changes are written with the next commit.
  mutating func processLateAnswer(_ answer: Result<Void, StoreError>, at now: Moment) {
    guard var late = unanswered else { return }
    unanswered = nil
    switch answer {
    case .success:
      if late.snapshot != nil { fixesSinceSnapshot = pending.fixes.count }
      retryDelay = Self.firstRetryDelay
      nextRetry = now.instant
      health = .working
    case .failure(let problem):
      late.append(pending)
      pending = late
      scheduleRetry(problem, at: now)
    }
  }

  /// Completes a commit of the remaining changes and, if needed, a snapshot, because the process may end.
  ///
  /// - Parameter isEnding: whether the receiver usage ends now.
  mutating func prepareSave(_ engine: Engine, at now: Moment, isEnding: Bool = false) -> WriteStep {
    guard isUsable, !isClosed else { return .nothing }
    if engine.hasSnapshotContent || needsWrite(engine) {
      isSnapshotDue = isSnapshotDue || fixesSinceSnapshot > 0
    }
    recordReceiverUsage(of: engine, at: now, isEnding: isEnding)
    guard isSnapshotDue || !pending.receiverUsages.isEmpty else { return .nothing }
    pending.durability = .power
    nextRetry = nil
    return prepareWrite(engine, at: now)
  }

  /// Gives the claim back: nothing is written afterwards.
  mutating func close() {
    isClosed = true
    claim = nil
  }

  private mutating func completeCommit(with engine: Engine, at now: Moment) {
    // Also without fences or trips: an ended trip must not return, and old fixes must not be replayed.
    let isNeeded = isSnapshotDue || fixesSinceSnapshot >= Self.fixesPerSnapshot
    pending.snapshot = nil
    if isNeeded || !pending.fences.isEmpty {
      var snapshot = engine.snapshot
      // A tracker from before a late load may have the name of an ended trip.
      let names = endedTrips
      snapshot.trips.removeAll { names.contains($0.id) }
      pending.snapshot = snapshot
      let ended = pending.trips.filter { $0.ended != nil }
      pending.trips = ended + engine.trips.filter { !names.contains($0.id) }
    }
    if !pending.fenceRecords.isEmpty { pending.processedUntil = engine.fixTime(at: now) }
  }

  private mutating func dropOldest() {
    let surplus = pending.fixes.count - Self.maximumWaitingFixes
    if surplus > Self.maximumWaitingFixes / 10 { pending.fixes.removeFirst(surplus) }
    let usages = pending.receiverUsages.count - Self.maximumWaitingFixes
    if usages > Self.maximumWaitingFixes / 10 { pending.receiverUsages.removeFirst(usages) }
  }

  // MARK: Delivery

  func fenceRecords(after number: UInt64, limit: Int) async throws(StoreError) -> [NumberedFenceRecord] {
    guard isUsable, let store else { return [] }
    return try await withTimeout { [device] () async throws(StoreError) in
      try await store.fenceRecords(of: device, after: number, limit: limit)
    }
  }

  func cursor(of consumer: String) async throws(StoreError) -> UInt64 {
    guard isUsable, let store else { return cursors[consumer] ?? 0 }
    let stored = try await withTimeout { [device] () async throws(StoreError) in
      try await store.cursor(of: consumer, device: device)
    }
    // This process delivers no record again that waits for its commit.
    return max(stored, earlyAcknowledgements[consumer] ?? 0)
  }

  /// Acknowledges all records up to a number. Later records, whose numbers do not exist yet, are not acknowledged.
  /// Records that are not stored yet are acknowledged once they are: after a kill, the next process may give their
  /// numbers to other records.
  mutating func acknowledge(through number: UInt64, by consumer: String) async throws(StoreError) {
    var number = min(number, lastNumber)
    cursors[consumer] = max(cursors[consumer] ?? 0, number)
    guard isUsable, let store else { return }
    if let first = (unanswered?.fenceRecords.first ?? pending.fenceRecords.first)?.number, number >= first {
      earlyAcknowledgements[consumer] = max(earlyAcknowledgements[consumer] ?? 0, number)
      number = first - 1
    }
    try await withTimeout { [device, number] () async throws(StoreError) in
      try await store.acknowledge(through: number, by: consumer, device: device)
    }
  }

  /// Acknowledges the records that were acknowledged before they were stored.
  private mutating func acknowledgeStored() async {
    for (consumer, number) in earlyAcknowledgements {
      earlyAcknowledgements[consumer] = nil
      // After a failure, the next process delivers the records once more.
      try? await acknowledge(through: number, by: consumer)
    }
  }

  /// Waits for the store up to the timeout; throws at once while an earlier call that timed out has not
  /// returned.
  private func withTimeout<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let problem = StoreError.unresponsive(after: StoreTimeouts.limit)
    guard !timeouts.hasAbandonedCall else { throw problem }
    return try (await timeouts.wait(for: { await Self.result(body) }) ?? .failure(problem)).get()
  }
}

extension StoreError {
  fileprivate static func unresponsive(after limit: Duration) -> StoreError {
    StoreError(
      .unresponsive,
      message: "use the store: it has not answered for \(limit.components.seconds) s; look after the disk")
  }
}

extension FenceEvent.ID {
  /// Whether the event was reported before the stored records could be loaded. JSON readers represent the numbers
  /// exactly.
  var isUnstored: Bool { ((1 << 52)..<(1 << 53)).contains(number) }
}

extension FenceRecord {
  /// Returns the record with a number added to the ids of its events.
  fileprivate func addingToIDs(_ base: UInt64) -> FenceRecord {
    switch self {
    case .event(var event):
      event.id = FenceEvent.ID(base + event.id.number)
      return .event(event)
    case .revised(let old, var event):
      let id = FenceEvent.ID(base + old.number)
      event?.id = id
      return .revised(id, event)
    case .decided, .removed: return self
    }
  }
}
