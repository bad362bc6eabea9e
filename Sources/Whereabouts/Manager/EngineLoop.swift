/// The one loop around an engine: takes what is in the inbox, in order, and carries out the effects.
///
/// Its state belongs to the task that runs it; nothing else reaches the engine.
struct EngineLoop {
  /// The ends that lead to the source.
  struct ToSource {
    let demands: AsyncStream<Demand>.Continuation
    let questions: AsyncStream<Authorization.Level>.Continuation
    /// Whether anything is needed, for whoever watches the host's power.
    let needs: AsyncStream<Bool>.Continuation
    /// The source itself, if it wants to know of everything.
    let witness: (any SourceWitness)?

    func demand(_ demand: Demand) async {
      await witness?.isAsked(for: demand)
      demands.yield(demand)
      needs.yield(demand != .off)
    }

    func ask(for level: Authorization.Level) async {
      await witness?.isToAsk(for: level)
      questions.yield(level)
    }

    func finish() {
      demands.finish()
      questions.finish()
      needs.finish()
    }
  }

  var engine: Engine
  var effects: [Effect] = []
  var now: Moment
  private var answers: [RequestID: Promise<RequestOutcome>] = [:]
  private var channels: [SubscriptionID: [UpdateChannel]] = [:]
  /// How it stood with trackers when they came to rest, until they are released: once they are over the engine does not
  /// know them any more.
  private var rested: [SubscriptionID: TrackUpdate] = [:]
  /// The trips of trackers, under names that no other tracker had when they were made; until they are released.
  private var trips: [SubscriptionID: TripID] = [:]
  private var followers: [RequestID: [AsyncStream<RequestProgress>.Continuation]] = [:]
  var observers: Observers
  var fences: FenceDesk
  var store: StoreDesk
  /// Wakes the loop to try the store again.
  var storeAlarm: Task<Void, Never>?
  /// Sources that wait until no subscriber is behind any more.
  private var held: [CheckedContinuation<EngineStatus, Never>] = []
  private var alarm: Task<Void, Never>?
  /// `nil` without one, and once it could not be written.
  private var journal: (any InputJournal)?
  private var hasBegunJournal = false

  let clock: ManagerClock
  let inbox: Inbox
  private let toSource: ToSource

  /// - Parameter start: the moment at which the manager was made: inputs may be stamped before the loop's task runs.
  init(
    engine: Engine, start: Moment, clock: ManagerClock, inbox: Inbox, toSource: ToSource, journal: (any InputJournal)?,
    fences: FenceDesk, store: StoreDesk
  ) {
    self.engine = engine
    self.fences = fences
    self.store = store
    observers = Observers(of: engine, storeHealth: store.health)
    self.clock = clock
    self.inbox = inbox
    self.toSource = toSource
    self.journal = journal
    now = start
  }

  /// Runs until the inbox is closed and empty, then ends whatever is still open.
  mutating func run(_ entries: AsyncStream<Inbox.Entry>) async {
    await restore()
    for await entry in entries {
      await pass(to: entry.moment)
      await take(entry.content)
      await tryStoreAgain()
      settle(entry.taken)
    }
    await store.close(with: engine, at: now)
    alarm?.cancel()
    storeAlarm?.cancel()
    toSource.finish()
    for id in answers.keys.sorted() { await finish(id, .cancelled) }
    for channel in channels.values.joined() { await channel.finish() }
    await observers.finish()
    await fences.finish()
    for source in held { source.resume(returning: .over) }
  }

  /// Lets time pass. Where the source or a test drives it, every deadline on the way is met at its own instant.
  private mutating func pass(to moment: Moment?) async {
    guard let moment else { return }
    if clock.meetsEachDeadline {
      while let wake = engine.nextWake, wake <= moment.instant, wake > now.instant {
        now = Moment(instant: wake, wall: now.wall?.advanced(by: wake.since(now.instant)))
        await handle(.wake)
      }
    }
    now = Moment(instant: max(now.instant, moment.instant), wall: moment.wall)
  }

