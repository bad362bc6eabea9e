import WhereaboutsCore

/// What a manager's loop does about its store: gathers what an input has changed for good, and has it written before
/// anybody is told. What can't be written waits, and is tried again now and then.
struct StoreDesk {
  /// After so many fixes the state is written again: as many are gone through again by the next process.
  static let fixesPerSnapshot = 120
  /// So many fixes wait for a store that can't be written; of more the oldest are lost to history.
  static let mostWaiting = 10_000
  /// The spell of the receiver that goes on is written again after so long: a kill costs no more of it.
  static let spellInterval = Duration.seconds(60)
  private static let firstPause = Duration.seconds(1)
  private static let longestPause = Duration.seconds(30)

  private let store: (any LocationStore)?
  private let device: DeviceID
  /// Held while this manager commits for the device.
  private var claim: (any StoreClaim)?
  private let patience: StorePatience
  private let comesLate: @Sendable (Result<Void, StoreTrouble>) -> Void
  private(set) var health: StoreHealth
  /// What must be written next, with what could not be before.
  private var waiting: StoreCommit
  /// What the store was given and has not answered in time: nothing is written before it does.
  private var unanswered: StoreCommit?
  private var isSnapshotDue = false
  private var fixesSinceSnapshot = 0
  /// When the spell that goes on was last taken down.
  private var spellTaken = Instant.start
  private var pause = firstPause
  /// When it is tried again.
  private(set) var retry: Instant?
  /// Where consumers are, of a manager without a store.
  private var cursors: [String: UInt64] = [:]

  /// - Parameter comesLate: takes the answer to a commit that was given up.
  init(
    store: (any LocationStore)?, device: DeviceID, clock: ManagerClock,
    comesLate: @escaping @Sendable (Result<Void, StoreTrouble>) -> Void
  ) {
    self.store = store
    self.device = device
    self.comesLate = comesLate
    patience = StorePatience(clock)
    health = store == nil ? .none : .keeping
    waiting = StoreCommit(device: device)
  }

  private var isUsable: Bool {
    if case .unusable = health { false } else { store != nil }
  }

  /// What the store has of the device.
  mutating func load() async -> DeviceRecord? {
    guard let store else { return nil }
    // A claim that comes after the wait was given up is let go with its result.
    let loaded = await patience.wait(StorePatience.loadingLimit) { [device] in
      await Self.result { () async throws(StoreTrouble) in
        (claim: try await store.claim(device), record: try await store.load(device))
      }
    }
    switch loaded ?? .failure(.unresponsive(after: StorePatience.loadingLimit)) {
    case .success(let (claimed, record)):
      claim = claimed
      // So that many short runs don't leave more and more to go through again.
      fixesSinceSnapshot = record.since.count
      return record
    case .failure(let trouble):
      health = .unusable(trouble)
      return nil
    }
  }

  private static func result<Value>(
    _ body: () async throws(StoreTrouble) -> Value
  ) async -> Result<Value, StoreTrouble> {
    do throws(StoreTrouble) { return .success(try await body()) } catch { return .failure(error) }
  }

  // MARK: Writing

  /// Notes what an input has changed for good.
  ///
  /// - Parameters:
  ///   - notes: what happened at fences.
  ///   - fences: what changed of them.
  ///   - edits: until which edit of others it has been taken over.
  mutating func take(_ news: LastingNews, _ notes: [NumberedNote], _ fences: FenceChange, edits: UInt64?) {
    guard isUsable else { return }
    if let fix = news.fix {
      waiting.fixes.append(fix)
      fixesSinceSnapshot += 1
    }
    waiting.notes += notes
    waiting.gaps += news.gaps
    waiting.trips.removeAll { old in news.ended.contains { $0.id == old.id } }
    waiting.trips += news.ended
    for spell in news.spells { put(spell) }
    waiting.fences.append(fences)
    waiting.editsTaken = edits ?? waiting.editsTaken
    if !notes.isEmpty || !fences.isEmpty || !news.ended.isEmpty || edits != nil {
      waiting.durability = .power
    }
    if news.isSnapshotOld { isSnapshotDue = true }
  }

