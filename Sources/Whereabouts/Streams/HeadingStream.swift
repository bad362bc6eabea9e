/// An update for a subscriber to headings.
public enum HeadingUpdate: Hashable, Sendable {
  /// A heading, and the number of headings dropped since the previous one because the subscriber was slow.
  case heading(Heading, droppedBefore: Int)
  /// The compass gives unusable readings, as beside iron. Sent once, until a reading is usable again.
  case unusable
  /// The device has no compass. Sent once, before the end.
  case unavailable(SourceProblem)
  /// The source does not deliver; the subscription continues.
  case problem(SourceProblem)
  /// The authorization has changed; the subscription continues.
  case authorization(Authorization)
}

/// The headings of one subscription, and the problems that keep headings from coming, in order.
///
/// Ends, cancellation and the single consumer are as with ``UpdateStream``; without a compass the stream also ends.
///
/// - Drops: headings, by the ``FixBuffering`` asked for; each heading carries the number dropped before. Equal
///   notices with only dropped headings in between are sent once. Of unconsumed problems and changes of permission
///   the newest hundred are kept; ``droppedNotices`` counts the others.
public struct HeadingStream: AsyncSequence, Sendable {
  /// An update of the subscription.
  public typealias Element = HeadingUpdate

  private let base: SubscriptionSequence

  init(_ terms: HeadingTerms, keeping buffering: FixBuffering, of manager: LocationManager) {
    base = SubscriptionSequence(.headings(terms), keeping: buffering, of: manager)
  }

  /// The number of headings dropped so far because the subscriber was slow.
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
    public mutating func next() async -> HeadingUpdate? {
      while let delivery = await base.next() {
        switch delivery.content {
        case .heading(let heading): return .heading(heading, droppedBefore: delivery.droppedBefore)
        case .headingUnusable: return .unusable
        case .headingsUnavailable(let trouble): return .unavailable(trouble)
        case .trouble(let trouble): return .problem(trouble)
        case .authorization(let authorization): return .authorization(authorization)
        case .fix, .accepted, .visit, .motion, .track, .trackPoint, .trackPhase:
          continue  // An event of another kind of subscription.
        }
      }
      return nil
    }
  }
}
