/// The sending end of one subscription, or of a part of it. Belongs to the engine loop.
struct UpdateChannel: Sendable {
  private let mailbox: Mailbox<SubscriptionEvent>
  private let window: Int?
  private let isWanted: @Sendable (SubscriptionEvent) -> Bool
  private let dropsAnything: Bool
  private var outstanding = 0

  /// - Parameters:
  ///   - isWanted: what the subscriber's kind of stream gives on; the rest is not even kept for it.
  ///   - dropsAnything: whether the policy is for all that is wanted, and not only for what comes often.
  init(
    _ buffering: FixBuffering, mailbox: Mailbox<SubscriptionEvent>, dropsAnything: Bool = false,
    isWanted: @escaping @Sendable (SubscriptionEvent) -> Bool
  ) {
    self.mailbox = mailbox
    self.isWanted = isWanted
    self.dropsAnything = dropsAnything
    window = buffering.window
  }

  /// Whether a source should wait for this subscriber.
  var isBehind: Bool { window.map { outstanding >= $0 } ?? false }

  /// Whether a source ever waits for this subscriber.
  var isWaitedFor: Bool { window != nil }

  mutating func tell(_ event: SubscriptionEvent) async {
    guard isWanted(event) else { return }
    if await mailbox.put(event, as: dropsAnything ? .droppable : event.kind) == .kept {
      outstanding += 1
    }
  }

  mutating func taken(_ count: Int) {
    outstanding -= count
  }

  /// Nobody takes anything any more.
  mutating func close() async {
    outstanding = .min / 2
    await mailbox.finish()
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

extension Int {
  /// Half of a window, rounded up: of as many as may be untaken, the source is told of the taken ones so many at a time.
  var half: Int { self / 2 + self % 2 }
}

extension SubscriptionEvent {
  /// What comes often is worth less than what comes after it; of what keeps it from coming the newest matters most.
  /// Everything else is told whatever happens.
  fileprivate var kind: Mailbox<SubscriptionEvent>.Kind {
    switch self {
    case .fix, .heading, .track: .droppable
    case .trouble, .authorization, .headingUnusable: .notice
    case .accepted, .visit, .motion, .trackPoint, .trackPhase, .headingsUnavailable: .essential
    }
  }
}
