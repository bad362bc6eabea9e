import WhereaboutsCore

/// What the loop does with its store: goes on with what is there, writes before anybody is told, and tries again what
/// could not be written.
extension EngineLoop {
  /// So many notes are taken out of the store at once.
  private static let page = 1000

  /// Goes on with what another process has left.
  mutating func restore() async {
    guard let record = await store.load() else { return await observers.note(store.health) }
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

  /// Writes down what an input has changed for good.
  ///
  /// - Returns: why it could not be.
  mutating func keep(_ input: Input, _ notes: [NumberedNote], edit: UInt64?) async -> StoreTrouble? {
    let news = engine.takeLastingNews()
    guard store.health != .none else { return nil }
    var command: FenceCommand?
    if case .fences(let told) = input { command = told }
    store.take(news, notes, FenceChange(command, effects, in: engine.fenceBook), edits: edit)
    store.bringUpToDate(engine, at: now)
    return await write()
  }

  private mutating func write() async -> StoreTrouble? {
    let trouble = await store.write(engine, at: now)
    await observers.note(store.health)
    setStoreAlarm()
    return trouble
  }

  /// Tries again what could not be written, where it is time to.
  mutating func tryStoreAgain() async {
    guard let retry = store.retry, retry <= now.instant else { return }
    let trouble = await write()
    await fences.tell([], [], unless: trouble)
  }

  /// Takes the answer of the store to a commit that was given up.
  mutating func takeLate(_ answer: Result<Void, StoreTrouble>) async {
    store.takeLate(answer, at: now)
    await observers.note(store.health)
    setStoreAlarm()
  }

  /// Writes down what waits, and how things stand.
  mutating func keepAll() async -> StoreHealth {
    await store.close(with: engine, at: now)
    await observers.note(store.health)
    return store.health
  }

  private mutating func setStoreAlarm() {
    storeAlarm?.cancel()
    storeAlarm = nil
    guard let instant = store.retry, case .free(let clock) = clock.kind else { return }
    storeAlarm = Task { [inbox] in
      do { try await clock.sleep(instant) } catch { return }
      inbox.put(.timePasses)
    }
  }

  // MARK: Delivery

  mutating func deliver(to consumer: String, into mailbox: Mailbox<FenceDelivery>) async {
    let store = store
    do throws(StoreTrouble) {
      let cursor = try await store.cursor(of: consumer)
      try await fences.attach(mailbox, after: cursor) { (number) async throws(StoreTrouble) in
        try await store.notes(after: number, limit: Self.page)
      }
    } catch {
      await mailbox.put(FenceDelivery(number: nil, update: .notKept(error)), mayBeDropped: false)
      // What is remembered is there at least; better twice than never.
      await fences.attach(mailbox, after: nil)
    }
  }

  mutating func acknowledge(_ number: UInt64, by consumer: String) async -> StoreTrouble? {
    do throws(StoreTrouble) {
      try await store.acknowledge(through: number, by: consumer)
      return nil
    } catch {
      return error
    }
  }
}

extension Restoration {
  /// What a store has of a device.
  fileprivate init(_ record: DeviceRecord, _ settings: FenceSettings) {
    self.init(
      trips: record.snapshot?.trips ?? [], since: record.snapshot == nil ? [] : record.since,
      passed: record.passed,
      lastEvent: record.lastEvent > 0 ? FenceEvent.ID(record.lastEvent) : nil, lastFix: record.lastFix?.fix,
      lastSpell: record.lastSpell)
    // Fences without a state were there before it was forgotten: where the device is of them is found out anew.
    guard let watch = record.snapshot?.watch ?? (record.fences.isEmpty ? nil : FenceWatch(settings)) else {
      return
    }
    fences = FenceSnapshot(
      fences: record.fences.map(\.fence), serials: record.fences.map(\.serial), lastSerial: record.lastSerial,
      watch: watch)
  }
}