  private mutating func take(_ content: Inbox.Entry.Content) async {
    switch content {
    case .input(.unsubscribe(let id)):
      // Streams let go more than once, and of subscriptions that are over by themselves.
      if channels[id] != nil { await handle(.unsubscribe(id)) }
      await finish(id)
    case .input(.power(let state)) where state == engine.powerState: break
    case .release(let id):
      await take(.input(.unsubscribe(id)))
      rested[id] = nil
      trips[id] = nil
    case .end(let id):
      if let trip = trips[id], [id, nil].contains(engine.tracker(of: trip)) { await handle(.endTrip(trip)) }
      await take(.input(.unsubscribe(id)))
    case .input(let input):
      await handle(input)
      // A clock may wake a little early; the engine then names no new instant, and the old one still holds.
      if case .wake = input { setAlarm(at: engine.nextWake) }
    case .request(let id, let terms, let promise):
      answers[id] = promise
      await handle(.request(id, terms))
    case .follow(let id, let promise, let follower):
      await follow(id, promise, follower)
    case .subscribe(let id, let terms, let new, let first):
      channels[id] = new
      if case .track(let terms) = terms, let trip = terms.trip, engine.tracker(of: trip) == nil {
        trips[id] = trip
      }
      await handle(.subscribe(id, terms))
      if let first { await handle(.track(id, first)) }
    case .steer(let id, let command, let promise):
      await handle(.track(id, command))
      await promise.fulfil(answer(of: id))
    case .track(let id, let promise):
      await promise.fulfil(engine.track(of: id) ?? rested[id])
    case .leave(let id, let channel):
      await channels[id]?[channel].close()
    case .watch(let watcher):
      await observers.attach(watcher)
    case .status(let promise):
      await promise.fulfil(engine.status)
    case .taken(let id, let count):
      if let index = channels[id]?.firstIndex(where: \.isWaitedFor) { channels[id]?[index].taken(count) }
    case .fences(let command, let edit, let promise):
      await promise.fulfil(change(command, edit: edit))
    case .listenToFences(let mailbox, let id):
      await fences.attach(mailbox, after: id)
    case .deliverFences(let mailbox, let consumer):
      await deliver(to: consumer, into: mailbox)
    case .acknowledge(let number, let consumer, let promise):
      await promise.fulfil(acknowledge(number, by: consumer))
    case .look(let body):
      await body(engine)
    case .keep(let promise):
      await promise.fulfil(keepAll())
    case .storeAnswered(let answer):
      await takeLate(answer)
    case .timePasses:
      break
    case .lastFix(let promise):
      await promise.fulfil(engine.lastFix(at: now.instant))
    case .tally(let promise):
      await promise.fulfil(engine.tally)
    }
  }

  /// Judges, writes down, tells: in this order, so that a process that is killed has told nobody what it had not written.
  ///
  /// - Parameter edit: the number of the edit that the input takes over.
  /// - Returns: why it could not be written down.
  @discardableResult
  mutating func handle(_ input: Input, edit: UInt64? = nil) async -> StoreTrouble? {
    effects.removeAll(keepingCapacity: true)
    engine.handle(input, at: now, into: &effects)
    record(input)
    let notes = fences.number(effects)
    let trouble = await keep(input, notes, edit: edit)
    for effect in effects { await perform(effect) }
    await fences.tell(notes, effects, unless: trouble)
    await observers.note(input, at: now, effects)
    return trouble
  }

  private mutating func change(_ command: FenceCommand, edit: UInt64?) async -> FenceAnswer {
    var answer = FenceAnswer(trouble: await handle(.fences(command), edit: edit))
    for case .decided(.fenceRefused(let id, let problem)) in effects { answer.refused[id] = problem }
    return answer
  }

