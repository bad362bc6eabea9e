import WhereaboutsModel

/// The filter that selects significant changes by the rule of `SignificantChangeTerms`.
struct SignificantChangeFilter: Sendable {
  private let distance: Double
  private let farDistance: Double
  /// The least time between reported fixes, in nanoseconds.
  private let interval: Int64
  private var last: (fix: ReportedFix, accuracy: Double)?
  /// The first coarse fix, while no fix is reported.
  private var firstCoarse: ReportedFix?

  init(_ terms: SignificantChangeTerms) {
    // Decoded or changed terms have not been through the initializer.
    let terms = SignificantChangeTerms(
      distance: terms.distance, interval: terms.interval, farDistance: terms.farDistance)
    distance = terms.distance
    farDistance = terms.farDistance
    interval = terms.interval.clampedNanoseconds
  }

  /// Returns whether to report this fix; later fixes are then compared with this one.
  mutating func process(_ timed: TimedFix) -> Bool {
    let accuracy = timed.fix.horizontalAccuracy ?? distance
    guard isSignificant(timed, accuracy) else { return false }
    last = (ReportedFix(timed), accuracy)
    return true
  }

  private mutating func isSignificant(_ timed: TimedFix, _ accuracy: Double) -> Bool {
    guard let last else { return accuracy <= distance || hasOnlyCoarseFixes(timed, accuracy) }
    // The comparison makes an accuracy that is not a number insignificant.
    let moved = last.fix.distance(to: timed)
    let lastAccuracy = accuracy <= distance ? min(last.accuracy, distance) : last.accuracy
    guard moved >= distance, moved > accuracy + lastAccuracy else { return false }
    return moved >= farDistance || last.fix.nanoseconds(until: timed) >= interval
  }

  /// Returns whether no accurate fix has come for the interval, although coarse ones have. A phone whose person allows
  /// the reduced accuracy only has no others.
  private mutating func hasOnlyCoarseFixes(_ timed: TimedFix, _ accuracy: Double) -> Bool {
    guard accuracy.isFinite else { return false }
    guard let firstCoarse else {
      firstCoarse = ReportedFix(timed)
      return false
    }
    return firstCoarse.nanoseconds(until: timed) >= interval
  }
}
