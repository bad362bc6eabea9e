import Atomics

/// What comes into one mailbox, for one consumer. Everything that streams have in common is here.
struct SingleConsumerSequence<Content: Sendable & Equatable>: AsyncSequence, Sendable {
  typealias Element = Mailbox<Content>.Delivery

  let mailbox: Mailbox<Content>
  private let lease: Lease

  /// - Parameter release: called when nobody will take anything any more, on any thread, possibly more than once.
  init(mailbox: Mailbox<Content>, release: @escaping @Sendable () -> Void) {
    self.mailbox = mailbox
    lease = Lease(release)
  }

  /// Begins to take. A second time is a mistake of the program and stops it.
  func makeAsyncIterator() -> Iterator {
    Iterator(claim: Claim(lease), mailbox: mailbox)
  }

  /// Ends it from outside; what is in can still be taken.
  func end() {
    lease.release()
  }

  struct Iterator: AsyncIteratorProtocol {
    private let claim: Claim
    private let mailbox: Mailbox<Content>
    private var wakes: AsyncStream<Void>.Iterator
    private var isOver = false
    /// How many were dropped before what was taken last, all in all.
    private(set) var dropped = 0

    fileprivate init(claim: Claim, mailbox: Mailbox<Content>) {
      self.claim = claim
      self.mailbox = mailbox
      wakes = mailbox.wakes.makeAsyncIterator()
    }

    mutating func next() async -> Mailbox<Content>.Delivery? {
      while !isOver {
        // Before anything is taken, so that a cancelled consumer gets nothing more.
        if Task.isCancelled { break }
        switch await mailbox.take() {
        case .delivery(let delivery):
          dropped += delivery.droppedBefore
          return delivery
        case .over(let last):
          dropped += last
          isOver = true
        case .nothingYet:
          await wakes.next()  // At once where the task is cancelled.
        }
      }
      if !isOver {
        isOver = true
        claim.end()
        await mailbox.finish()
      }
      return nil
    }
  }
}

/// Calls back when nobody holds it any more.
private final class Lease: Sendable {
  let release: @Sendable () -> Void
  private let isClaimed = ManagedAtomic(false)

  init(_ release: @escaping @Sendable () -> Void) {
    self.release = release
  }

  deinit { release() }

  func claim() {
    guard isClaimed.exchange(true, ordering: .relaxed) else { return }
    // Unlike a precondition's, this message is there in release builds too.
    fatalError("a stream of a location manager has one consumer: ask the manager for another stream")
  }
}

/// The one consumer's hold: when it lets go, nobody can ever take again, even where the stream itself is still held.
private final class Claim: Sendable {
  private let lease: Lease

  init(_ lease: Lease) {
    lease.claim()
    self.lease = lease
  }

  deinit { lease.release() }

  func end() {
    lease.release()
  }
}
