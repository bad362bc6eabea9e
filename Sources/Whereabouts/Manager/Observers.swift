import WhereaboutsEngine

/// The observers of a manager, which make no demand. Belongs to the engine loop.
struct Observers {
  private var log: DecisionLog
  private var newDecisions: [Decision] = []
  var decisions = EventBroadcast<Decision.Entry>()
  var statuses: StateBroadcast<ServiceStatus>
  var authorizations: StateBroadcast<Authorization>
  var storeHealth: StateBroadcast<StoreHealth>

  init(of engine: Engine, storeHealth health: StoreHealth) {
    storeHealth = StateBroadcast(health)
    log = DecisionLog(settings: engine.settings)
    statuses = StateBroadcast(engine.status)
    authorizations = StateBroadcast(engine.status.authorization)
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
    for decision in newDecisions { await decisions.send(Decision.Entry(moment: now, decision: decision)) }
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
