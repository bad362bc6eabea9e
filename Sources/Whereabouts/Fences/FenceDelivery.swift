/// What is told of fences, with its place in all that is.
public struct FenceDelivery: Hashable, Sendable {
  /// The number of the note, which grows by one from note to note; `nil` for what is no note and not kept: trouble and
  /// permission.
  public var number: UInt64?
  /// What is told.
  public var update: FenceUpdate

  init(number: UInt64?, update: FenceUpdate) {
    self.number = number
    self.update = update
  }

  /// What a note tells; `nil` where it is only a decision.
  init?(_ note: NumberedNote) {
    guard let update = FenceUpdate(note.note) else { return nil }
    self.init(number: note.number, update: update)
  }
}

/// What is told of fences to one consumer, in order: first what it has not acknowledged, from whatever process, then
/// each as it happens.
///
/// - Delivery: at least once. What was taken and not acknowledged (``Fences/acknowledge(through:by:)``) before the
///   process ended is delivered again by the next, under the same number.
/// - Ends, cancellation, drops and the single consumer are as with ``FenceEventStream``.
public struct FenceDeliveryStream: AsyncSequence, Sendable {
  /// What is told, with its number.
  public typealias Element = FenceDelivery

  private let base: SingleConsumerSequence<FenceDelivery>

  init(of manager: LocationManager, attach: (Mailbox<FenceDelivery>) -> Inbox.Entry.Content) {
    let mailbox = Mailbox<FenceDelivery>(keeping: .everything)
    // Whoever listens holds the manager.
    base = SingleConsumerSequence(mailbox: mailbox) { withExtendedLifetime(manager) {} }
    manager.inbox.put(attach(mailbox))
  }

  /// Begins to take deliveries.
  public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

  /// Takes deliveries one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SingleConsumerSequence<FenceDelivery>.Iterator

    /// The next delivery, or `nil` at the end.
    public mutating func next() async -> FenceDelivery? { await base.next()?.content }
  }
}
