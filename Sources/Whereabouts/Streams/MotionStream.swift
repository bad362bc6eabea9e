/// How the device moves: each change, in order.
///
/// What keeps fixes from coming is passed over. Ends, cancellation and the single consumer are as with
/// ``UpdateStream``.
///
/// - Drops: nothing. Changes are few, and all of them are kept until they are taken.
public struct MotionStream: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = MotionChange

  private let base: SubscriptionSequence

  init(of manager: LocationManager) {
    // The policy is for what may be dropped, and changes may not.
    base = SubscriptionSequence(.motions, keeping: .newest(1), of: manager) {
      if case .motion = $0 { true } else { false }
    }
  }

  /// Ends the subscription from outside the loop: what is buffered still comes, and then the end. No effect on one that
  /// has ended.
  public func end() {
    base.end()
  }

  /// Begins to take changes.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator())
  }

  /// Takes changes one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SubscriptionSequence.Iterator

    /// The next change, or `nil` at the end.
    public mutating func next() async -> MotionChange? {
      while let delivery = await base.next() {
        if case .motion(let change) = delivery.content { return change }
      }
      return nil
    }
  }
}
