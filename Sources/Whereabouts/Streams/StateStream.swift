/// How something stands, for any number of consumers: what holds now, then each change.
///
/// Each iterator begins with what holds when it first asks. A consumer that is behind gets the newest state and none of
/// those before it. Watching asks nothing of the source and does not keep the manager alive.
///
/// - Ends: when the manager is gone.
/// - Cancellation: cancelling the consuming task ends the iteration with `nil` at once.
public struct StateStream<Value: Sendable & Equatable>: AsyncSequence, Sendable {
  /// A state.
  public typealias Element = Value

  private let attach: @Sendable (Mailbox<Value>) -> Bool

  /// - Parameter attach: brings the sending end a new mailbox; false where it is gone.
  init(attach: @escaping @Sendable (Mailbox<Value>) -> Bool) {
    self.attach = attach
  }

  /// Begins to watch.
  public func makeAsyncIterator() -> Iterator {
    let mailbox = Mailbox<Value>(keeping: .newest(1))
    guard attach(mailbox) else { return Iterator(base: nil) }
    return Iterator(base: SingleConsumerSequence(mailbox: mailbox) {}.makeAsyncIterator())
  }

  /// Takes states one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: SingleConsumerSequence<Value>.Iterator?

    /// What holds now, the first time; then what holds after the next change; `nil` at the end.
    public mutating func next() async -> Value? {
      await base?.next()?.content
    }
  }
}
