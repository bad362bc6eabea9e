/// The sending end of a subscription's stream. Belongs to the engine loop.
struct UpdateChannel: Sendable {
  private let mailbox: Mailbox<SubscriptionEvent>
  private let window: Int?
  private let isWanted: @Sendable (SubscriptionEvent) -> Bool
  private let appliesPolicyToAll: Bool
  private var outstanding = 0

  /// - Parameters:
  ///   - isWanted: whether the subscriber's kind of stream delivers an event; other events are not kept.
  ///   - appliesPolicyToAll: whether the policy covers every wanted event, and not only the frequent ones.
  init(
    _ buffering: FixBuffering, mailbox: Mailbox<SubscriptionEvent>, appliesPolicyToAll: Bool = false,
    isWanted: @escaping @Sendable (SubscriptionEvent) -> Bool
  ) {
    self.mailbox = mailbox
    self.isWanted = isWanted
    self.appliesPolicyToAll = appliesPolicyToAll
    window = buffering.window
  }

  /// Whether a source should wait for this subscriber.
  var isBehind: Bool { window.map { outstanding >= $0 } ?? false }

  /// Whether a source ever waits for this subscriber.
  var blocksSource: Bool { window != nil }

  mutating func send(_ event: SubscriptionEvent) async {
    guard isWanted(event) else { return }
    if await mailbox.enqueue(event, as: appliesPolicyToAll ? .droppable : event.kind) == .accepted {
      outstanding += 1
    }
  }

  mutating func markConsumed(_ count: Int) {
    outstanding -= count
  }

  /// Closes the channel, because no consumer is left.
  mutating func close() async {
    outstanding = .min / 2
    await mailbox.finish()
  }

  /// Finishes the channel; buffered events can still be consumed.
  func finish() async {
    await mailbox.finish()
  }
}

extension FixBuffering {
  var mailboxPolicy: Mailbox<SubscriptionEvent>.BufferingPolicy {
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

extension Int {
  /// Half of a window, rounded up: the number of consumed updates that are reported to the source at once.
  var halfRoundedUp: Int { self / 2 + self % 2 }
}

extension SubscriptionEvent {
  /// The kind of mailbox entry for an event. Frequent events are droppable, and of problems the newest matter most.
  /// All other events are essential.
  fileprivate var kind: Mailbox<SubscriptionEvent>.Kind {
    switch self {
    case .fix, .heading, .track: .droppable
    case .trouble, .authorization, .headingUnusable: .notice
    case .accepted, .visit, .motion, .trackPoint, .trackPhase, .headingsUnavailable: .essential
    }
  }
}
