import WhereaboutsEngine
import WhereaboutsModel

/// The loop's handling of its store: loads the device's record, writes before any notification, and retries failed
/// writes.
extension EngineLoop {
  /// The number of fence records read from the store at once.
  private static let pageSize = 1000

  /// Restores the state that an earlier process stored.
  mutating func restore() async {
    guard let record = await store.load() else { return await observers.report(store.health) }
    fences.restore(record)
    let left = Restoration(record, engine.settings.fences)
    if !left.isEmpty { await handle(.restore(left)) }
    for edit in record.edits {
      switch edit.change {
      case .set(let fence): await handle(.fences(.update([fence])), edit: edit.number)
      case .removed(let id): await handle(.fences(.remove([id])), edit: edit.number)
      }
    }
  }

  /// Stores the lasting changes of an input.
  ///
  /// - Returns: the error, if the write failed.
  mutating func save(_ input: Input, _ notes: [NumberedFenceRecord], edit: UInt64?) async -> StoreError? {
    appendChanges(of: input, notes, edit: edit)
    guard store.health != .none else { return nil }
    return await write()
  }

  /// Appends the lasting changes of an input to the next commit.
  mutating func appendChanges(of input: Input, _ notes: [NumberedFenceRecord], edit: UInt64? = nil) {
    let news = engine.drainPendingPersistence()
    guard store.health != .none else { return }
    var command: FenceCommand?
    if case .fences(let received) = input { command = received }
    store.append(news, notes, FenceChange(command, effects, in: engine.fenceRegistry), edits: edit)
    store.updateReceiverUsage(engine, at: now)
  }

  /// Writes the pending changes.
  ///
  /// - Returns: the error, if the write failed.
  mutating func write() async -> StoreError? {
    let problem = await store.write(engine, at: now)
    await observers.report(store.health)
    setStoreTimer()
    return problem
  }

  /// Retries a failed write at its retry time.
  mutating func retryStore() async {
    guard let retry = store.nextRetry, retry <= now.instant else { return }
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
  mutating func saveAll() async -> StoreHealth {
    await store.close(with: engine, at: now)
    await observers.report(store.health)
    return store.health
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
    switch start {
    case .event(let id): await fences.attach(mailbox, after: id)
    case .cursor(let consumer): await deliver(to: consumer, into: mailbox)
    }
  }

  private mutating func deliver(to consumer: String, into mailbox: Mailbox<FenceUpdate>) async {
    let store = store
    do throws(StoreError) {
      let cursor = try await store.cursor(of: consumer)
      try await fences.attach(mailbox, after: cursor) { (number) async throws(StoreError) in
        try await store.fenceRecords(after: number, limit: Self.pageSize)
      }
    } catch {
      await mailbox.enqueue(.storeFailed(error), mayBeDropped: false)
      // Deliver at least the remembered records: a second delivery is better than none.
      await fences.attach(mailbox, after: nil)
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

extension Restoration {
  /// Creates the engine's initial state from a stored record.
  fileprivate init(_ record: DeviceRecord, _ settings: FenceSettings) {
    self.init(
      trips: record.snapshot?.trips ?? [], since: record.snapshot == nil ? [] : record.fixesSinceSnapshot,
      passed: record.processedUntil,
      lastEvent: record.lastEventNumber > 0 ? FenceEvent.ID(record.lastEventNumber) : nil,
      lastFix: record.lastFix?.fix,
      lastReceiverUsage: record.lastReceiverUsage)
    fences = record.fenceSnapshot(settings)
  }
}
