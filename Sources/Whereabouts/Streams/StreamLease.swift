import Atomics

/// The lease of the consumers of a stream: calls back when no consumer is left, and admits one consumer only, or one
/// after another.
final class StreamLease: Sendable {
  private let owner: LocationManager?
  private let release: (@Sendable () -> Void)?
  private let finish: @Sendable () -> Void
  private let changeConsumer: (@Sendable (ConsumerChange) -> Void)?
  /// The number of the newest consumer; 0 before the first.
  private let newest = ManagedAtomic(0)

  /// - Parameters:
  ///   - owner: a manager, which lives as long as the lease.
  ///   - release: called when no consumer is left, on any thread, possibly more than once.
  ///   - changeConsumer: called with each change of the consumer, on any thread; `nil` admits one consumer only.
  ///   - finish: called by ``end()`` if there is no `release`.
  init(
    owner: LocationManager? = nil, _ release: (@Sendable () -> Void)?,
    changeConsumer: (@Sendable (ConsumerChange) -> Void)? = nil, finish: @escaping @Sendable () -> Void
  ) {
    self.owner = owner
    self.release = release
    self.changeConsumer = changeConsumer
    self.finish = finish
  }

  deinit { release?() }

  /// Releases the lease before the stream is gone, which may still be held without a consumer.
  func end() { (release ?? finish)() }

  /// Returns the claim of a new consumer, which takes the stream over from an earlier one. A second claim of a stream
  /// that admits one consumer only is a programming error and stops the program.
  func claim() -> Claim {
    let number = newest.wrappingIncrementThenLoad(ordering: .acquiringAndReleasing)
    if number > 1, changeConsumer == nil {
      // Unlike a precondition's, this message is there in release builds too.
      fatalError("a stream of a location manager has one consumer: ask the manager for another stream")
    }
    changeConsumer?(.began(number))
    return Claim(self, number)
  }

  /// The claim of a consumer. If the stream admits one consumer only, none can begin after the release, even if the
  /// stream itself is still held.
  final class Claim: Sendable {
    /// The number of the consumer, from 1.
    let number: Int
    private let lease: StreamLease
    private let hasEnded = ManagedAtomic(false)

    fileprivate init(_ lease: StreamLease, _ number: Int) {
      self.lease = lease
      self.number = number
    }

    deinit { end() }

    /// Whether the claim has ended, or a later consumer has taken the stream over.
    var isOver: Bool {
      hasEnded.load(ordering: .acquiring) || lease.newest.load(ordering: .acquiring) != number
    }

    /// Whether the stream is left open for another consumer.
    var leavesStreamOpen: Bool { lease.changeConsumer != nil }

    func end() {
      guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
      if let changeConsumer = lease.changeConsumer { changeConsumer(.left(number)) } else { lease.end() }
    }
  }
}

/// A change of the consumer of a stream that admits one consumer after another. Consumers have numbers, from 1.
enum ConsumerChange: Sendable {
  case began(Int)
  case left(Int)
}
