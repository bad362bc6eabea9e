/// The visits of a subscription: arrivals at places where the device stays, and departures, in order.
public typealias VisitStream = OccurrenceStream<Visit>

/// The changes of the device's motion, in order.
public typealias MotionStream = OccurrenceStream<MotionChange>

/// The accepted fixes with their reasons, in order. At the end of the source, the best held fix still comes.
public typealias AcceptedFixStream = OccurrenceStream<AcceptedFix>

/// Occasional events, in order: visits, changes of motion, accepted fixes.
///
/// Problems and changes of permission are left out. Ends, cancellation and the single consumer are as with
/// ``UpdateStream``.
///
/// - Drops: nothing. The events are few, and all are kept until they are consumed.
public struct OccurrenceStream<Element: Sendable>: AsyncSequence, Sendable {
  private let base: SubscriptionSequence
  private let element: @Sendable (SubscriptionEvent) -> Element?

  /// - Parameter element: returns the element of this kind in an event, if any.
  init(
    _ terms: SubscriptionTerms, of manager: LocationManager,
    element: @escaping @Sendable (SubscriptionEvent) -> Element?
  ) {
    // The policy covers droppable events only, and these events are essential.
    base = SubscriptionSequence(terms, keeping: .newest(1), of: manager) { element($0) != nil }
    self.element = element
  }

  /// Ends the subscription. Buffered events still come before the end. No effect after the end.
  public func end() {
    base.end()
  }

  /// Starts the iteration.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), element: element)
  }

  /// An iterator over the events.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SubscriptionSequence.Iterator
    fileprivate let element: @Sendable (SubscriptionEvent) -> Element?

    /// Returns the next event, or `nil` at the end.
    public mutating func next() async -> Element? {
      while let delivery = await base.next() {
        if let element = element(delivery.content) { return element }
      }
      return nil
    }
  }
}
