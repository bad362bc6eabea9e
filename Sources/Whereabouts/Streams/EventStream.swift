/// The policy for the events that a listener has not consumed yet.
public enum EventBuffering: Hashable, Sendable {
  /// Keeps this many of the newest; older ones are dropped.
  case newest(Int)
  /// Keeps this many of the first; newer ones are dropped until some are consumed.
  case all(upTo: Int)
}

/// The events of a manager, in order, from the creation of the stream.
///
/// Listening asks nothing of the source and does not keep the manager alive.
///
/// - Ends: with the manager; buffered events come first.
/// - Cancellation: cancelling the consuming task ends the iteration with `nil` at once and skips buffered events.
/// - Drops: by the ``EventBuffering`` asked for, counted in ``dropped``.
/// - Single consumer: a second iterator stops the program. Ask the manager for another stream: any number may listen.
public struct EventStream<Value: Sendable & Equatable>: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = Value

  private let base: SingleConsumerSequence<Value>

  /// - Parameter attach: attaches the new mailbox to the sending end.
  init(keeping buffering: EventBuffering, attach: (Mailbox<Value>) -> Void) {
    let mailbox = Mailbox<Value>(policy: buffering.mailboxPolicy())
    base = SingleConsumerSequence(mailbox: mailbox) {}
    attach(mailbox)
  }

  /// The number of events dropped so far because the listener was slow.
  public var dropped: Int {
    get async { await base.mailbox.dropped }
  }

  /// Starts the iteration.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator())
  }

  /// An iterator over the events.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SingleConsumerSequence<Value>.Iterator

    /// The number of events dropped before the last consumed one (after the end: in total), because the listener was
    /// slow.
    public var dropped: Int { base.dropped }

    /// Returns the next event, or `nil` at the end.
    public mutating func next() async -> Value? {
      await base.next()?.content
    }
  }
}

extension EventBuffering {
  fileprivate func mailboxPolicy<Value>() -> Mailbox<Value>.BufferingPolicy {
    switch self {
    case .newest(let count): .newest(max(1, count))
    case .all(let count): .first(max(1, count))
    }
  }
}
