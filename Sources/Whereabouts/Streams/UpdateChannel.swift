import WhereaboutsModel

/// The sending end of a subscription's stream. Belongs to the engine loop.
struct UpdateChannel: Sendable {
  /// Enqueues an event; true if the stream keeps one more element then.
  private let enqueue: @Sendable (SubscriptionEvent) async -> Bool
  private let finishMailbox: @Sendable () async -> Void
  private let window: Int?
  private var outstanding = 0
  /// The consumer that a source may wait for; `nil` once it has left. 0 stands for the first, before it begins.
  private var consumer: Int? = 0

  /// - Parameter appliesPolicyToAll: whether the policy covers every element, and not only the frequent ones.
  init<Element: SubscriptionElement>(
    _ buffering: FixBuffering, _ mailbox: Mailbox<Element>, appliesPolicyToAll: Bool = false
  ) {
    enqueue = { event in
      guard let element = Element.element(of: event) else { return false }
      return await mailbox.enqueue(element, as: appliesPolicyToAll ? .droppable : event.kind()) == .accepted
    }
    finishMailbox = { await mailbox.finish() }
    window = buffering.window
  }

  /// Whether a source should wait for this subscriber.
  var isBehind: Bool { consumer != nil && (window.map { outstanding >= $0 } ?? false) }

  /// Whether a source ever waits for this subscriber.
  var blocksSource: Bool { window != nil }

  mutating func send(_ event: SubscriptionEvent) async {
    if await enqueue(event) { outstanding += 1 }
  }

  mutating func markConsumed(_ count: Int) {
    outstanding -= count
  }

  /// Processes a change of the consumer: a source does not wait while there is none.
  mutating func process(_ change: ConsumerChange) {
    switch change {
    // Two consumers may begin at once: the one with the greater number has the stream.
    case .began(let number): consumer = max(number, consumer ?? 0)
    case .left(let number): if consumer == number { consumer = nil }
    }
  }

  /// Closes the channel, because no consumer is left.
  mutating func close() async {
    // Far below every window: a source never waits for this subscriber again, whatever is still sent.
    outstanding = .min / 2
    await finishMailbox()
  }

  /// Finishes the channel; buffered events can still be consumed.
  func finish() async {
    await finishMailbox()
  }
}

extension FixBuffering {
  func mailboxPolicy<Element>() -> Mailbox<Element>.BufferingPolicy {
    switch self {
    case .newest(let count): .newest(max(1, count))
    case .all(let count): .first(max(1, count))
    case .waiting: .unbounded
    }
  }

  /// The number of unconsumed updates at which a source waits.
  var window: Int? {
    if case .waiting(let count) = self { max(1, count) } else { nil }
  }
}

extension SubscriptionEvent {
  /// Returns the kind of mailbox entry for an event. Frequent events are droppable, and of problems the newest matter
  /// most. All other events are essential.
  fileprivate func kind<Element>() -> Mailbox<Element>.Kind {
    switch self {
    case .fix, .heading, .track: .droppable
    case .problem, .authorization, .headingUnusable: .notice
    case .accepted, .visit, .motion, .trackPoint, .trackPhase, .headingsUnavailable: .essential
    }
  }
}
