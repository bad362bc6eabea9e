public import WhereaboutsCore

/// Events of fences, in order: first those that are remembered, then each as it happens.
///
/// Listening asks nothing of the source, which the fences do by themselves, and keeps the manager alive.
///
/// - Ends: when the source is over (a recording's end); what is buffered comes first.
/// - Cancellation: cancelling the consuming task ends the iteration with `nil` at once, whatever is buffered.
/// - Drops: nothing. Events are few, and all of them are kept until they are taken.
/// - After a kill: ask for those after the last that you have dealt with. An event may be told again then, with its id.
/// - Single consumer: a second iterator stops the program. Ask for another stream: any number may listen, and each gets
///   everything.
public struct FenceEventStream: AsyncSequence, Sendable {
  /// Something that happened at a fence. One that a late fix changed comes again, with its id.
  public typealias Element = FenceEvent

  let base: FenceUpdateStream

  /// Begins to take events.
  public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

  /// Takes events one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: FenceUpdateStream.Iterator

    /// The next event, or `nil` at the end.
    public mutating func next() async -> FenceEvent? {
      while let update = await base.next() {
        if let event = update.event { return event }
      }
      return nil
    }
  }
}

/// Events of fences and everything else that is told of them, in order; see ``FenceEventStream``.
public struct FenceUpdateStream: AsyncSequence, Sendable {
  /// What is told.
  public typealias Element = FenceUpdate

  private let base: FenceDeliveryStream

  init(after id: FenceEvent.ID?, of manager: LocationManager) {
    base = FenceDeliveryStream(of: manager) { .listenToFences($0, after: id) }
  }

  /// Begins to take updates.
  public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

  /// Takes updates one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: FenceDeliveryStream.Iterator

    /// The next update, or `nil` at the end.
    public mutating func next() async -> FenceUpdate? { await base.next()?.update }
  }
}
