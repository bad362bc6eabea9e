import WhereaboutsCore

/// What a manager's loop does about fences: numbers what happened, remembers it, and tells it.
struct FenceDesk {
  /// What was told, the oldest first.
  private(set) var told: [NumberedNote]
  /// What happened, could not be written down yet, and is to wait for that.
  private var held: [NumberedNote] = []
  private var lastNumber: UInt64
  private let unkept: UnkeptEvents
  private var updates = EventBroadcast<FenceDelivery>()
  private var status: ServiceStatus
  private var trouble: StoreTrouble?
  private(set) var isOver = false

  init(status: ServiceStatus, unkept: UnkeptEvents) {
    told = []
    lastNumber = 0
    self.status = status
    self.unkept = unkept
  }

  /// Goes on with what another process has told.
  mutating func restore(_ record: DeviceRecord) {
    told = record.notes
    lastNumber = max(record.lastNote, record.notes.last?.number ?? 0)
  }

  /// What happened, in its place in all that did.
  mutating func number(_ effects: [Effect]) -> [NumberedNote] {
    var notes: [NumberedNote] = []
    for case .fence(let note) in effects {
      lastNumber += 1
      notes.append(NumberedNote(number: lastNumber, note: note))
    }
    return notes
  }

  /// Tells what happened, and what keeps fences from being watched or kept.
  ///
  /// - Parameter trouble: why it could not be written down, if it could not.
  mutating func tell(_ notes: [NumberedNote], _ effects: [Effect], unless trouble: StoreTrouble?) async {
    if trouble != self.trouble {
      self.trouble = trouble
      await send(trouble.map { .notKept($0) } ?? .keptAgain)
    }
    held += notes
    if !held.isEmpty, trouble == nil || unkept == .told { await tellHeld() }
    for case .status(let new) in effects { await tell(new) }
  }

  private mutating func tellHeld() async {
    told.append(contentsOf: held)
    // Now and then, so that it costs nothing.
    if told.count > 2 * Fences.remembered { told.removeFirst(told.count - Fences.remembered) }
    for note in held { if let delivery = FenceDelivery(note) { await updates.send(delivery) } }
    held.removeAll(keepingCapacity: true)
  }

  private mutating func send(_ update: FenceUpdate) async {
    await updates.send(FenceDelivery(number: nil, update: update), as: .notice)
  }

  private mutating func tell(_ new: ServiceStatus) async {
    let old = status
    status = new
    if new.authorization != old.authorization { await send(.authorization(new.authorization)) }
    guard new.source != old.source else { return }
    switch new.source {
    case .working: break
    case .unavailable(let trouble), .failed(let trouble): await send(.trouble(trouble))
    case .ended(let trouble):
      if let trouble { await send(.trouble(trouble)) }
      await finish()
    }
  }

  /// Gives a listener what was told after an event, and from now on everything.
  mutating func attach(_ mailbox: Mailbox<FenceDelivery>, after id: FenceEvent.ID?) async {
    let start =
      id.flatMap { id in
        told.lastIndex { if case .event(let event) = $0.note { event.id <= id } else { false } }
      }
      .map { $0 + 1 } ?? 0
    await attach(mailbox, telling: told[start...])
  }

  /// Gives a consumer what was told after a note, and from now on everything.
  ///
  /// - Parameter older: finds what is not remembered any more.
  mutating func attach(
    _ mailbox: Mailbox<FenceDelivery>, after number: UInt64,
    older: (UInt64) async throws(StoreTrouble) -> [NumberedNote]
  ) async throws(StoreTrouble) {
    var number = number
    let first = told.first?.number ?? lastNumber + 1
    while number + 1 < first {
      let page = try await older(number).filter { $0.number < first }
      guard let last = page.last else { break }
      for note in page { await Self.put(note, into: mailbox) }
      number = last.number
    }
    await attach(mailbox, telling: told.drop { $0.number <= number })
  }

  private mutating func attach(_ mailbox: Mailbox<FenceDelivery>, telling notes: ArraySlice<NumberedNote>)
    async
  {
    for note in notes { await Self.put(note, into: mailbox) }
    if isOver { await mailbox.finish() } else { updates.attach(mailbox) }
  }

  private static func put(_ note: NumberedNote, into mailbox: Mailbox<FenceDelivery>) async {
    if let delivery = FenceDelivery(note) { await mailbox.put(delivery, mayBeDropped: false) }
  }

  /// Nothing more will happen; what is there can still be taken.
  mutating func finish() async {
    isOver = true
    await updates.finish()
  }
}
