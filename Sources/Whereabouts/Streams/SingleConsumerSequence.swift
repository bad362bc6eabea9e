import Atomics

/// The content of one mailbox, for one consumer: the common part of all streams.
struct SingleConsumerSequence<Content: Sendable & Equatable>: AsyncSequence, Sendable {
  typealias Element = Mailbox<Content>.Delivery

  let mailbox: Mailbox<Content>
  private let lease: Lease

  /// - Parameter release: called when no consumer is left, on any thread, possibly more than once.
  init(mailbox: Mailbox<Content>, release: @escaping @Sendable () -> Void) {
    self.mailbox = mailbox
    lease = Lease(release)
  }

  /// Starts the iteration. A second iterator is a programming error and stops the program.
  func makeAsyncIterator() -> Iterator {
    Iterator(claim: Claim(lease), mailbox: mailbox)
  }

  /// Ends the sequence from outside; buffered content can still be consumed.
  func end() {
    lease.release()
  }

  struct Iterator: AsyncIteratorProtocol {
    private let claim: Claim
    private let mailbox: Mailbox<Content>
    private var wakes: AsyncStream<Void>.Iterator
    private var isFinished = false
    /// The number of entries dropped before the last consumed one, in total.
    private(set) var dropped = 0

    fileprivate init(claim: Claim, mailbox: Mailbox<Content>) {
      self.claim = claim
      self.mailbox = mailbox
      wakes = mailbox.wakes.makeAsyncIterator()
    }

    mutating func next() async -> Mailbox<Content>.Delivery? {
      while !isFinished {
        // Check before dequeuing, so that a cancelled consumer receives nothing more.
        if Task.isCancelled { break }
        switch await mailbox.dequeue() {
        case .delivery(let delivery):
          dropped += delivery.droppedBefore
          return delivery
        case .finished(let last):
          dropped += last
          isFinished = true
        case .empty:
          await wakes.next()  // Returns at once in a cancelled task.
        }
      }
      if !isFinished {
        isFinished = true
        claim.end()
        await mailbox.finish()
      }
      return nil
    }
  }
}

/// An object that calls back when nobody holds a reference any more.
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

/// The one consumer's claim. After its release nobody can consume again, even if the stream itself is still held.
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
