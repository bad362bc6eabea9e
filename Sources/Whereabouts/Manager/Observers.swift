/// Everyone who watches a manager without asking anything of it. Belongs to the engine loop.
struct Observers {
  private var log: DecisionLog
  private var decided: [Decision] = []
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

  /// A new watcher's place.
  enum Watcher: Sendable {
    case statuses(Mailbox<ServiceStatus>)
    case authorizations(Mailbox<Authorization>)
    case decisions(Mailbox<DecisionEntry>)
    case storeHealth(Mailbox<StoreHealth>)
  }

  mutating func attach(_ watcher: Watcher) async {
    switch watcher {
    case .statuses(let mailbox): await statuses.attach(mailbox)
    case .authorizations(let mailbox): await authorizations.attach(mailbox)
    case .decisions(let mailbox): decisions.attach(mailbox)
    case .storeHealth(let mailbox): await storeHealth.attach(mailbox)
    }
  }

  /// Tells how it stands with the store.
  mutating func note(_ health: StoreHealth) async {
    await storeHealth.send(health)
  }

  /// Takes note of what an engine made of an input, and tells whoever watches.
  mutating func note(_ input: Input, at now: Moment, _ effects: [Effect]) async {
    // Even while nobody listens: it must know who is waiting and since when once somebody does.
    decided.removeAll(keepingCapacity: true)
    log.note(input, at: now, effects: effects, into: &decided)
    for decision in decided { await decisions.send(DecisionEntry(moment: now, decision: decision)) }
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
