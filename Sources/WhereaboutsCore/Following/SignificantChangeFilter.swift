/// Which fixes are significant changes; ``SignificantChangeTerms`` says the rule.
struct SignificantChangeFilter: Sendable {
  private let distance: Double
  private let farDistance: Double
  /// Nanoseconds.
  private let interval: Int64
  private var last: (told: LastTold, accuracy: Double)?

  init(_ terms: SignificantChangeTerms) {
    // Terms that were decoded or changed have not been through their initialiser.
    let terms = SignificantChangeTerms(
      distance: terms.distance, interval: terms.interval, farDistance: terms.farDistance)
    distance = terms.distance
    farDistance = terms.farDistance
    interval = terms.interval.clampedNanoseconds
  }

  /// Whether to tell this fix; then later ones are measured against it.
  mutating func take(_ timed: TimedFix) -> Bool {
    let accuracy = timed.fix.horizontalAccuracy ?? distance
    guard isSignificant(timed, accuracy) else { return false }
    last = (LastTold(timed), accuracy)
    return true
  }

  private func isSignificant(_ timed: TimedFix, _ accuracy: Double) -> Bool {
    // Written so that an accuracy that is no number is never significant.
    guard let last else { return accuracy <= distance }
    let moved = last.told.distance(to: timed)
    let lastAccuracy = accuracy <= distance ? min(last.accuracy, distance) : last.accuracy
    guard moved >= distance, moved > accuracy + lastAccuracy else { return false }
    return moved >= farDistance || last.told.nanoseconds(until: timed) >= interval
  }
}
