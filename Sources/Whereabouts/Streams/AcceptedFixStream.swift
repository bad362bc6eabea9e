/// The fixes worth keeping, in order.
///
/// What keeps fixes from coming is passed over. Ends, cancellation and the single consumer are as with
/// ``UpdateStream``. Where the source is over, the best of those that were held still comes before the end.
///
/// - Drops: nothing. They are few, and all of them are kept until they are taken.
public struct AcceptedFixStream: AsyncSequence, Sendable {
  /// A fix, and why it is kept.
  public typealias Element = AcceptedFix

  private let base: SubscriptionSequence

  init(_ terms: AcceptanceTerms, of manager: LocationManager) {
    // The policy is for what may be dropped, and these may not.
    base = SubscriptionSequence(.accepted(terms), keeping: .newest(1), of: manager) {
      if case .accepted = $0 { true } else { false }
    }
  }

  /// Ends the subscription from outside the loop: what is buffered still comes, and then the end. No effect on one that
  /// has ended.
  public func end() {
    base.end()
  }

  /// Begins to take fixes.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator())
  }

  /// Takes fixes one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SubscriptionSequence.Iterator

    /// The next fix, or `nil` at the end.
    public mutating func next() async -> AcceptedFix? {
      while let delivery = await base.next() {
        if case .accepted(let accepted) = delivery.content { return accepted }
      }
      return nil
    }
  }
}
