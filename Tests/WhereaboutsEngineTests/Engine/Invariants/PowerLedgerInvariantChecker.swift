import WhereaboutsEngine
import WhereaboutsModel

/// Adds up from outside how long a source was asked for something, and compares it with what the engine writes down.
struct PowerLedgerInvariantChecker {
  private var usages: [UInt64: ReceiverUsage] = [:]
  private var demand = Demand.off
  private var lastMoment: Moment?
  private var timeOn = Duration.zero

  /// Sees an engine after an input.
  ///
  /// - Returns: what is wrong.
  mutating func observe(_ engine: Engine, at now: Moment) -> [String] {
    if let lastMoment, demand != .off { timeOn += now.instant.since(lastMoment.instant) }
    lastMoment = now
    demand = engine.demand
    // A copy: what it has to tell is for the host to take.
    var copy = engine
    for usage in copy.drainPendingPersistence().receiverUsages { usages[usage.number] = usage }
    let open = engine.receiverUsage(at: now)
    if let open { usages[open.number] = open }
    var complaints: [String] = []
    if (open == nil) != (demand == .off) {
      complaints.append("a usage goes on for nothing, or none for something")
    }
    if let open, open.demand != demand { complaints.append("the usage of another demand goes on") }
    if usages.values.reduce(.zero, { $0 + $1.duration }) != timeOn {
      complaints.append(
        "the ledger has \(usages.values.reduce(.zero) { $0 + $1.duration }), it was on for \(timeOn)")
    }
    if usages.values.contains(where: { $0.duration < .zero || $0.demand == .off || $0.users == [] }) {
      complaints.append("a usage that can't be")
    }
    return complaints
  }
}
