/// How things stand with a tracker, each time there is news: at most once in ``TrackTerms/calculationInterval``, at
/// once where the device turns, the signal changes or the tracker does something else.
///
/// - Ends: with the tracker. The last update comes before the end and is never dropped.
/// - Drops: whoever is behind sees the newest only. Each update holds everything, so that nothing is lost by it.
/// - Cancellation: cancelling the consuming task ends the iteration with `nil` at once. The tracker goes on; dropping
///   it and its streams ends it.
/// - Single consumer: a second iterator stops the program.
public struct TrackStream: AsyncSequence, Sendable {
  /// How things stand.
  public typealias Element = TrackUpdate

  private let base: SingleConsumerSequence<SubscriptionEvent>

  init(base: TrackerChannel) {
    self.base = base.sequence
  }

  /// Begins to take updates.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator())
  }

  /// Takes updates one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SingleConsumerSequence<SubscriptionEvent>.Iterator

    /// The next update, or `nil` at the end.
    public mutating func next() async -> TrackUpdate? {
      while let delivery = await base.next() {
        if case .track(let update) = delivery.content { return update }
      }
      return nil
    }
  }
}

/// The points of a way, in order, as they are settled.
///
/// Ends, cancellation and the single consumer are as with ``TrackStream``. Where ``TrackTerms/tellsPoints`` does not
/// ask for them there are none.
///
/// - Drops: nothing. All of them are kept until they are taken, so don't ask for them and leave them.
public struct TrackPointStream: AsyncSequence, Sendable {
  /// A point of a way.
  public typealias Element = TrackPoint

  private let base: SingleConsumerSequence<SubscriptionEvent>
  private let report: @Sendable (Int) -> Void
  private let batch: Int

  init(base: TrackerChannel, hold: TrackerHold, window: Int?) {
    self.base = base.sequence
    // Half a window at a time, so that the source need not be told of every one.
    batch = window.map { Swift.max(1, $0).half } ?? .max
    report = { [id = hold.id, inbox = hold.manager.inbox] in inbox.put(.taken(id, count: $0)) }
  }

  /// Begins to take points.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), report: report, batch: batch)
  }

  /// Takes points one by one.
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

    /// The next point, or `nil` at the end.
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

/// What happens to a tracker.
public enum TrackEvent: Hashable, Sendable {
  /// What it does from now on, and why: said for everything it is told to do, and where it stops by itself.
  case phase(TrackPhase, because: TrackPhaseCause)
  /// The source does not deliver. One that has given up stops the tracker too.
  case trouble(SourceTrouble)
  /// Whether fixes may be had has changed. A refusal stops the tracker too.
  case authorization(Authorization)
}

/// What happens to a tracker, in order: what it does and why, and what keeps fixes from coming.
///
/// Ends, cancellation and the single consumer are as with ``TrackStream``.
///
/// - Drops: all but the newest hundred.
public struct TrackEventStream: AsyncSequence, Sendable {
  /// What happens to a tracker.
  public typealias Element = TrackEvent

  private let base: SingleConsumerSequence<SubscriptionEvent>

  init(base: TrackerChannel) {
    self.base = base.sequence
  }

  /// Begins to take events.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator())
  }

  /// Takes events one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SingleConsumerSequence<SubscriptionEvent>.Iterator

    /// What happens next, or `nil` at the end.
    public mutating func next() async -> TrackEvent? {
      while let delivery = await base.next() {
        switch delivery.content {
        case .trackPhase(let phase, let cause): return .phase(phase, because: cause)
        case .trouble(let trouble): return .trouble(trouble)
        case .authorization(let authorization): return .authorization(authorization)
        default: continue
        }
      }
      return nil
    }
  }
}
