/// The sending end of ``EventStream``s: everyone who listens is sent each value. Belongs to the engine loop.
struct EventBroadcast<Value: Sendable & Equatable>: Sendable {
  private var listeners = Listeners<Value>()

  /// Whether sending would reach nobody. May say no for a moment after the last has gone.
  var isUnheard: Bool { listeners.isEmpty }

  /// Sends a new listener what comes from now on.
  mutating func attach(_ mailbox: Mailbox<Value>) {
    listeners.add(mailbox)
  }

  /// Sends a value to everyone.
  mutating func send(_ value: Value, as kind: Mailbox<Value>.Kind = .droppable) async {
    await listeners.send(value, as: kind)
  }

  /// Ends every stream; what is there can still be taken.
  mutating func finish() async {
    await listeners.finish()
  }
}

/// The sending end of ``StateStream``s: everyone who listens is sent what holds now and each change. Belongs to the
/// engine loop.
struct StateBroadcast<Value: Sendable & Equatable>: Sendable {
  /// What holds now.
  private(set) var value: Value
  private var listeners = Listeners<Value>()

  init(_ value: Value) {
    self.value = value
  }

  /// Sends a new listener what holds now, and from then on each change.
  mutating func attach(_ mailbox: Mailbox<Value>) async {
    listeners.add(mailbox)
    await mailbox.put(value, mayBeDropped: true)
  }

  /// Sends what holds from now on to everyone, unless nothing has changed.
  mutating func send(_ value: Value) async {
    guard value != self.value else { return }
    self.value = value
    await listeners.send(value)
  }

  /// Ends every stream; what is there can still be taken.
  mutating func finish() async {
    await listeners.finish()
  }
}

/// Mailboxes of consumers who may have gone: only a consumer keeps its mailbox.
private struct Listeners<Value: Sendable & Equatable>: Sendable {
  private struct Listener: Sendable {
    weak var mailbox: Mailbox<Value>?
  }

  private var listeners: [Listener] = []

  var isEmpty: Bool { listeners.isEmpty }

  mutating func add(_ mailbox: Mailbox<Value>) {
    listeners.removeAll { $0.mailbox == nil }
    listeners.append(Listener(mailbox: mailbox))
  }

  mutating func send(_ value: Value, as kind: Mailbox<Value>.Kind = .droppable) async {
    var areSomeGone = false
    for listener in listeners {
      guard await listener.mailbox?.put(value, as: kind) ?? .over == .over else { continue }
      areSomeGone = true
    }
    if areSomeGone { await removeThoseGone() }
  }

  private mutating func removeThoseGone() async {
    var there: [Listener] = []
    for listener in listeners {
      if await listener.mailbox?.isOver == false { there.append(listener) }
    }
    listeners = there
  }

  mutating func finish() async {
    for listener in listeners { await listener.mailbox?.finish() }
    listeners = []
  }
}
