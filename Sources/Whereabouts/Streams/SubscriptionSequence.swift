/// What one subscription is told, in order: the common part of the streams that a manager gives.
struct SubscriptionSequence: AsyncSequence, Sendable {
  typealias Element = Mailbox<SubscriptionEvent>.Delivery

  private let id: SubscriptionID
  private let base: SingleConsumerSequence<SubscriptionEvent>
  private let window: Int?
  private let inbox: Inbox

  /// Subscribes.
  ///
  /// - Parameters:
  ///   - manager: lives as long as somebody holds the sequence or its iterator.
  ///   - isWanted: what the stream gives on.
  init(
    _ terms: SubscriptionTerms, keeping buffering: FixBuffering, of manager: LocationManager,
    where isWanted: @escaping @Sendable (SubscriptionEvent) -> Bool = { _ in true }
  ) {
    let id = SubscriptionID(ProcessWideNumbers.next())
    let mailbox = Mailbox<SubscriptionEvent>(keeping: buffering.keeping)
    self.id = id
    inbox = manager.inbox
    window = buffering.window
    base = SingleConsumerSequence(mailbox: mailbox) { [manager] in manager.inbox.put(.input(.unsubscribe(id)))
    }
    inbox.put(.subscribe(id, terms, [UpdateChannel(buffering, mailbox: mailbox, isWanted: isWanted)]))
  }

  /// How many were dropped so far.
  var dropped: Int {
    get async { await base.mailbox.dropped }
  }

  /// How many troubles and changes of permission were dropped so far.
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

    /// How many were dropped before what was taken last, all in all.
    var dropped: Int { base.dropped }

    mutating func next() async -> Mailbox<SubscriptionEvent>.Delivery? {
      guard let delivery = await base.next() else { return nil }
      reportTaken()
      return delivery
    }

    /// Half a window at a time, so that the source need not be told of every one.
    private mutating func reportTaken() {
      guard let window else { return }
      unreported += 1
      guard unreported >= window.half else { return }
      inbox.put(.taken(id, count: unreported))
      unreported = 0
    }
  }
}
