/// An update for a subscriber to fixes.
public enum LocationUpdate: Hashable, Sendable {
  /// A fix, and the number of fixes dropped since the previous one because the subscriber was slow.
  case fix(Fix, droppedBefore: Int)
  /// The source does not deliver; the subscription continues.
  case problem(SourceProblem)
  /// The authorization has changed; the subscription continues.
  case authorization(Authorization)
}

/// The fixes of one subscription, and the problems that keep fixes from coming, in order.
///
/// - Ends: when the source is over (a recording's end), when the terms are met, or on ``end()``; buffered updates
///   come first.
/// - Cancellation: cancelling the consuming task ends the iteration with `nil` at once and skips buffered updates.
///   Leaving the loop drops the iterator. In both cases the subscription ends and its demand is removed. Dropping a
///   stream that was never iterated has the same effect.
/// - Drops: fixes, by the ``FixBuffering`` asked for; each fix carries the number dropped before. Of unconsumed
///   problems and changes of permission the newest hundred are kept; ``droppedNotices`` counts the others.
/// - Single consumer: a second iterator stops the program. Ask the manager for another stream.
public struct UpdateStream: AsyncSequence, Sendable {
  /// An update of the subscription.
  public typealias Element = LocationUpdate

  private let base: SubscriptionSequence

  /// - Parameter terms: the terms of a subscription to fixes or to significant changes.
  init(_ terms: SubscriptionTerms, keeping buffering: FixBuffering, of manager: LocationManager) {
    base = SubscriptionSequence(terms, keeping: buffering, of: manager)
  }

  /// The number of fixes dropped so far because the subscriber was slow.
  public var dropped: Int {
    get async { await base.dropped }
  }

  /// The number of problems and changes of permission dropped so far: the oldest beyond a hundred unconsumed ones.
  public var droppedNotices: Int {
    get async { await base.droppedNotices }
  }

  /// Ends the subscription. Buffered updates still come before the end. No effect after the end.
  public func end() {
    base.end()
  }

  /// Starts the iteration.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator())
  }

  /// An iterator over the updates.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SubscriptionSequence.Iterator

    /// Returns the next update, or `nil` at the end.
    public mutating func next() async -> LocationUpdate? {
      while let delivery = await base.next() {
        switch delivery.content {
        case .fix(let fix): return .fix(fix, droppedBefore: delivery.droppedBefore)
        case .trouble(let trouble): return .problem(trouble)
        case .authorization(let authorization): return .authorization(authorization)
        case .accepted, .visit, .motion, .heading, .headingUnusable, .headingsUnavailable, .track,
          .trackPoint,
          .trackPhase:
          continue  // An event of another kind of subscription.
        }
      }
      return nil
    }
  }
}
