import WhereaboutsEngine
import WhereaboutsModel

/// The loop's handling of its store: loads the device's record, writes before any notification, and retries failed
/// writes.
extension EngineLoop {
  /// The number of fence records read from the store at once.
  private static let pageSize = 1000

  /// Restores the state that an earlier process stored, also after a load that failed.
  mutating func restore() async {
    let isLate = store.isUnloaded
    guard let record = await store.load(at: now) else { return await observers.report(store.health) }
    let unloaded = store.drainUnloadedFenceChange()
    fences.restore(record)
    var left = Restoration(record, engine.settings.fences)
    if store.storesStateWithFixes { left.silenceIsRest = true }
    // Restored fences have the edits already: one commit stores the edits, with the events that were due.
    let isEdited = left.edits != nil
    if !left.isEmpty { await handle(.restore(left), edit: isEdited ? record.edits.last?.number : nil) }
    if !isEdited {
      for (command, edit) in record.edits.commands { await handle(.fences(command), edit: edit) }
    }
    guard isLate else { return }
    // The shared fences may have changed since they were received.
    if let shared = record.sharedFences, unloadedShare != nil { unloadedShare = .share(shared) }
    await finishLateRestoration(unloaded, storedFences: record.fenceIDs)
  }

  /// Repeats a failed load before an entry is processed.
  ///
  /// A file may be locked for a while only, as on a phone between its start and the first unlock. A wake of the
  /// platform repeats the load at once, because the program may have no later time; other entries repeat it after
  /// pauses that double, unless another manager has the store.
  mutating func repeatRestoration(before content: Inbox.Entry.Content) async {
    guard store.isUnloaded else { return }
    let isWake = if case .input(.signal(.woke)) = content { true } else { false }
    if store.mayRepeatLoad(at: now.instant, isUrgent: isWake) { await restore() }
  }

  /// Repeats a failed load at once.
  mutating func repeatRestoration() async {
    if store.mayRepeatLoad(at: now.instant, isUrgent: true) { await restore() }
  }

  /// Applies the changes that came before the stored state, and notifies those who came before it.
  ///
  /// - Parameter storedFences: the ids of the stored fences.
  private mutating func finishLateRestoration(_ change: StoreCommit.FenceChange, storedFences: Set<FenceID>)
    async
  {
    await observers.report(store.health)
    await refuseTrackersOfEndedTrips()
    let tripEnds = unloadedTripEnds
    unloadedTripEnds = []
    // A tracker that was made after the end resumes the stored trip of its name.
    for trip in tripEnds where engine.tracker(of: trip) == nil { await handle(.endTrip(trip)) }
    // A stored fence stays where one with its id was added, as if it had been loaded before.
    var kept = change.removesAll ? Set<FenceID>() : storedFences.intersection(unloadedAdditions)
    kept.subtract(change.removed)
    unloadedAdditions = []
    let updates = change.set.map(\.fence).filter { !kept.contains($0.id) }
    if change.removesAll { await handle(.fences(.removeAll)) }
    if !change.removed.isEmpty { await handle(.fences(.remove(change.removed))) }
    if !updates.isEmpty { await handle(.fences(.update(updates))) }
    if let unloadedShare { await handle(.fences(unloadedShare)) }
    unloadedShare = nil
    for listener in unloadedListeners { await replayFences(to: listener.mailbox, from: listener.start) }
    unloadedListeners = []
    fences.rememberUnstored()
    if keepsWakeRegions { await send(engine.demand) }
  }

  /// Writes the pending changes if there is a store.
  ///
  /// - Returns: the error, if the write failed.
  mutating func writeIfStored() async -> StoreError? { store.health == .none ? nil : await write() }

  /// Appends the lasting changes of an input to the next commit.
  mutating func appendChanges(of input: Input, _ records: [NumberedFenceRecord], edit: UInt64?) {
    let changes = engine.drainPendingPersistence()
    guard store.health != .none else { return }
    var command: FenceCommand?
    if case .fences(let received) = input { command = received }
    if store.isUnloaded, case .share? = command { unloadedShare = command }
    if store.isUnloaded, case .endTrip(let trip) = input { unloadedTripEnds.append(trip) }
    var change = StoreCommit.FenceChange(command, effects, in: engine.fenceRegistry)
    if case .restore(let left) = input {
      for edit in left.edits ?? [] {
        change.append(StoreCommit.FenceChange(edit, effects, in: engine.fenceRegistry))
      }
    }
    change.ended = changes.endedFences.map { StoreCommit.FenceChange.Entry($0.fence, serial: $0.serial) }
    if store.isUnloaded {
      switch command {
      case .add: unloadedAdditions.formUnion(change.set.map(\.fence.id))
      case .update(let fences): unloadedAdditions.subtract(fences.map(\.id))
      case .remove, .removeAll, .share, nil: break
      }
    }
    store.append(changes, records, change, edits: edit)
    store.updateReceiverUsage(engine, at: now)
  }

  /// Writes the pending changes.
  ///
  /// - Returns: the error, if the write failed.
  mutating func write() async -> StoreError? {
    let step = prepareWrite()
    let problem = await store.write(step, at: now)
    await observers.report(store.health)
    setStoreTimer()
    return problem
  }

  /// Retries a failed write at its retry time.
  mutating func retryStore() async {
    guard !store.isClosed, let retry = store.nextRetry, retry <= now.instant else { return }
    let problem = await write()
    await fences.report([], [], storeError: problem)
  }

