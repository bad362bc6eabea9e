/// The queue of all inputs of a manager's engine, in the order of their arrival.
///
/// No entry is ever dropped. A caller who cancels does not wait; a source waits until its entry is processed. The
/// queue therefore stays short.
struct Inbox: Sendable {
  struct Entry: Sendable {
    enum Content: Sendable {
      case input(Input)
      case request(RequestID, RequestTerms, Promise<RequestOutcome>)
      /// Observes the progress of a request.
      case followRequest(RequestID, Promise<RequestOutcome>, AsyncStream<RequestProgress>.Continuation)
      /// Subscribes. An optional first command to a tracker is processed before any other entry. Each channel
      /// receives the updates it wants.
      case subscribe(SubscriptionID, SubscriptionTerms, [UpdateChannel], first: TrackCommand? = nil)
      /// Sends a command to a tracker.
      case commandTracker(SubscriptionID, TrackCommand, Promise<TrackCommandResult>)
      /// Reads a tracker's state; `nil` if the tracker is unknown.
      case trackState(SubscriptionID, Promise<TrackUpdate?>)
      /// Ends a tracker and its trip.
      case endTracker(SubscriptionID)
      /// Releases a tracker that nobody holds any more.
      case releaseTracker(SubscriptionID)
      /// Closes a channel of a subscription, because the channel has no consumer any more.
      case closeChannel(SubscriptionID, channel: Int)
      /// Adds an observer.
      case observe(Observers.Observer)
      /// Reads the status.
      case status(Promise<ServiceStatus>)
      /// Changes the fences.
      case changeFences(FenceCommand, edit: UInt64? = nil, Promise<FenceCommandResult>)
      /// Delivers fence records, from a start on.
      case listenToFences(Mailbox<FenceUpdate>, from: FenceEventDispatcher.Start)
      /// Acknowledges all fence records up to a number, for a consumer.
      case acknowledge(UInt64, by: String, Promise<StoreError?>)
      /// Reads from the engine.
      case inspect(@Sendable (Engine) async -> Void)
      /// Reports the number of updates that a subscriber has consumed.
      case consumed(SubscriptionID, count: Int)
      /// Writes all pending changes, because the process may end.
      case save(Promise<StoreHealth>)
      /// Delivers the store's late answer.
      case storeAnswered(Result<Void, StoreError>)
      /// Advances time only.
      case timeAdvanced
      /// Reads the last fix.
      case lastFix(Promise<Answer?>)
      /// Reads the counts of fixes.
      case fixCounts(Promise<FixCounts>)
    }

    var content: Content
    /// The time of the entry; `nil` continues with the previous moment.
    var moment: Moment?
    /// The continuation to resume after the entry is processed and its effects carried out.
    var completion: CheckedContinuation<EngineStatus, Never>?
  }

  private let continuation: AsyncStream<Entry>.Continuation
  private let clock: ManagerClock

  static func make(clock: ManagerClock) -> (Inbox, AsyncStream<Entry>) {
    let (entries, continuation) = AsyncStream.makeStream(of: Entry.self, bufferingPolicy: .unbounded)
    return (Inbox(continuation: continuation, clock: clock), entries)
  }

  /// Whether the source alone advances time.
  var isDrivenBySource: Bool { if case .drivenBySource = clock.kind { true } else { false } }

  /// Adds an entry, stamped with the moment.
  ///
  /// - Returns: false after the manager's end.
  @discardableResult
  func enqueue(_ content: Entry.Content) -> Bool {
    if case .terminated = continuation.yield(Entry(content: content, moment: clock.stamp())) {
      false
    } else {
      true
    }
  }

  /// Adds an entry and waits until the entry is processed.
  ///
  /// - Parameter moment: the time of the entry, used only if the source drives time.
  /// - Returns: the engine's status, ``EngineStatus/ended`` after the manager's end.
  func submit(_ content: Entry.Content, at moment: Moment?) async -> EngineStatus {
    await withCheckedContinuation { taken in
      let entry = Entry(content: content, moment: clock.stamp() ?? moment, completion: taken)
      if case .terminated = continuation.yield(entry) { taken.resume(returning: .ended) }
    }
  }

  /// Refuses further entries; entries already in the queue are still processed.
  func close() {
    continuation.finish()
  }
}
