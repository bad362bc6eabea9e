/// What a subscriber keeps of the updates it has not taken yet.
public enum FixBuffering: Hashable, Sendable {
  /// The newest so many; older ones are dropped. For a map: `.newest(1)`.
  case newest(Int)
  /// The first so many; newer ones are dropped until some are taken. For a log.
  case all(upTo: Int)
  /// All of them, and the *source* waits while so many have not been taken.
  ///
  /// Only for sources that can wait without losing anything, which are recordings.
  case waiting(upTo: Int)
}

/// The sending end of one subscription. Belongs to the engine loop.
struct UpdateChannel: Sendable {
  struct Numbered: Sendable {
    let number: Int
    let event: SubscriptionEvent
  }

  private let continuation: AsyncStream<Numbered>.Continuation
  private let window: Int?
  private var sent = 0
  private var outstanding = 0

  static func make(_ buffering: FixBuffering) -> (UpdateChannel, AsyncStream<Numbered>) {
    let policy: AsyncStream<Numbered>.Continuation.BufferingPolicy
    var window: Int?
    switch buffering {
    case .newest(let count): policy = .bufferingNewest(max(1, count))
    case .all(let count): policy = .bufferingOldest(max(1, count))
    case .waiting(let count):
      policy = .unbounded
      window = max(1, count)
    }
    let (stream, continuation) = AsyncStream.makeStream(of: Numbered.self, bufferingPolicy: policy)
    return (UpdateChannel(continuation: continuation, window: window), stream)
  }

  private init(continuation: AsyncStream<Numbered>.Continuation, window: Int?) {
    self.continuation = continuation
    self.window = window
  }

  /// Whether a source should wait for this subscriber.
  var isBehind: Bool { window.map { outstanding >= $0 } ?? false }

  mutating func tell(_ event: SubscriptionEvent) {
    continuation.yield(Numbered(number: sent, event: event))
    sent += 1
    outstanding += 1
  }

  mutating func taken(_ count: Int) {
    outstanding -= count
  }

  func finish() {
    continuation.finish()
  }

  /// Calls back when nobody can take from the stream any more.
  func onEnd(_ action: @escaping @Sendable () -> Void) {
    continuation.onTermination = { _ in action() }
  }
}
