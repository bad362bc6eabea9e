import WhereaboutsEngine

/// The loop around an engine: processes the inbox in order and carries out the effects.
///
/// The loop's task owns the state; no other task reaches the engine.
struct EngineLoop {
  /// The channels to the source.
  struct SourceChannels {
    let demands: AsyncStream<Demand>.Continuation
    let authorizationRequests: AsyncStream<Authorization.Level>.Continuation
    /// Whether anything is demanded, for the monitor of the host's power.
    let needs: AsyncStream<Bool>.Continuation
    /// The source, if the source observes every demand and every request for authorization.
    let observer: (any SourceObserver)?

    func send(_ demand: Demand) async {
      await observer?.demandDidChange(to: demand)
      demands.yield(demand)
      needs.yield(demand.ofReceiver != .off)
    }

    func requestAuthorization(for level: Authorization.Level) async {
      await observer?.authorizationRequested(for: level)
      authorizationRequests.yield(level)
    }

    func finish() {
      demands.finish()
      authorizationRequests.finish()
      needs.finish()
    }
  }

  var engine: Engine
  var effects: [Effect] = []
  var now: Moment
  var requestPromises: [RequestID: Promise<RequestOutcome>] = [:]
  var channels: [SubscriptionID: [UpdateChannel]] = [:]
  /// The final states of ended trackers, until their release: the engine forgets a tracker after its end.
  var finalUpdates: [SubscriptionID: TrackUpdate] = [:]
  /// The trips that trackers were made for; until the tracker's end or release, or the trip's end.
  var trips: [SubscriptionID: TripID] = [:]
  /// The trackers that were refused or have ended because the trip of their name has ended; until the release.
  var refusedTrips: [SubscriptionID: TripID] = [:]
  var progressObservers: [RequestID: [AsyncStream<LocationRequest.Progress>.Continuation]] = [:]
  var observers: Observers
  var fences: FenceEventDispatcher
  var store: CommitQueue
  /// The listeners to fences since the stored data could not be loaded, with the first record that each receives.
  var unloadedListeners: [(mailbox: Mailbox<FenceUpdate>, start: FenceEventDispatcher.Start)] = []
  /// The shared fences that were received since the stored data could not be loaded.
  var unloadedShare: FenceCommand?
  /// The fences that were added, and not updated, since the stored data could not be loaded.
  var unloadedAdditions: Set<FenceID> = []
  /// The trips that were ended since the stored data could not be loaded.
  var unloadedTripEnds: [TripID] = []
  /// Whether the source was last told to leave the regions of an earlier process as they are.
  private(set) var keepsWakeRegions = false
  /// The timer that wakes the loop to retry the store.
  var storeTimer: Task<Void, Never>?
  /// The sources that wait for slow subscribers.
  private var waitingSources: [CheckedContinuation<SourceLink.Status, Never>] = []
  private var wakeTimer: Task<Void, Never>?
  /// The journal; `nil` without one, and after a failed write.
  private var journal: (any InputJournal)?
  private var hasBegunJournal = false

  let clock: ManagerClock
  let inbox: Inbox
  private let sourceChannels: SourceChannels

  /// - Parameter start: the time of the manager's creation, because inputs may be stamped before the loop's task
  ///   runs.
  init(
    engine: Engine, start: Moment, clock: ManagerClock, inbox: Inbox, sourceChannels: SourceChannels,
    journal: (any InputJournal)?, fences: FenceEventDispatcher, store: CommitQueue
  ) {
    self.engine = engine
    self.fences = fences
    self.store = store
    observers = Observers(of: engine, storeHealth: store.health)
    self.clock = clock
    self.inbox = inbox
    self.sourceChannels = sourceChannels
    self.journal = journal
    now = start
  }

  /// Runs until the inbox is closed and empty, then ends the open requests and streams.
  mutating func run(_ entries: AsyncStream<Inbox.Entry>) async {
    await restore()
    for await entry in entries {
      await advance(to: entry.moment)
      await repeatRestoration(before: entry.content)
      await process(entry.content)
      await retryStore()
      resumeSources(entry.completion)
    }
    await saveStore(isEnding: true)
    wakeTimer?.cancel()
    storeTimer?.cancel()
    sourceChannels.finish()
    for id in requestPromises.keys.sorted() { await finish(id, .cancelled) }
    for channel in channels.values.joined() { await channel.finish() }
    await observers.finish()
    await fences.finish()
    for source in waitingSources { source.resume(returning: .ended) }
  }

  /// Advances time. If the source or a test drives time, each deadline up to the moment is processed at its own
  /// instant.
  private mutating func advance(to moment: Moment?) async {
    guard let moment else { return }
    if clock.meetsEachDeadline {
      while let wake = engine.nextWake, wake <= moment.instant, wake > now.instant {
        now = Moment(instant: wake, wall: now.wall?.advanced(by: wake.since(now.instant)))
        await handle(.wake)
      }
    }
    now = Moment(instant: max(now.instant, moment.instant), wall: moment.wall)
  }

