/// What a subscriber is told next.
public enum LocationUpdate: Hashable, Sendable {
  /// A fix, and how many updates were dropped since the one before because the subscriber was behind.
  case fix(Fix, droppedBefore: Int)
  /// The source does not deliver; the subscription lives on.
  case trouble(SourceTrouble)
  /// Whether fixes may be had has changed; the subscription lives on.
  case authorization(Authorization)
}

/// Fixes and troubles of one subscription, as they come.
///
/// - Ends: when the source is over (a recording's end) or the manager is gone; what is buffered comes first.
/// - Cancellation: cancelling the consuming task ends the iteration with `nil`. Leaving the loop drops the iterator.
///   Either way the demand goes back.
/// - Drops: by the ``FixBuffering`` asked for; each fix says how many were dropped before it.
/// - Single consumer: iterate it once.
public struct UpdateStream: AsyncSequence, Sendable {
  /// What a subscriber is told.
  public typealias Element = LocationUpdate

  let id: SubscriptionID
  let stream: AsyncStream<UpdateChannel.Numbered>
  let window: Int?
  /// Keeps the manager alive while somebody listens.
  let manager: LocationManager

  /// Begins to take updates.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      subscription: Subscription(id: id, manager: manager), base: stream.makeAsyncIterator(), window: window)
  }

  /// Ends the subscription when the last iterator is gone.
  fileprivate final class Subscription: Sendable {
    let id: SubscriptionID
    let manager: LocationManager

    init(id: SubscriptionID, manager: LocationManager) {
      self.id = id
      self.manager = manager
    }

    deinit { manager.inbox.put(.input(.unsubscribe(id))) }
  }

  /// Takes updates one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscription: Subscription
    fileprivate var base: AsyncStream<UpdateChannel.Numbered>.Iterator
    fileprivate let window: Int?
    private var expected = 0
    /// Dropped since the last fix that was taken.
    private var dropped = 0
    private var unreported = 0

    fileprivate init(
      subscription: Subscription, base: AsyncStream<UpdateChannel.Numbered>.Iterator, window: Int?
    ) {
      self.subscription = subscription
      self.base = base
      self.window = window
    }

    /// The next update, or `nil` at the end.
    public mutating func next() async -> LocationUpdate? {
      while let numbered = await base.next() {
        dropped += numbered.number - expected
        expected = numbered.number + 1
        reportTaken()
        switch numbered.event {
        case .fix(let fix):
          defer { dropped = 0 }
          return .fix(fix, droppedBefore: dropped)
        case .trouble(let trouble): return .trouble(trouble)
        case .authorization(let authorization): return .authorization(authorization)
        case .visit, .heading, .headingUnusable, .headingsUnavailable: continue
        }
      }
      return nil
    }

    /// Half a window at a time, so that the source need not be told of every one.
    private mutating func reportTaken() {
      guard let window else { return }
      unreported += 1
      guard unreported >= (window + 1) / 2 else { return }
      subscription.manager.inbox.put(.taken(subscription.id, count: unreported))
      unreported = 0
    }
  }
}

/// The fixes of one subscription, as they come; troubles are passed over. See ``UpdateStream`` for how it ends.
public struct FixStream: AsyncSequence, Sendable {
  /// A fix.
  public typealias Element = Fix

  let updates: UpdateStream

  /// Begins to take fixes.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: updates.makeAsyncIterator())
  }

  /// Takes fixes one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: UpdateStream.Iterator
    /// How many fixes have been dropped so far because the subscriber was behind.
    public private(set) var dropped = 0

    fileprivate init(base: UpdateStream.Iterator) {
      self.base = base
    }

    /// The next fix, or `nil` at the end.
    public mutating func next() async -> Fix? {
      while let update = await base.next() {
        guard case .fix(let fix, let droppedBefore) = update else { continue }
        dropped += droppedBefore
        return fix
      }
      return nil
    }
  }
}
