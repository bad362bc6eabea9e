/// Arrivals at places where the device stays, and departures from them, in order.
///
/// What keeps fixes from coming is passed over. Ends, cancellation and the single consumer are as with
/// ``UpdateStream``.
///
/// - Drops: nothing. Visits are few, and all of them are kept until they are taken.
public struct VisitStream: AsyncSequence, Sendable {
  /// An arrival or a departure.
  public typealias Element = Visit

  private let base: SubscriptionSequence

  init(_ terms: VisitTerms, of manager: LocationManager) {
    // The policy is for what may be dropped, and visits may not.
    base = SubscriptionSequence(.visits(terms), keeping: .newest(1), of: manager) {
      if case .visit = $0 { true } else { false }
    }
  }

  /// Ends the subscription from outside the loop: what is buffered still comes, and then the end. No effect on one that
  /// has ended.
  public func end() {
    base.end()
  }

  /// Begins to take visits.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator())
  }

  /// Takes visits one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SubscriptionSequence.Iterator

    /// The next visit, or `nil` at the end.
    public mutating func next() async -> Visit? {
      while let delivery = await base.next() {
        if case .visit(let visit) = delivery.content { return visit }
      }
      return nil
    }
  }
}
