/// The state of a tracker after each change.
///
/// An update comes at most once in ``TrackTerms/calculationInterval``. A turn, a change of signal and a change of
/// phase send an update at once.
///
/// - Ends: with the tracker. The last update comes before the end and is never dropped.
/// - Drops: a slow consumer receives the newest update only. Each update holds the whole state.
/// - Cancellation: cancelling the consuming task ends the iteration with `nil` at once. The tracker continues until
///   the tracker and its streams are released.
/// - Single consumer: a second iterator stops the program.
public struct TrackStream: AsyncSequence, Sendable {
  /// The state of a tracker.
  public typealias Element = TrackUpdate

  private let base: SingleConsumerSequence<SubscriptionEvent>

  init(base: TrackerChannel) {
    self.base = base.sequence
  }

  /// Starts the iteration.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator())
  }

  /// An iterator over the updates.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SingleConsumerSequence<SubscriptionEvent>.Iterator

    /// Returns the next update, or `nil` at the end.
    public mutating func next() async -> TrackUpdate? {
      while let delivery = await base.next() {
        if case .track(let update) = delivery.content { return update }
      }
      return nil
    }
  }
}

/// The settled points of a track, in order.
///
/// Ends, cancellation and the single consumer are as with ``TrackStream``. Without ``TrackTerms/tellsPoints`` the
/// stream is empty.
///
/// - Drops: nothing. Every point is kept until it is consumed, so don't request points without consuming them.
public struct TrackPointStream: AsyncSequence, Sendable {
  /// A point of a track.
  public typealias Element = TrackPoint

  private let base: SingleConsumerSequence<SubscriptionEvent>
  private let report: @Sendable (Int) -> Void
  private let batch: Int

  init(base: TrackerChannel, handle: TrackerHandle, window: Int?) {
    self.base = base.sequence
    // Report half a window at a time, so that the source is not notified of each point.
    batch = window.map { Swift.max(1, $0).halfRoundedUp } ?? .max
    report = { [id = handle.id, inbox = handle.manager.inbox] in inbox.enqueue(.consumed(id, count: $0)) }
  }

  /// Starts the iteration.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), report: report, batch: batch)
  }

  /// An iterator over the points.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SingleConsumerSequence<SubscriptionEvent>.Iterator
    fileprivate let report: @Sendable (Int) -> Void
    fileprivate let batch: Int
    private var unreported = 0

    fileprivate init(
      base: SingleConsumerSequence<SubscriptionEvent>.Iterator, report: @escaping @Sendable (Int) -> Void,
      batch: Int
    ) {
      self.base = base
      self.report = report
      self.batch = batch
    }

    /// Returns the next point, or `nil` at the end.
    public mutating func next() async -> TrackPoint? {
      while let delivery = await base.next() {
        unreported += 1
        if unreported >= batch {
          report(unreported)
          unreported = 0
        }
        if case .trackPoint(let point) = delivery.content { return point }
      }
      return nil
    }
  }
}

/// An event of a tracker.
public enum TrackEvent: Hashable, Sendable {
  /// A new phase and its cause: after each command, and when the tracker stops by itself.
  case phase(TrackPhase, because: TrackPhaseCause)
  /// The source does not deliver. A source that has given up also stops the tracker.
  case problem(SourceProblem)
  /// The authorization has changed. A refusal also stops the tracker.
  case authorization(Authorization)
}

/// The events of a tracker, in order: phases with their causes, and problems that keep fixes from coming.
///
/// Ends, cancellation and the single consumer are as with ``TrackStream``.
///
/// - Drops: all but the newest hundred.
public struct TrackEventStream: AsyncSequence, Sendable {
  /// An event of a tracker.
  public typealias Element = TrackEvent

  private let base: SingleConsumerSequence<SubscriptionEvent>

  init(base: TrackerChannel) {
    self.base = base.sequence
  }

  /// Starts the iteration.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator())
  }

  /// An iterator over the events.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SingleConsumerSequence<SubscriptionEvent>.Iterator

    /// Returns the next event, or `nil` at the end.
    public mutating func next() async -> TrackEvent? {
      while let delivery = await base.next() {
        switch delivery.content {
        case .trackPhase(let phase, let cause): return .phase(phase, because: cause)
        case .trouble(let trouble): return .problem(trouble)
        case .authorization(let authorization): return .authorization(authorization)
        default: continue
        }
      }
      return nil
    }
  }
}
