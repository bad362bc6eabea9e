import WhereaboutsEngine

/// The observers of a manager, who demand nothing. Belongs to the engine loop.
struct Observers {
  private var log: DecisionLog
  private var newDecisions: [Decision] = []
  private var decisions = EventBroadcast<DecisionEntry>()
  private var statuses: StateBroadcast<ServiceStatus>
  private var authorizations: StateBroadcast<Authorization>
  private var storeHealth: StateBroadcast<StoreHealth>

  init(of engine: Engine, storeHealth health: StoreHealth) {
    storeHealth = StateBroadcast(health)
    log = DecisionLog(settings: engine.settings)
    statuses = StateBroadcast(engine.status)
    authorizations = StateBroadcast(engine.status.authorization)
  }

  /// The stream of a new observer.
  enum Observer: Sendable {
    case statuses(Mailbox<ServiceStatus>)
    case authorizations(Mailbox<Authorization>)
    case decisions(Mailbox<DecisionEntry>)
    case storeHealth(Mailbox<StoreHealth>)
  }

  mutating func attach(_ watcher: Observer) async {
    switch watcher {
    case .statuses(let mailbox): await statuses.attach(mailbox)
    case .authorizations(let mailbox): await authorizations.attach(mailbox)
    case .decisions(let mailbox): decisions.attach(mailbox)
    case .storeHealth(let mailbox): await storeHealth.attach(mailbox)
    }
  }

  /// Reports the health of the store.
  mutating func report(_ health: StoreHealth) async {
    await storeHealth.send(health)
  }

  /// Records an engine's effects of an input and notifies the observers.
  mutating func record(_ input: Input, at now: Moment, _ effects: [Effect]) async {
    // Record without listeners too: a later listener needs the open requests and their start times.
    newDecisions.removeAll(keepingCapacity: true)
    log.record(input, at: now, effects: effects, into: &newDecisions)
    for decision in newDecisions { await decisions.send(DecisionEntry(moment: now, decision: decision)) }
    for case .status(let status) in effects {
      await statuses.send(status)
      await authorizations.send(status.authorization)
    }
  }

  mutating func finish() async {
    await decisions.finish()
    await statuses.finish()
    await authorizations.finish()
    await storeHealth.finish()
  }
}
