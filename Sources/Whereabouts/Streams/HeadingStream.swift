/// What a subscriber to headings is told next.
public enum HeadingUpdate: Hashable, Sendable {
  /// Where the device points, and how many headings were dropped since the one before because the subscriber was
  /// behind.
  case heading(Heading, droppedBefore: Int)
  /// The compass gives readings that are no use, as beside iron; told once, until one is of use again.
  case unusable
  /// There is no compass. Told once; then comes the end.
  case unavailable(SourceTrouble)
  /// The source does not deliver; the subscription lives on.
  case trouble(SourceTrouble)
  /// Whether anything may be had has changed; the subscription lives on.
  case authorization(Authorization)
}

/// Where the device points, and what keeps that from being known, in order.
///
/// Ends, cancellation and the single consumer are as with ``UpdateStream``; it also ends where there is no compass.
///
/// - Drops: headings, by the ``FixBuffering`` asked for; each says how many were dropped before it. What is told
///   twice with only dropped headings between is told once. Of troubles and changes of permission that are not taken the
///   newest hundred are kept; ``droppedNotices`` counts the others.
public struct HeadingStream: AsyncSequence, Sendable {
  /// What a subscriber is told.
  public typealias Element = HeadingUpdate

  private let base: SubscriptionSequence

  init(_ terms: HeadingTerms, keeping buffering: FixBuffering, of manager: LocationManager) {
    base = SubscriptionSequence(.headings(terms), keeping: buffering, of: manager)
  }

  /// How many headings were dropped so far because the subscriber was behind.
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

  /// Begins to take headings.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator())
  }

  /// Takes headings one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SubscriptionSequence.Iterator

    /// What comes next, or `nil` at the end.
    public mutating func next() async -> HeadingUpdate? {
      while let delivery = await base.next() {
        switch delivery.content {
        case .heading(let heading): return .heading(heading, droppedBefore: delivery.droppedBefore)
        case .headingUnusable: return .unusable
        case .headingsUnavailable(let trouble): return .unavailable(trouble)
        case .trouble(let trouble): return .trouble(trouble)
        case .authorization(let authorization): return .authorization(authorization)
        case .fix, .accepted, .visit, .motion, .track, .trackPoint, .trackPhase:
          continue  // Of other subscriptions.
        }
      }
      return nil
    }
  }
}
