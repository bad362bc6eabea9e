/// The sending end of ``EventStream``s: every listener receives each value. Belongs to the engine loop.
///
/// The mailboxes of listeners are held weakly: only a consumer keeps its mailbox alive.
struct EventBroadcast<Value: Sendable & Equatable>: Sendable {
  private struct Listener: Sendable {
    weak var mailbox: Mailbox<Value>?
  }

  private var listeners: [Listener] = []

  /// Whether no listener is left. May be false for a moment after the last listener has gone.
  var hasNoListeners: Bool { listeners.isEmpty }

  /// Attaches a listener, which receives the values from now on.
  mutating func attach(_ mailbox: Mailbox<Value>) {
    listeners.removeAll { $0.mailbox == nil }
    listeners.append(Listener(mailbox: mailbox))
  }

  /// Sends a value to every listener.
  mutating func send(_ value: Value, as kind: Mailbox<Value>.Kind = .droppable) async {
    var areSomeGone = false
    for listener in listeners {
      guard await listener.mailbox?.enqueue(value, as: kind) ?? .finished == .finished else { continue }
      areSomeGone = true
    }
    if areSomeGone { await removeClosed() }
  }

  private mutating func removeClosed() async {
    var there: [Listener] = []
    for listener in listeners {
      if await listener.mailbox?.isFinished == false { there.append(listener) }
    }
    listeners = there
  }

  /// Ends every stream; buffered values can still be consumed.
  mutating func finish() async {
    for listener in listeners { await listener.mailbox?.finish() }
    listeners = []
  }
}

/// The sending end of ``StateStream``s: every listener receives the current value and each change. Belongs to the
/// engine loop.
struct StateBroadcast<Value: Sendable & Equatable>: Sendable {
  /// The current value.
  private(set) var value: Value
  private var changes = EventBroadcast<Value>()

  init(_ value: Value) {
    self.value = value
  }

  /// Attaches a listener, which receives the current value and then each change.
  mutating func attach(_ mailbox: Mailbox<Value>) async {
    changes.attach(mailbox)
    await mailbox.enqueue(value, as: .droppable)
  }

  /// Sends a new value to every listener; no effect if the value is unchanged.
  mutating func send(_ value: Value) async {
    guard value != self.value else { return }
    self.value = value
    await changes.send(value)
  }

  /// Ends every stream; buffered values can still be consumed.
  mutating func finish() async {
    await changes.finish()
  }
}
