/// A state for any number of consumers: the current value, then each change.
///
/// Each iterator begins with the value at its first request. A slow consumer receives the newest state only. Watching
/// makes no demand on the source and does not keep the manager alive.
///
/// - Ends: with the manager.
/// - Cancellation: cancelling the consuming task ends the iteration with `nil` at once.
public struct StateStream<Element: Sendable & Equatable>: AsyncSequence, Sendable {
  private let attach: @Sendable (Mailbox<Element>) -> Bool

  /// - Parameter attach: attaches a new mailbox to the sending end; false after the manager's end.
  init(attach: @escaping @Sendable (Mailbox<Element>) -> Bool) {
    self.attach = attach
  }

  /// Starts the iteration.
  public func makeAsyncIterator() -> Iterator {
    let mailbox = Mailbox<Element>(policy: .newest(1))
    guard attach(mailbox) else { return Iterator(base: nil) }
    return Iterator(base: EventStream(mailbox: mailbox).makeAsyncIterator())
  }

  /// An iterator over the states.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: EventStream<Element>.Iterator?

    /// Returns the current state at first, then the state after each change; `nil` at the end.
    public mutating func next() async -> Element? {
      await base?.next()
    }
  }
}