  private mutating func process(_ content: Inbox.Entry.Content) async {
    switch content {
    case .command(let command): await command(&self)
    case .input(.unsubscribe(let id)): await unsubscribe(id)
    case .input where store.isClosed: break
    case .input(.power(let state)) where state == engine.powerState: break
    case .input(let input):
      await handle(input)
      // A clock may wake a little early. The engine then names no new instant, and the old one still holds.
      if case .wake = input { setWakeTimer(at: engine.nextWake) }
    }
  }

  /// Processes an input, stores its changes and then notifies. Unless a write failed, a killed process has
  /// therefore reported nothing unstored. After the close of the store no input has an effect: nobody would store it.
  ///
  /// - Parameter edit: the number of the applied edit.
  /// - Returns: the error, if the write failed.
  @discardableResult
  mutating func handle(_ input: Input, edit: UInt64? = nil) async -> StoreError? {
    guard !store.isClosed else {
      effects.removeAll(keepingCapacity: true)
      return nil
    }
    let records = processInEngine(input, edit: edit)
    let problem = await writeIfStored()
    for effect in effects { await perform(effect) }
    await fences.report(records, effects, storeError: problem, problemBefore: engine.problemBefore)
    await observers.record(input, at: now, effects)
    return problem
  }

  /// Has the engine process an input, writes it to the journal, and appends its lasting changes to the next commit.
  ///
  /// Never inlined: the memory of a task keeps what its functions compute until its end, and the engine is large.
  ///
  /// - Returns: the fence records of the effects.
  @inline(never)
  mutating func processInEngine(_ input: Input, edit: UInt64? = nil) -> [NumberedFenceRecord] {
    effects.removeAll(keepingCapacity: true)
    engine.handle(input, at: now, into: &effects)
    record(input)
    let records = store.assignNumbers(effects)
    appendChanges(of: input, records, edit: edit)
    return records
  }

  /// Writes the input to the journal before any notification. A failed write stops the journal only.
  private mutating func record(_ input: Input) {
    guard journal != nil else { return }
    do throws(SourceProblem) {
      if !hasBegunJournal {
        hasBegunJournal = true
        try journal?.begin(JournalHeader(settings: engine.settings, began: now.wall))
      }
      try journal?.write(input, at: now, effects: effects)
    } catch {
      journal = nil
      effects.append(.decided(.journalStopped(error)))
    }
  }

  mutating func perform(_ effect: Effect) async {
    switch effect {
    case .demand(let demand): await send(demand)
    case .askAuthorization(let level): await sourceChannels.requestAuthorization(for: level)
    case .wake(let instant): setWakeTimer(at: instant)
    case .finish(let ids, let outcome):
      for id in ids { await finish(id, outcome) }
    case .progress(let id, let answer): reportProgress(of: id, answer)
    case .notify(let id, let event): await deliver(id, event)
    case .finishSubscription(let id): await finish(id)
    case .status, .decided, .fence: break
    }
  }

  /// Sends a demand to the source. Without the stored data the loop does not know the regions of an earlier process,
  /// so they stay.
  mutating func send(_ demand: Demand) async {
    var demand = demand
    demand.keepsWakeRegions = store.isUnloaded && mayHaveRegions
    keepsWakeRegions = demand.keepsWakeRegions
    await sourceChannels.send(demand)
  }

  /// Whether the source's platform may watch regions for the program: that needs permission. Any other source receives
  /// ``Demand/off`` as ever, and switches its receiver off.
  private var mayHaveRegions: Bool {
    if case .needed = engine.settings.authorization { true } else { engine.wakeCapacity > 0 }
  }

  private mutating func setWakeTimer(at instant: Instant?) {
    wakeTimer?.cancel()
    wakeTimer = nil
    guard let instant, case .free(let clock) = clock.kind else { return }
    wakeTimer = Task { [inbox] in
      do { try await clock.sleep(instant) } catch { return }
      inbox.enqueue(.wake)
    }
  }

  /// Resumes the sender, unless a slow subscriber asked that sources wait.
  ///
  /// While a request is open no source waits. The subscriber may itself wait for the request, and then only the
  /// source can answer.
  private mutating func resumeSources(_ taken: CheckedContinuation<SourceLink.Status, Never>?) {
    if let taken { waitingSources.append(taken) }
    guard !waitingSources.isEmpty,
      !requestPromises.isEmpty || !channels.values.joined().contains(where: \.isBehind)
    else {
      return
    }
    let status = SourceLink.Status(demand: engine.demand, nextWake: engine.nextWake)
    for sender in waitingSources { sender.resume(returning: status) }
    waitingSources.removeAll(keepingCapacity: true)
  }
}
