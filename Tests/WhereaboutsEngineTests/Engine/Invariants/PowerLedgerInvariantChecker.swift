import WhereaboutsEngine
import WhereaboutsModel

/// Sums the time with a demand on the source, and compares it with the engine's usage ledger.
struct PowerLedgerInvariantChecker {
  private var usages: [UInt64: ReceiverUsage] = [:]
  private var demand = Demand.off
  private var lastMoment: Moment?
  private var timeOn = Duration.zero

  /// Checks an engine after an input.
  ///
  /// - Returns: the violations.
  mutating func observe(_ engine: Engine, at now: Moment) -> [String] {
    if let lastMoment, demand != .off { timeOn += now.instant.since(lastMoment.instant) }
    lastMoment = now
    demand = engine.demand
    // A copy, since draining changes the engine.
    var copy = engine
    for usage in copy.drainPendingPersistence().receiverUsages { usages[usage.number] = usage }
    let open = engine.receiverUsage(at: now)
    if let open { usages[open.number] = open }
    var complaints: [String] = []
    if (open == nil) != (demand == .off) {
      complaints.append("a usage is open without a demand, or none with a demand")
    }
    if let open, open.demand != demand.ofReceiver { complaints.append("the open usage has another demand") }
    if usages.values.reduce(.zero, { $0 + $1.duration }) != timeOn {
      complaints.append(
        "the ledger has \(usages.values.reduce(.zero) { $0 + $1.duration }), but the source was on for \(timeOn)"
      )
    }
    if usages.values.contains(where: { $0.duration < .zero || $0.demand == .off || $0.users == [] }) {
      complaints.append("an invalid usage")
    }
    return complaints
  }
}
