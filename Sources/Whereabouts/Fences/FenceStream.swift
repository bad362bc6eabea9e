public import WhereaboutsModel

/// The events of fences, in order: first the remembered ones, then each new one.
///
/// Listening asks nothing of the source, which the fences demand by themselves. Listening keeps the manager alive.
///
/// - Ends: when the source is over (a recording's end); buffered events come first.
/// - Cancellation: cancelling the consuming task ends the iteration with `nil` at once and skips buffered events.
/// - Drops: nothing. Events are few, and all are kept until they are consumed.
/// - After a kill: ask for the events after the last processed one. An event may be reported again with its id.
/// - Single consumer: a second iterator stops the program. Ask for another stream: any number may listen, and each
///   receives every event.
public struct FenceEventStream: AsyncSequence, Sendable {
  /// An event of a fence. An event revised by a late fix comes again with its id.
  public typealias Element = FenceEvent

  let base: FenceUpdateStream

  /// Starts the iteration.
  public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

  /// An iterator over the events.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: FenceUpdateStream.Iterator

    /// Returns the next event, or `nil` at the end.
    public mutating func next() async -> FenceEvent? {
      while let update = await base.next() {
        if let event = update.event { return event }
      }
      return nil
    }
  }
}

/// The events, revisions and removals of fences, and problems, in order; see ``FenceEventStream``.
public struct FenceUpdateStream: AsyncSequence, Sendable {
  /// An update of fences.
  public typealias Element = FenceUpdate

  private let base: FenceDeliveryStream

  init(after id: FenceEvent.ID?, of manager: LocationManager) {
    base = FenceDeliveryStream(of: manager) { .listenToFences($0, after: id) }
  }

  /// Starts the iteration.
  public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

  /// An iterator over the updates.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: FenceDeliveryStream.Iterator

    /// Returns the next update, or `nil` at the end.
    public mutating func next() async -> FenceUpdate? { await base.next()?.update }
  }
}
