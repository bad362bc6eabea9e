/// The fixes of one subscription, in order. Problems and changes of permission are left out.
///
/// Ends, cancellation, drops and the single consumer are as with ``UpdateStream``.
public struct FixStream: AsyncSequence, Sendable {
  /// A fix.
  public typealias Element = Fix

  private let base: SubscriptionSequence

  /// - Parameter terms: the terms of a subscription to fixes or to significant changes.
  init(_ terms: SubscriptionTerms, keeping buffering: FixBuffering, of manager: LocationManager) {
    base = SubscriptionSequence(terms, keeping: buffering, of: manager) {
      if case .fix = $0 { true } else { false }
    }
  }

  /// The number of fixes dropped so far because the subscriber was slow.
  public var dropped: Int {
    get async { await base.dropped }
  }

  /// Ends the subscription. Buffered fixes still come before the end. No effect after the end.
  public func end() {
    base.end()
  }

  /// Starts the iteration.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator())
  }

  /// An iterator over the fixes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SubscriptionSequence.Iterator

    /// The number of fixes dropped before the last consumed one (after the end: in total), because the subscriber was
    /// slow.
    public var dropped: Int { base.dropped }

    /// Returns the next fix, or `nil` at the end.
    public mutating func next() async -> Fix? {
      while let delivery = await base.next() {
        if case .fix(let fix) = delivery.content { return fix }
      }
      return nil
    }
  }
}