  /// Takes down how long what is asked of the source has lasted, now and then.
  mutating func bringUpToDate(_ engine: Engine, at now: Moment) {
    guard isUsable, now.instant.since(spellTaken) >= Self.spellInterval else { return }
    takeSpell(of: engine, at: now)
  }

  private mutating func takeSpell(of engine: Engine, at now: Moment) {
    spellTaken = now.instant
    if let spell = engine.spell(at: now) { put(spell) }
  }

  private mutating func put(_ spell: ReceiverSpell) {
    if let last = waiting.spells.last, last.number == spell.number {
      waiting.spells[waiting.spells.count - 1] = spell
    } else {
      waiting.spells.append(spell)
    }
  }

  /// Whether there is anything that must be written before it is told.
  private func isWorthWriting(_ engine: Engine) -> Bool {
    !waiting.fixes.isEmpty || !waiting.spells.isEmpty || waiting.durability == .power
      || isSnapshotDue && engine.hasLasting
  }

  /// Writes what there is to write.
  ///
  /// - Returns: why it could not be written; `nil` where nothing waits any more.
  mutating func write(_ engine: Engine, at now: Moment) async -> StoreTrouble? {
    guard isUsable, let store else { return nil }
    if unanswered != nil, case .notKeeping(let trouble) = health {
      dropOldest()
      return trouble
    }
    guard isWorthWriting(engine) else {
      retry = nil
      return nil
    }
    if let retry, now.instant < retry {
      dropOldest()
      if case .notKeeping(let trouble) = health { return trouble }
    }
    complete(with: engine, at: now)
    let answer = await patience.wait(
      for: { [store, waiting] in
        await Self.result { () async throws(StoreTrouble) in try await store.commit(waiting) }
      }, comesLate: comesLate)
    switch answer {
    case .success:
      if waiting.snapshot != nil { fixesSinceSnapshot = 0 }
      isSnapshotDue = false
      waiting = StoreCommit(device: device)
      retry = nil
      pause = Self.firstPause
      health = .keeping
      return nil
    case .failure(let trouble):
      fail(trouble, at: now)
      return trouble
    case nil:
      let trouble = StoreTrouble.unresponsive(after: StorePatience.limit)
      unanswered = waiting
      waiting = StoreCommit(device: device)
      isSnapshotDue = true
      health = .notKeeping(trouble)
      retry = nil
      return trouble
    }
  }

  private mutating func fail(_ trouble: StoreTrouble, at now: Moment) {
    retry = now.instant.advanced(by: pause)
    pause = min(pause * 2, Self.longestPause)
    health = .notKeeping(trouble)
    // Fixes may be dropped, and then only the state knows of them.
    isSnapshotDue = true
    dropOldest()
  }

  /// Takes the answer of the store to what was given up: what has come since is written next.
  mutating func takeLate(_ answer: Result<Void, StoreTrouble>, at now: Moment) {
    guard var late = unanswered else { return }
    unanswered = nil
    switch answer {
    case .success:
      if late.snapshot != nil { fixesSinceSnapshot = waiting.fixes.count }
      pause = Self.firstPause
      retry = now.instant
      health = .keeping
    case .failure(let trouble):
      late.append(waiting)
      waiting = late
      fail(trouble, at: now)
    }
  }

  /// Writes what is left, and the state as it is, where there is any: the process may end.
  mutating func close(with engine: Engine, at now: Moment) async {
    defer { claim = nil }
    guard isUsable else { return }
    if engine.hasLasting || isWorthWriting(engine) { isSnapshotDue = isSnapshotDue || fixesSinceSnapshot > 0 }
    takeSpell(of: engine, at: now)
    guard isSnapshotDue || !waiting.spells.isEmpty else { return }
    waiting.durability = .power
    retry = nil
    _ = await write(engine, at: now)
  }

  private mutating func complete(with engine: Engine, at now: Moment) {
    // Also where there is nothing to keep any more: a trip that is over must not come back, nor all fixes be read again.
    let isNeeded = isSnapshotDue || fixesSinceSnapshot >= Self.fixesPerSnapshot
    waiting.snapshot = isNeeded || !waiting.fences.isEmpty ? engine.snapshot : nil
    if waiting.snapshot != nil {
      let ended = waiting.trips.filter { $0.ended != nil }
      waiting.trips = ended + engine.trips.filter { trip in !ended.contains { $0.id == trip.id } }
    }
    if !waiting.notes.isEmpty { waiting.passed = engine.fixTime(at: now) }
  }

