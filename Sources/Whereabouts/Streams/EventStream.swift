/// A sequence of fixes, updates or events for one consumer, in order, from the creation of the stream.
///
/// The method that returns the stream documents its elements and its buffer policy.
///
/// - Ends: with the manager or its source, when the terms of the subscription are met, or on ``end()``; buffered
///   elements come first.
/// - Cancellation: cancelling the consuming task ends the iteration with `nil` at once and skips buffered elements.
///   Leaving the loop drops the iterator. In both cases a subscription ends and its demand is removed. Dropping a
///   stream that was never iterated has the same effect.
/// - Drops: by the buffer policy, counted in ``dropped``. Problems and changes of permission are not counted by the
///   policy: the newest hundred unconsumed ones are kept, and ``droppedNotices`` counts the others. Equal notices
///   with only dropped elements in between are sent once.
/// - Single consumer: a second iterator stops the program. Ask the manager for another stream. The streams of a
///   ``Tracker`` differ: they stay open after a loop, and a later loop continues there.
public struct EventStream<Element: Sendable & Equatable>: AsyncSequence, Sendable {
  typealias Delivery = Mailbox<Element>.Delivery

  private let mailbox: Mailbox<Element>
  private let lease: StreamLease
  private let consumption: ConsumptionReport?
  private let element: @Sendable (Delivery) -> Element

  /// - Parameters:
  ///   - owner: a manager, which lives as long as the stream or its iterator is held.
  ///   - release: called when no consumer is left or on ``end()``, on any thread, possibly more than once. The callback
  ///     must finish the mailbox. `nil` if the sending end notices by itself.
  ///   - element: returns the element of a delivery.
  ///   - changeConsumer: called with each change of the consumer, on any thread, if the stream stays open for another
  ///     consumer; `nil` if the stream ends with its consumer.
  init(
    mailbox: Mailbox<Element>, consumption: ConsumptionReport? = nil,
    element: @escaping @Sendable (Delivery) -> Element = \.content,
    owner: LocationManager? = nil, changeConsumer: (@Sendable (ConsumerChange) -> Void)? = nil,
    release: (@Sendable () -> Void)? = nil
  ) {
    self.mailbox = mailbox
    self.consumption = consumption
    self.element = element
    lease = StreamLease(owner: owner, release, changeConsumer: changeConsumer) {
      Task { await mailbox.finish() }
    }
  }

  /// - Parameter attach: attaches the new mailbox to the sending end.
  init(keeping buffering: EventBuffering, attach: (Mailbox<Element>) -> Void) {
    self.init(mailbox: Mailbox(policy: buffering.mailboxPolicy()))
    attach(mailbox)
  }

  /// The number of elements dropped so far because the consumer was slow.
  public var dropped: Int {
    get async { await mailbox.dropped }
  }

  /// The number of problems and changes of permission dropped so far: the oldest beyond a hundred unconsumed ones.
  public var droppedNotices: Int {
    get async { await mailbox.droppedNotices }
  }

  /// Ends the stream and its subscription. Buffered elements are still delivered before the end. No effect after the
  /// end.
  public func end() {
    lease.end()
  }

  /// Starts the iteration.
  public func makeAsyncIterator() -> Iterator {
    Iterator(self, lease.claim())
  }

  /// An iterator over the elements.
  public struct Iterator: AsyncIteratorProtocol {
    private let claim: StreamLease.Claim
    private let mailbox: Mailbox<Element>
    private let consumption: ConsumptionReport?
    private let element: @Sendable (Delivery) -> Element
    private var wakes: AsyncStream<Void>.Iterator
    private var hasWakes: Bool
    private var isFinished = false

    /// The number of elements dropped before the last consumed one (after the end: in total), because the consumer
    /// was slow. Without those dropped before an earlier consumer's last one.
    public private(set) var dropped = 0

    fileprivate init(_ stream: EventStream, _ claim: StreamLease.Claim) {
      self.claim = claim
      mailbox = stream.mailbox
      consumption = stream.consumption
      element = stream.element
      wakes = mailbox.wakes.makeAsyncIterator()
      hasWakes = claim.number == 1
    }

    /// Returns the next element, or `nil` at the end.
    public mutating func next() async -> Element? {
      if !hasWakes { await renewWakes() }
      while !isFinished {
        // Check before dequeuing, so that a cancelled consumer receives nothing more.
        if Task.isCancelled || claim.isOver { break }
        switch await mailbox.dequeue() {
        case .delivery(let delivery):
          dropped += delivery.droppedBefore
          consumption?.count()
          return element(delivery)
        case .finished(let last):
          dropped += last
          isFinished = true
        case .empty:
          await wakes.next()  // Returns at once in a cancelled task.
        }
      }
      if !isFinished {
        isFinished = true
        claim.end()
        if !claim.leavesStreamOpen { await mailbox.finish() }
      }
      return nil
    }

    /// Replaces the wakes of the consumer before, which end with its cancellation.
    private mutating func renewWakes() async {
      hasWakes = true
      // Without new wakes, a still later consumer has taken the stream over.
      if let renewed = await mailbox.renewWakes(for: claim.number) { wakes = renewed.makeAsyncIterator() }
    }
  }
}

/// The policy for the events that a listener has not consumed yet. A number below one counts as one.
public enum EventBuffering: Hashable, Sendable {
  /// Keeps this many of the newest; older ones are dropped.
  case newest(Int)
  /// Keeps this many of the first; newer ones are dropped until some are consumed.
  case all(upTo: Int)
}

extension EventBuffering {
  fileprivate func mailboxPolicy<Value>() -> Mailbox<Value>.BufferingPolicy {
    switch self {
    case .newest(let count): .newest(max(1, count))
    case .all(let count): .first(max(1, count))
    }
  }
}
