/// Arrivals at places where the device stays, and departures from them, in order.
public typealias VisitStream = OccurrenceStream<Visit>

/// How the device moves: each change, in order.
public typealias MotionStream = OccurrenceStream<MotionChange>

/// The fixes worth keeping, in order, and why each is kept. Where the source is over, the best of those that were held
/// still comes before the end.
public typealias AcceptedFixStream = OccurrenceStream<AcceptedFix>

/// What happens now and then, in order: visits, changes of motion, fixes worth keeping.
///
/// What keeps fixes from coming is passed over. Ends, cancellation and the single consumer are as with
/// ``UpdateStream``.
///
/// - Drops: nothing. They are few, and all of them are kept until they are taken.
public struct OccurrenceStream<Element: Sendable>: AsyncSequence, Sendable {
  private let base: SubscriptionSequence
  private let element: @Sendable (SubscriptionEvent) -> Element?

  /// - Parameter element: what an event holds of this kind, if it does.
  init(
    _ terms: SubscriptionTerms, of manager: LocationManager,
    element: @escaping @Sendable (SubscriptionEvent) -> Element?
  ) {
    // The policy is for what may be dropped, and these may not.
    base = SubscriptionSequence(terms, keeping: .newest(1), of: manager) { element($0) != nil }
    self.element = element
  }

  /// Ends the subscription from outside the loop: what is buffered still comes, and then the end. No effect on one that
  /// has ended.
  public func end() {
    base.end()
  }

  /// Begins to take them.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), element: element)
  }

  /// Takes them one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SubscriptionSequence.Iterator
    fileprivate let element: @Sendable (SubscriptionEvent) -> Element?

    /// The next, or `nil` at the end.
    public mutating func next() async -> Element? {
      while let delivery = await base.next() {
        if let element = element(delivery.content) { return element }
      }
      return nil
    }
  }
}
