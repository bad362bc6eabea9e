import Atomics

/// The lease of one consumer on a stream: calls back when no consumer is left, and admits one consumer only.
final class StreamLease: Sendable {
  private let owner: LocationManager?
  private let release: (@Sendable () -> Void)?
  private let finish: @Sendable () -> Void
  private let isClaimed = ManagedAtomic(false)

  /// - Parameters:
  ///   - owner: a manager, which lives as long as the lease.
  ///   - release: called when no consumer is left, on any thread, possibly more than once.
  ///   - finish: called by ``end()`` if there is no `release`.
  init(
    owner: LocationManager? = nil, _ release: (@Sendable () -> Void)?, finish: @escaping @Sendable () -> Void
  ) {
    self.owner = owner
    self.release = release
    self.finish = finish
  }

  deinit { release?() }

  /// Releases the lease before the stream is gone, which may still be held without a consumer.
  func end() { (release ?? finish)() }

  /// Returns the claim of the one consumer. A second claim is a programming error and stops the program.
  func claim() -> Claim {
    if isClaimed.exchange(true, ordering: .relaxed) {
      // Unlike a precondition's, this message is there in release builds too.
      fatalError("a stream of a location manager has one consumer: ask the manager for another stream")
    }
    return Claim(self)
  }

  /// The claim of the one consumer. After its release no further consumer can begin, even if the stream itself is still
  /// held.
  final class Claim: Sendable {
    private let lease: StreamLease

    fileprivate init(_ lease: StreamLease) {
      self.lease = lease
    }

    deinit { lease.end() }

    func end() {
      lease.end()
    }
  }
}
