import WhereaboutsEngine
import WhereaboutsModel

/// Checks the events of an engine's trackers.
struct TrackerInvariantChecker {
  private var phases: [SubscriptionID: TrackPhase] = [:]
  private var totals: [SubscriptionID: TrackTotals] = [:]
  private(set) var violations: [String] = []

  /// Whether a tracker is known not to need the source.
  func isResting(_ id: SubscriptionID) -> Bool { phases[id] == .stopped }

  /// Whether any tracker is active; ended trackers count as stopped.
  var isAnyActive: Bool { phases.values.contains { $0 != .stopped } }

  mutating func observe(
    _ event: SubscriptionEvent, to id: SubscriptionID, during input: Input, _ status: ServiceStatus
  ) {
    switch event {
    case .trackPhase(let phase, _):
      phases[id] = phase
      let isHindered = status.authorization.isRefused || !isWorking(status.source)
      if phase != .stopped, isHindered { violations.append("\(id) is \(phase) with \(status)") }
    case .trackPoint(let point):
      if phases[id] != .counting { violations.append("a point of \(id), which does not count") }
      if status.authorization.isRefused { violations.append("a point while refused") }
      if point.distance < (totals[id]?.distance ?? 0) {
        violations.append("the distance decreases at a point of \(id)")
      }
    case .track(let update):
      if update.phase != phases[id] { violations.append("\(id) is \(update.phase), which was not reported") }
      if update.phase != .counting, update.ahead != 0 { violations.append("\(id) is not settled") }
      checkTotals(update.totals, of: id, during: input)
      totals[id] = update.totals
    default: break
    }
  }

  private mutating func checkTotals(_ new: TrackTotals, of id: SubscriptionID, during input: Input) {
    if case .track(id, .reset) = input {
      if new != TrackTotals() { violations.append("\(id) is not at zero") }
      return
    }
    let old = totals[id] ?? TrackTotals()
    let isLess =
      new.distance < old.distance || new.moving < old.moving || new.gaps < old.gaps
      || new.segments < old.segments || new.elapsed < old.elapsed
    if isLess || !new.distance.isFinite { violations.append("\(id) had \(old), has \(new)") }
  }

  /// Checks that a command is answered once, with its success or the cause of its failure.
  mutating func expectAnswer(to command: TrackPhase.Command, of id: SubscriptionID, in effects: [Effect]) {
    var answers: [TrackPhase.Cause] = []
    for case .notify(id, .trackPhase(_, let cause)) in effects { answers.append(cause) }
    if answers.count != 1 { violations.append("\(command) of \(id) is answered by \(answers)") }
  }

  private func isWorking(_ source: ServiceStatus.Source) -> Bool {
    switch source {
    case .working, .unavailable: true
    case .failed, .ended: false
    }
  }
}
