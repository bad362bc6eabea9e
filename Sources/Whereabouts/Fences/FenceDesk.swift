import WhereaboutsCore

/// What a manager's loop does about fences: writes down what happened, remembers it, and tells it, in this order.
struct FenceDesk {
  private var store: (any FenceStore)?
  /// What was told, the oldest first.
  private(set) var told: [FenceNote]
  /// What happened and could not be written down yet.
  private var heldBack: [FenceNote] = []
  private var updates = EventBroadcast<FenceUpdate>()
  private var status: ServiceStatus
  private var trouble: SourceTrouble?
  private(set) var isOver = false

  init(store: (any FenceStore)?, told: [FenceNote], status: ServiceStatus) {
    self.store = store
    self.told = told
    self.status = status
  }

  /// As much of what was told as is kept.
  var toldLately: [FenceNote] { Array((told + heldBack).suffix(Fences.remembered)) }

  /// Writes down what an engine made of an input.
  ///
  /// - Returns: what could not be written, and why.
  mutating func keep(_ input: Input, _ effects: [Effect], of engine: Engine) async -> SourceTrouble? {
    var command: FenceCommand?
    if case .fences(let told) = input { command = told }
    for case .fence(let note) in effects { heldBack.append(note) }
    guard command != nil || !heldBack.isEmpty, store != nil else { return nil }
    let commit = FenceCommit(
      command: command, notes: heldBack, book: engine.fenceBook, watch: engine.fenceWatch, told: toldLately)
    do throws(SourceTrouble) {
      try await store?.write(commit)
      return nil
    } catch {
      return error
    }
  }

  /// Tells what has been written down, and what keeps fences from being watched.
  mutating func tell(_ effects: [Effect], unless trouble: SourceTrouble?) async {
    if let trouble, trouble != self.trouble { await updates.send(.notKept(trouble)) }
    self.trouble = trouble
    if trouble == nil, !heldBack.isEmpty {
      told.append(contentsOf: heldBack)
      // Now and then, so that it costs nothing.
      if told.count > 2 * Fences.remembered { told.removeFirst(told.count - Fences.remembered) }
      for note in heldBack { if let update = FenceUpdate(note) { await updates.send(update) } }
      heldBack.removeAll(keepingCapacity: true)
    }
    for case .status(let new) in effects { await tell(new) }
  }

  private mutating func tell(_ new: ServiceStatus) async {
    let old = status
    status = new
    if new.authorization != old.authorization { await updates.send(.authorization(new.authorization)) }
    guard new.source != old.source else { return }
    switch new.source {
    case .working: break
    case .unavailable(let trouble), .failed(let trouble): await updates.send(.trouble(trouble))
    case .ended(let trouble):
      if let trouble { await updates.send(.trouble(trouble)) }
      await finish()
    }
  }

  /// Gives a listener what was told after an event, and from now on everything.
  mutating func attach(_ mailbox: Mailbox<FenceUpdate>, after id: FenceEvent.ID?) async {
    let start =
      id.flatMap { id in
        told.lastIndex { if case .event(let event) = $0 { event.id <= id } else { false } }
      }
      .map { $0 + 1 } ?? 0
    for note in told[start...] {
      if let update = FenceUpdate(note) { await mailbox.put(update, mayBeDropped: false) }
    }
    if isOver { await mailbox.finish() } else { updates.attach(mailbox) }
  }

  /// Nothing more will happen; what is there can still be taken.
  mutating func finish() async {
    isOver = true
    await updates.finish()
  }
}
