/// What a subscriber is told next.
public enum LocationUpdate: Hashable, Sendable {
  /// A fix, and how many fixes were dropped since the one before because the subscriber was behind.
  case fix(Fix, droppedBefore: Int)
  /// The source does not deliver; the subscription lives on.
  case trouble(SourceTrouble)
  /// Whether fixes may be had has changed; the subscription lives on.
  case authorization(Authorization)
}

/// Fixes of one subscription and what keeps them from coming, in order.
///
/// - Ends: when the source is over (a recording's end), what was asked for has been told, or somebody calls
///   ``end()``; what is buffered comes first.
/// - Cancellation: cancelling the consuming task ends the iteration with `nil` at once, whatever is buffered. Leaving
///   the loop drops the iterator. Either way, and where the stream is dropped without ever being iterated, the
///   subscription ends and the demand goes back.
/// - Drops: fixes, by the ``FixBuffering`` asked for; each says how many were dropped before it. Of troubles and
///   changes of permission that are not taken the newest hundred are kept; ``droppedNotices`` counts the others.
/// - Single consumer: a second iterator stops the program. Ask the manager for another stream.
public struct UpdateStream: AsyncSequence, Sendable {
  /// What a subscriber is told.
  public typealias Element = LocationUpdate

  private let base: SubscriptionSequence

  /// - Parameter terms: of a subscription to fixes or to significant changes.
  init(_ terms: SubscriptionTerms, keeping buffering: FixBuffering, of manager: LocationManager) {
    base = SubscriptionSequence(terms, keeping: buffering, of: manager)
  }

  /// How many fixes were dropped so far because the subscriber was behind.
  public var dropped: Int {
    get async { await base.dropped }
  }

  /// How many troubles and changes of permission were dropped so far: of more than a hundred that are not taken the oldest.
  public var droppedNotices: Int {
    get async { await base.droppedNotices }
  }

  /// Ends the subscription from outside the loop: what is buffered still comes, and then the end. No effect on one that
  /// has ended.
  public func end() {
    base.end()
  }

  /// Begins to take updates.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator())
  }

  /// Takes updates one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SubscriptionSequence.Iterator

    /// The next update, or `nil` at the end.
    public mutating func next() async -> LocationUpdate? {
      while let delivery = await base.next() {
        switch delivery.content {
        case .fix(let fix): return .fix(fix, droppedBefore: delivery.droppedBefore)
        case .trouble(let trouble): return .trouble(trouble)
        case .authorization(let authorization): return .authorization(authorization)
        case .accepted, .visit, .motion, .heading, .headingUnusable, .headingsUnavailable, .track,
          .trackPoint,
          .trackPhase:
          continue  // Of other subscriptions.
        }
      }
      return nil
    }
  }
}
