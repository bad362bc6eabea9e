/// What a listener keeps of the events it has not taken yet.
public enum EventBuffering: Hashable, Sendable {
  /// The newest so many; older ones are dropped.
  case newest(Int)
  /// The first so many; newer ones are dropped until some are taken.
  case all(upTo: Int)
}

/// Events of a manager, in order, from the moment the stream was asked for.
///
/// Listening asks nothing of the source and does not keep the manager alive.
///
/// - Ends: when the manager is gone; what is buffered comes first.
/// - Cancellation: cancelling the consuming task ends the iteration with `nil` at once, whatever is buffered.
/// - Drops: by the ``EventBuffering`` asked for, counted in ``dropped``.
/// - Single consumer: a second iterator stops the program. Ask the manager for another stream: any number may listen.
public struct EventStream<Value: Sendable & Equatable>: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = Value

  private let base: SingleConsumerSequence<Value>

  /// - Parameter attach: brings the sending end its new mailbox.
  init(keeping buffering: EventBuffering, attach: (Mailbox<Value>) -> Void) {
    let mailbox = Mailbox<Value>(keeping: buffering.keeping())
    base = SingleConsumerSequence(mailbox: mailbox) {}
    attach(mailbox)
  }

  /// How many events were dropped so far because the listener was behind.
  public var dropped: Int {
    get async { await base.mailbox.dropped }
  }

  /// Begins to take events.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator())
  }

  /// Takes events one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SingleConsumerSequence<Value>.Iterator

    /// How many events were dropped before the one taken last (after the end: all in all), because the listener was
    /// behind.
    public var dropped: Int { base.dropped }

    /// The next event, or `nil` at the end.
    public mutating func next() async -> Value? {
      await base.next()?.content
    }
  }
}

extension EventBuffering {
  fileprivate func keeping<Value>() -> Mailbox<Value>.Keeping {
    switch self {
    case .newest(let count): .newest(max(1, count))
    case .all(let count): .first(max(1, count))
    }
  }
}
