/// The fixes of one subscription, in order; what keeps them from coming is passed over.
///
/// Ends, cancellation, drops and the single consumer are as with ``UpdateStream``.
public struct FixStream: AsyncSequence, Sendable {
  /// A fix.
  public typealias Element = Fix

  private let base: SubscriptionSequence

  /// - Parameter terms: of a subscription to fixes or to significant changes.
  init(_ terms: SubscriptionTerms, keeping buffering: FixBuffering, of manager: LocationManager) {
    base = SubscriptionSequence(terms, keeping: buffering, of: manager) {
      if case .fix = $0 { true } else { false }
    }
  }

  /// How many fixes were dropped so far because the subscriber was behind.
  public var dropped: Int {
    get async { await base.dropped }
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

    /// How many fixes were dropped before the one taken last (after the end: all in all), because the subscriber was
    /// behind.
    public var dropped: Int { base.dropped }

    /// The next fix, or `nil` at the end.
    public mutating func next() async -> Fix? {
      while let delivery = await base.next() {
        if case .fix(let fix) = delivery.content { return fix }
      }
      return nil
    }
  }
}
