/// The sending end of one subscription. Belongs to the engine loop.
struct UpdateChannel: Sendable {
  private let mailbox: Mailbox<SubscriptionEvent>
  private let window: Int?
  private let isWanted: @Sendable (SubscriptionEvent) -> Bool
  private var outstanding = 0

  /// - Parameter isWanted: what the subscriber's kind of stream gives on; the rest is not even kept for it.
  init(
    _ buffering: FixBuffering, mailbox: Mailbox<SubscriptionEvent>,
    isWanted: @escaping @Sendable (SubscriptionEvent) -> Bool
  ) {
    self.mailbox = mailbox
    self.isWanted = isWanted
    window = buffering.window
  }

  /// Whether a source should wait for this subscriber.
  var isBehind: Bool { window.map { outstanding >= $0 } ?? false }

  mutating func tell(_ event: SubscriptionEvent) async {
    guard isWanted(event) else { return }
    if await mailbox.put(event, mayBeDropped: event.mayBeDropped) == .kept { outstanding += 1 }
  }

  mutating func taken(_ count: Int) {
    outstanding -= count
  }

  /// Nothing more will come; what is there can still be taken.
  func finish() async {
    await mailbox.finish()
  }
}

extension FixBuffering {
  var keeping: Mailbox<SubscriptionEvent>.Keeping {
    switch self {
    case .newest(let count): .newest(max(1, count))
    case .all(let count): .first(max(1, count))
    case .waiting: .everything
    }
  }

  /// How many a subscriber may be behind before a source waits for it.
  var window: Int? {
    if case .waiting(let count) = self { max(1, count) } else { nil }
  }
}

extension SubscriptionEvent {
  /// What comes often and is worth less than what comes after it. Everything else is told whatever happens.
  fileprivate var mayBeDropped: Bool {
    switch self {
    case .fix, .heading, .track: true
    case .visit, .motion, .trackPoint, .trackPhase, .headingUnusable, .headingsUnavailable, .trouble,
      .authorization:
      false
    }
  }
}
