import WhereaboutsEngine

/// The events of one subscription, in order: the common part of a manager's streams.
struct SubscriptionSequence: AsyncSequence, Sendable {
  typealias Element = Mailbox<SubscriptionEvent>.Delivery

  private let id: SubscriptionID
  private let base: SingleConsumerSequence<SubscriptionEvent>
  private let window: Int?
  private let inbox: Inbox

  /// Subscribes.
  ///
  /// - Parameters:
  ///   - manager: the manager, which lives as long as somebody holds the sequence or its iterator.
  ///   - isWanted: whether the stream delivers an event.
  init(
    _ terms: SubscriptionTerms, keeping buffering: FixBuffering, of manager: LocationManager,
    where isWanted: @escaping @Sendable (SubscriptionEvent) -> Bool = { _ in true }
  ) {
    let id = SubscriptionID(ProcessWideNumbers.next())
    let mailbox = Mailbox<SubscriptionEvent>(policy: buffering.mailboxPolicy)
    self.id = id
    inbox = manager.inbox
    window = buffering.window
    base = SingleConsumerSequence(mailbox: mailbox) { [manager] in
      manager.inbox.enqueue(.input(.unsubscribe(id)))
    }
    inbox.enqueue(.subscribe(id, terms, [UpdateChannel(buffering, mailbox: mailbox, isWanted: isWanted)]))
  }

  /// The number of events dropped so far.
  var dropped: Int {
    get async { await base.mailbox.dropped }
  }

  /// The number of problems and changes of permission dropped so far.
  var droppedNotices: Int {
    get async { await base.mailbox.droppedNotices }
  }

  func end() {
    base.end()
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(id: id, base: base.makeAsyncIterator(), window: window, inbox: inbox)
  }

  struct Iterator: AsyncIteratorProtocol {
    private let id: SubscriptionID
    private var base: SingleConsumerSequence<SubscriptionEvent>.Iterator
    private let window: Int?
    private let inbox: Inbox
    private var unreported = 0

    fileprivate init(
      id: SubscriptionID, base: SingleConsumerSequence<SubscriptionEvent>.Iterator, window: Int?, inbox: Inbox
    ) {
      self.id = id
      self.base = base
      self.window = window
      self.inbox = inbox
    }

    /// The number of events dropped before the last consumed one, in total.
    var dropped: Int { base.dropped }

    mutating func next() async -> Mailbox<SubscriptionEvent>.Delivery? {
      guard let delivery = await base.next() else { return nil }
      reportConsumed()
      return delivery
    }

    /// Reports half a window at a time, so that the source is not notified of each event.
    private mutating func reportConsumed() {
      guard let window else { return }
      unreported += 1
      guard unreported >= window.halfRoundedUp else { return }
      inbox.enqueue(.consumed(id, count: unreported))
      unreported = 0
    }
  }
}
