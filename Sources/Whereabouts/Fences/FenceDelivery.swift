/// A fence update with its number in the delivery order.
public struct FenceDelivery: Hashable, Sendable {
  /// The number of the fence record, increasing by one; `nil` for problems and changes of permission, which are not
  /// stored.
  public var number: UInt64?
  /// The update.
  public var update: FenceUpdate

  init(number: UInt64?, update: FenceUpdate) {
    self.number = number
    self.update = update
  }

  /// Creates a delivery from a record; `nil` if the record is only a decision.
  init?(_ note: NumberedFenceRecord) {
    guard let update = FenceUpdate(note.record) else { return nil }
    self.init(number: note.number, update: update)
  }
}

/// The fence updates of one consumer, in order: first the unacknowledged ones of any process, then each new one.
///
/// - Delivery: at least once. The next process delivers an unacknowledged update again, under the same number; see
///   ``Fences/acknowledge(through:by:)``.
/// - Ends, cancellation, drops and the single consumer are as with ``FenceEventStream``.
public struct FenceDeliveryStream: AsyncSequence, Sendable {
  /// A fence update with its number.
  public typealias Element = FenceDelivery

  private let base: SingleConsumerSequence<FenceDelivery>

  init(of manager: LocationManager, attach: (Mailbox<FenceDelivery>) -> Inbox.Entry.Content) {
    let mailbox = Mailbox<FenceDelivery>(policy: .unbounded)
    // The stream keeps the manager alive.
    base = SingleConsumerSequence(mailbox: mailbox) { withExtendedLifetime(manager) {} }
    manager.inbox.enqueue(attach(mailbox))
  }

  /// Starts the iteration.
  public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

  /// An iterator over the deliveries.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SingleConsumerSequence<FenceDelivery>.Iterator

    /// Returns the next delivery, or `nil` at the end.
    public mutating func next() async -> FenceDelivery? { await base.next()?.content }
  }
}
