import WhereaboutsCore

/// Adds up from outside how long a source was asked for something, and compares it with what the engine writes down.
struct LedgerWitness {
  private var spells: [UInt64: ReceiverSpell] = [:]
  private var demand = Demand.off
  private var before: Moment?
  private var timeOn = Duration.zero

  /// Sees an engine after an input.
  ///
  /// - Returns: what is wrong.
  mutating func see(_ engine: Engine, at now: Moment) -> [String] {
    if let before, demand != .off { timeOn += now.instant.since(before.instant) }
    before = now
    demand = engine.demand
    // A copy: what it has to tell is for the host to take.
    var copy = engine
    for spell in copy.takeLastingNews().spells { spells[spell.number] = spell }
    let open = engine.spell(at: now)
    if let open { spells[open.number] = open }
    var complaints: [String] = []
    if (open == nil) != (demand == .off) {
      complaints.append("a spell goes on for nothing, or none for something")
    }
    if let open, open.demand != demand { complaints.append("the spell of another demand goes on") }
    if spells.values.reduce(.zero, { $0 + $1.duration }) != timeOn {
      complaints.append(
        "the ledger has \(spells.values.reduce(.zero) { $0 + $1.duration }), it was on for \(timeOn)")
    }
    if spells.values.contains(where: { $0.duration < .zero || $0.demand == .off || $0.users == [] }) {
      complaints.append("a spell that can't be")
    }
    return complaints
  }
}