  /// Processes the store's late answer to a commit that timed out.
  mutating func processLateAnswer(_ answer: Result<Void, StoreError>) async {
    store.processLateAnswer(answer, at: now)
    await observers.report(store.health)
    setStoreTimer()
  }

  /// Writes the pending changes and a snapshot.
  ///
  /// - Parameter isEnding: whether the manager ends now, and another one may claim the device.
  mutating func saveAll(isEnding: Bool = false) async -> StoreHealth {
    await saveStore(isEnding: isEnding)
    await observers.report(store.health)
    return store.health
  }

  /// Writes the pending changes and a snapshot. With the end of the manager, nothing is written afterwards.
  mutating func saveStore(isEnding: Bool) async {
    let step = prepareSave(isEnding: isEnding)
    _ = await store.write(step, at: now)
    if isEnding { store.close() }
  }

  @inline(never)  // As with ``processInEngine(_:edit:)``.
  private mutating func prepareWrite() -> CommitQueue.WriteStep { store.prepareWrite(engine, at: now) }

  @inline(never)
  private mutating func prepareSave(isEnding: Bool) -> CommitQueue.WriteStep {
    store.prepareSave(engine, at: now, isEnding: isEnding)
  }

  private mutating func setStoreTimer() {
    storeTimer?.cancel()
    storeTimer = nil
    guard let instant = store.nextRetry, case .free(let clock) = clock.kind else { return }
    storeTimer = Task { [inbox] in
      do { try await clock.sleep(instant) } catch { return }
      inbox.enqueue { _ in }
    }
  }

  // MARK: Fences

  /// Changes the fences.
  ///
  /// - Parameter edit: the number of the applied edit.
  mutating func changeFences(_ command: FenceCommand, edit: UInt64?) async -> FenceCommandResult {
    var answer = FenceCommandResult(storeError: await handle(.fences(command), edit: edit))
    for case .decided(.fenceRefused(let id, let problem)) in effects { answer.refused[id] = problem }
    return answer
  }

  /// Delivers fence records to a mailbox, from a start on.
  mutating func listenToFences(
    _ mailbox: Mailbox<FenceUpdate>, from start: FenceEventDispatcher.Start
  ) async {
    if store.isUnloaded { unloadedListeners.append((mailbox, start)) }
    await replayFences(to: mailbox, from: start)
    await fences.attach(mailbox)
  }

  private func replayFences(to mailbox: Mailbox<FenceUpdate>, from start: FenceEventDispatcher.Start) async {
    switch start {
    case .event(let id): await fences.replay(to: mailbox, after: id)
    case .cursor(let consumer): await replayFences(to: mailbox, for: consumer)
    }
  }

  private func replayFences(to mailbox: Mailbox<FenceUpdate>, for consumer: String) async {
    let store = store
    do throws(StoreError) {
      let cursor = try await store.cursor(of: consumer)
      try await fences.replay(to: mailbox, after: cursor, through: store.lastNumber) {
        (number) async throws(StoreError) in
        try await store.fenceRecords(after: number, limit: Self.pageSize)
      }
    } catch {
      await mailbox.enqueue(.storeFailed(error), as: .essential)
      // Deliver at least the remembered records: a second delivery is better than none.
      await fences.replay(to: mailbox, after: nil)
    }
  }

  /// Acknowledges all fence records up to a number, for a consumer.
  mutating func acknowledge(_ number: UInt64, by consumer: String) async -> StoreError? {
    do throws(StoreError) {
      try await store.acknowledge(through: number, by: consumer)
      return nil
    } catch {
      return error
    }
  }
}

extension LocationManager {
  /// Loads the stored data again at once if that has failed.
  ///
  /// - Returns: the health of the store afterwards; `nil` after the manager's end.
  package func repeatLoad() async -> StoreHealth? {
    await inbox.perform { loop in
      await loop.repeatRestoration()
      return loop.store.health
    }
  }
}

extension DeviceRecord {
  /// The ids of the stored fences, after the edits of other processes.
  fileprivate var fenceIDs: Set<FenceID> {
    var ids = Set(fences.map(\.fence.id))
    for edit in edits {
      switch edit.change {
      case .set(let fence): ids.insert(fence.id)
      case .removed(let id): ids.remove(id)
      }
    }
    return ids
  }
}

extension Restoration {
  /// Creates the engine's initial state from a stored record.
  fileprivate init(_ record: DeviceRecord, _ settings: FenceSettings) {
    let snapshots = record.snapshot?.trips ?? []
    // An erased span takes the engine's state along, and leaves the trips that lie in it only in part.
    let erased = record.openTrips.filter { trip in !snapshots.contains { $0.id == trip.id } }
    self.init(
      trips: snapshots + erased.map { TripSnapshot(resuming: $0) },
      since: record.snapshot == nil ? [] : record.fixesSinceSnapshot,
      passed: record.processedUntil,
      lastEvent: record.lastEventNumber > 0 ? FenceEvent.ID(record.lastEventNumber) : nil,
      lastFix: record.lastFix?.fix,
      lastReceiverUsage: record.lastReceiverUsage)
    fences = record.fenceSnapshot(settings)
    if fences != nil, !record.edits.isEmpty { edits = record.edits.commands.map(\.command) }
  }
}