  private mutating func dropOldest() {
    let surplus = waiting.fixes.count - Self.mostWaiting
    if surplus > Self.mostWaiting / 10 { waiting.fixes.removeFirst(surplus) }
    let spells = waiting.spells.count - Self.mostWaiting
    if spells > Self.mostWaiting / 10 { waiting.spells.removeFirst(spells) }
  }

  // MARK: Delivery

  func notes(after number: UInt64, limit: Int) async throws(StoreTrouble) -> [NumberedNote] {
    guard isUsable, let store else { return [] }
    return try await bounded { [device] () async throws(StoreTrouble) in
      try await store.notes(of: device, after: number, limit: limit)
    }
  }

  func cursor(of consumer: String) async throws(StoreTrouble) -> UInt64 {
    guard isUsable, let store else { return cursors[consumer] ?? 0 }
    return try await bounded { [device] () async throws(StoreTrouble) in
      try await store.cursor(of: consumer, device: device)
    }
  }

  mutating func acknowledge(through number: UInt64, by consumer: String) async throws(StoreTrouble) {
    cursors[consumer] = max(cursors[consumer] ?? 0, number)
    guard isUsable, let store else { return }
    try await bounded { [device] () async throws(StoreTrouble) in
      try await store.acknowledge(through: number, by: consumer, device: device)
    }
  }

  /// Waits for the store for so long and no longer; not at all while it owes another answer.
  private func bounded<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(StoreTrouble) -> Value
  ) async throws(StoreTrouble) -> Value {
    let trouble = StoreTrouble.unresponsive(after: StorePatience.limit)
    guard !patience.isWaitingInVain else { throw trouble }
    return try (await patience.wait(for: { await Self.result(body) }) ?? .failure(trouble)).get()
  }
}

extension StoreTrouble {
  fileprivate static func unresponsive(after limit: Duration) -> StoreTrouble {
    StoreTrouble(
      .unresponsive,
      message: "use the store: it has not answered for \(limit.components.seconds) s; look after the disk")
  }
}

extension StoreCommit {
  /// Adds what is to be kept after that.
  fileprivate mutating func append(_ later: StoreCommit) {
    fixes += later.fixes
    notes += later.notes
    passed = later.passed ?? passed
    fences.append(later.fences)
    trips.removeAll { old in later.trips.contains { $0.id == old.id } }
    trips += later.trips
    gaps += later.gaps
    spells += later.spells
    snapshot = later.snapshot
    editsTaken = later.editsTaken ?? editsTaken
    if later.durability == .power { durability = .power }
  }
}

extension FenceChange {
  /// Adds what changed after that.
  mutating func append(_ later: FenceChange) {
    guard !later.isEmpty else { return }
    if later.removesAll { self = FenceChange(removesAll: true, lastSerial: lastSerial) }
    for id in later.removed {
      set.removeAll { $0.fence.id == id }
      removed.append(id)
    }
    for entry in later.set {
      set.removeAll { $0.fence.id == entry.fence.id }
      set.append(entry)
    }
    lastSerial = later.lastSerial ?? lastSerial
  }

  private init(removesAll: Bool, lastSerial: UInt64?) {
    self.init()
    self.removesAll = removesAll
    self.lastSerial = lastSerial
  }

  /// What a command and what came of it have changed in an engine's fences.
  init(_ command: FenceCommand?, _ effects: [Effect], in book: FenceBook) {
    self.init()
    switch command {
    case .add(let fences), .update(let fences):
      var refused: Set<FenceID> = []
      for case .decided(.fenceRefused(let id, _)) in effects { refused.insert(id) }
      set = fences.compactMap { fence in
        // One of its id may have been there before, and then it is that one.
        refused.contains(fence.id) ? nil : book.numbered(fence.id).map { Entry($0.fence, serial: $0.serial) }
      }
    case .remove(let ids): removed = ids
    case .removeAll: removesAll = true
    case nil: break
    }
    for case .fence(.removed(let id, _)) in effects {
      set.removeAll { $0.fence.id == id }
      removed.append(id)
    }
    if !set.isEmpty { lastSerial = book.newestSerial }
  }
}
