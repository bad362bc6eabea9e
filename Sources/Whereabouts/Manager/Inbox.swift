/// The one way into a manager's engine: everything waits here in the order it happened.
///
/// Nothing that is put in is ever dropped. Its senders either don't wait (a caller who cancels) or wait until theirs
/// has been taken (a source), so it stays short.
struct Inbox: Sendable {
  struct Entry: Sendable {
    enum Content: Sendable {
      case input(Input)
      case request(RequestID, RequestTerms, Promise<RequestOutcome>)
      /// Somebody wants to see how a request gets on.
      case follow(RequestID, Promise<RequestOutcome>, AsyncStream<RequestProgress>.Continuation)
      /// Somebody subscribes, and may tell a tracker what to do before anything else happens; what is told goes into
      /// each of the channels that wants it.
      case subscribe(SubscriptionID, SubscriptionTerms, [UpdateChannel], first: TrackCommand? = nil)
      /// Somebody tells a tracker what to do.
      case steer(SubscriptionID, TrackCommand, Promise<TrackAnswer>)
      /// Somebody wants to see how things stand with a tracker; `nil` once nobody knows it any more.
      case track(SubscriptionID, Promise<TrackUpdate?>)
      /// Somebody ends a tracker, and the trip that it counts under a name.
      case end(SubscriptionID)
      /// Nobody holds a tracker any more.
      case release(SubscriptionID)
      /// Nobody takes anything out of one of a subscription's channels any more.
      case leave(SubscriptionID, channel: Int)
      /// Somebody watches without asking anything.
      case watch(Observers.Watcher)
      /// Somebody wants to see how things stand.
      case status(Promise<ServiceStatus>)
      /// Somebody says which places are to be watched.
      case fences(FenceCommand, edit: UInt64? = nil, Promise<FenceAnswer>)
      /// Somebody wants to know what happens at fences.
      case listenToFences(Mailbox<FenceDelivery>, after: FenceEvent.ID?)
      /// A consumer wants to know what it has not dealt with yet.
      case deliverFences(Mailbox<FenceDelivery>, to: String)
      /// A consumer has dealt with everything up to a note.
      case acknowledge(UInt64, by: String, Promise<StoreTrouble?>)
      /// Somebody wants to see something of the engine.
      case look(@Sendable (Engine) async -> Void)
      /// A subscriber has taken so many updates.
      case taken(SubscriptionID, count: Int)
      /// Somebody wants everything written down that waits, for the process may end.
      case keep(Promise<StoreHealth>)
      /// The store has answered what was given up.
      case storeAnswered(Result<Void, StoreTrouble>)
      /// Only the time of this entry matters.
      case timePasses
      /// Somebody wants to see the last fix.
      case lastFix(Promise<Answer?>)
      /// Somebody wants to see the tally.
      case tally(Promise<FixTally>)
    }

    var content: Content
    /// When it happened; `nil` goes on with the moment before.
    var moment: Moment?
    /// Resumed when the entry has been taken and its effects carried out.
    var taken: CheckedContinuation<EngineStatus, Never>?
  }

  private let continuation: AsyncStream<Entry>.Continuation
  private let clock: ManagerClock

  static func make(clock: ManagerClock) -> (Inbox, AsyncStream<Entry>) {
    let (entries, continuation) = AsyncStream.makeStream(of: Entry.self, bufferingPolicy: .unbounded)
    return (Inbox(continuation: continuation, clock: clock), entries)
  }

  /// Whether time passes only as the source says.
  var isDrivenBySource: Bool { if case .drivenBySource = clock.kind { true } else { false } }

  /// Puts something in, stamped with the moment.
  ///
  /// - Returns: false once the manager is gone.
  @discardableResult
  func put(_ content: Entry.Content) -> Bool {
    if case .terminated = continuation.yield(Entry(content: content, moment: clock.stamp())) {
      false
    } else {
      true
    }
  }

  /// Puts something in and waits until it has been taken.
  func submit(_ content: Entry.Content, at moment: Moment?) async -> EngineStatus {
    await withCheckedContinuation { taken in
      let entry = Entry(content: content, moment: clock.stamp() ?? moment, taken: taken)
      if case .terminated = continuation.yield(entry) { taken.resume(returning: .over) }
    }
  }

  /// Lets nothing more in; what is in is still taken.
  func close() {
    continuation.finish()
  }
}
