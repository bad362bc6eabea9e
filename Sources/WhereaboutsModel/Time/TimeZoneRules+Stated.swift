extension TimeZoneRules {
  /// The time between the first offset and the beginning of the rules, where a zone has a rule for every year alone.
  private static let longestPast: Int64 = 50 * 31_557_600

  /// Creates the rules of offsets that recordings state. Each holds until the next one.
  ///
  /// Where a stated offset is that of another zone, that zone's changes of the clock apply until the next offset, as
  /// they do before the first one: few recordings state the offset at each change.
  ///
  /// - Parameters:
  ///   - offsets: the offsets, in the order of time.
  ///   - zone: the other zone, as that of the system.
  package init(stated offsets: [StatedOffset], otherwise zone: TimeZoneRules) {
    var changes: [Transition] = []
    if let first = offsets.first?.time.wholeSecond {
      let begin = zone.transitions.isEmpty ? first - Self.longestPast : .min
      changes += zone.changes(after: begin, before: first)
    }
    var yearly = zone.yearly
    for (index, offset) in offsets.enumerated() {
      let begin = offset.time.wholeSecond, seconds = offset.minutes * 60
      changes.append(Transition(time: begin, offset: seconds))
      let isOfZone = zone.offset(atSecond: begin) == seconds
      if index + 1 < offsets.count {
        if isOfZone { changes += zone.changes(after: begin, before: offsets[index + 1].time.wholeSecond) }
      } else {
        if isOfZone { changes += zone.transitions.filter { $0.time > begin } }
        yearly = isOfZone ? zone.yearly : nil
      }
    }
    let first = zone.firstOffset ?? 0
    self.init(
      name: "stated", firstOffset: first,
      transitions: changes.isEmpty ? zone.transitions : Self.reduced(changes, after: first), yearly: yearly)
  }

  /// Returns changes without those that keep the offset, but for the last one, from which a yearly rule applies.
  private static func reduced(_ changes: [Transition], after offset: Int) -> [Transition] {
    var found: [Transition] = []
    for (index, change) in changes.enumerated()
    where index + 1 == changes.count || change.offset != found.last?.offset ?? offset {
      found.append(change)
    }
    return found
  }

  /// Returns the changes of the clock between two seconds.
  private func changes(after begin: Int64, before end: Int64) -> [Transition] {
    var found = transitions.filter { $0.time > begin && $0.time < end }
    guard let yearly else { return found }
    // The rule applies from the last transition on.
    var last = max(begin, transitions.last?.time ?? .min)
    while let next = yearly.nextChange(after: last), next < end {
      found.append(Transition(time: next, offset: yearly.offset(at: next)))
      last = next
    }
    return found
  }
}