  /// Writes before anybody is told. A journal that can't be written is no reason to stop.
  private mutating func record(_ input: Input) {
    guard journal != nil else { return }
    do throws(SourceTrouble) {
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

  private mutating func perform(_ effect: Effect) async {
    switch effect {
    case .demand(let demand): await toSource.demand(demand)
    case .askAuthorization(let level): await toSource.ask(for: level)
    case .wake(let instant): setAlarm(at: instant)
    case .finish(let ids, let outcome):
      for id in ids { await finish(id, outcome) }
    case .progress(let id, let answer):
      followers[id]?.removeAll {
        if case .terminated = $0.yield(.found(answer)) { true } else { false }
      }
    case .tell(let id, let event): await tell(id, event)
    case .finishSubscription(let id): await finish(id)
    case .status, .decided, .fence: break
    }
  }

  private mutating func tell(_ id: SubscriptionID, _ event: SubscriptionEvent) async {
    if case .track(let update) = event, update.phase == .stopped { rested[id] = update }
    guard let count = channels[id]?.count else { return }
    for index in 0..<count { await channels[id]?[index].tell(event) }
  }

  private mutating func finish(_ id: SubscriptionID) async {
    for channel in channels.removeValue(forKey: id) ?? [] { await channel.finish() }
  }

  /// What a tracker has said to what it was told last.
  private func answer(of id: SubscriptionID) -> TrackAnswer {
    for case .tell(id, .trackPhase(let phase, let cause)) in effects.reversed() {
      return TrackAnswer(phase: phase, cause: cause, update: engine.track(of: id) ?? rested[id])
    }
    var cause = TrackPhaseCause.released
    if case .ended(let trouble) = engine.status.source { cause = .sourceEnded(trouble) }
    return TrackAnswer(phase: .stopped, cause: cause, update: rested[id])
  }

  private mutating func finish(_ id: RequestID, _ outcome: RequestOutcome) async {
    guard let promise = answers.removeValue(forKey: id) else {
      preconditionFailure("request \(id.number) ended twice, or without having been made")
    }
    await promise.fulfil(outcome)
    guard let ended = followers.removeValue(forKey: id) else { return }
    for follower in ended { follower.end(with: outcome) }
  }

  private mutating func follow(
    _ id: RequestID, _ promise: Promise<RequestOutcome>, _ follower: AsyncStream<RequestProgress>.Continuation
  ) async {
    guard answers[id] != nil else {
      // It has ended, so its outcome is there.
      follower.end(with: await promise.result)
      return
    }
    follower.yield(.searching)
    // Those who came before know what there is: for now the newcomer is told alone.
    var all = followers.updateValue([follower], forKey: id) ?? []
    await handle(.follow(id))
    guard let newcomer = followers.removeValue(forKey: id) else {
      // Its time was up with this very input.
      let outcome = await promise.result
      for other in all { other.end(with: outcome) }
      return
    }
    all.append(contentsOf: newcomer)
    followers[id] = all
  }

  private mutating func setAlarm(at instant: Instant?) {
    alarm?.cancel()
    alarm = nil
    guard let instant, case .free(let clock) = clock.kind else { return }
    alarm = Task { [inbox] in
      do { try await clock.sleep(instant) } catch { return }
      inbox.put(.input(.wake))
    }
  }

  /// Lets the sender go on, unless a subscriber has asked that sources wait for it and is behind.
  ///
  /// While a request is open none waits: the subscriber may be behind because it waits for that request, and then only
  /// the source can bring it on.
  private mutating func settle(_ taken: CheckedContinuation<EngineStatus, Never>?) {
    if let taken { held.append(taken) }
    guard !held.isEmpty, !answers.isEmpty || !channels.values.joined().contains(where: \.isBehind) else {
      return
    }
    let status = EngineStatus(demand: engine.demand, nextWake: engine.nextWake)
    for sender in held { sender.resume(returning: status) }
    held.removeAll(keepingCapacity: true)
  }
}
