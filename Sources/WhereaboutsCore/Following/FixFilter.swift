/// Which fixes one subscriber is told: those that ``FixTerms`` asks for by distance and interval.
///
/// Each fix goes through one of these per subscription, so it holds numbers only. How many fixes and how
/// long is the subscription's own affair.
struct FixFilter: Sendable {
  private let distanceFilter: Double
  private let elasticity: Double
  /// Nanoseconds.
  private let interval: Int64
  /// By how much a fix may come too early, in nanoseconds.
  private let tolerance: Int64

  private var last: LastTold?
  /// By how much the last one told came too early, in nanoseconds.
  private var ahead: Int64 = 0

  init(_ terms: FixTerms) {
    // Terms that were decoded or changed have not been through their initialiser.
    distanceFilter = terms.distanceFilter > 0 ? terms.distanceFilter : 0
    elasticity = terms.elasticity > 0 && terms.elasticity.isFinite ? terms.elasticity : 0
    // Half of the range, 146 years, so that no sum below overflows.
    interval = min(max(0, terms.minimumInterval.clampedNanoseconds), .max / 2)
    tolerance = min(interval / 4, 500_000_000)
  }

  /// Whether to tell this fix; then later ones are measured against it.
  mutating func take(_ timed: TimedFix) -> Bool {
    var early: Int64 = 0
    if let last {
      if interval > 0 {
        // A tolerance that is paid back is what keeps both the jitter and the mean rate: the virtual scheduling
        // algorithm of ITU-T I.371 (generic cell rate algorithm).
        let due = interval + ahead
        let elapsed = last.nanoseconds(until: timed)
        guard elapsed >= due - tolerance else { return false }
        early = max(0, due - elapsed)
      }
      if distanceFilter > 0, last.distance(to: timed) < filter(atSpeed: timed.fix.speed) { return false }
    }
    last = LastTold(timed)
    ahead = early
    return true
  }

  /// The distance filter, stretched as ``FixTerms/elasticity`` says.
  private func filter(atSpeed speed: Double?) -> Double {
    guard elasticity > 0, let speed, speed > 0 else { return distanceFilter }
    return distanceFilter * max(1, elasticity * (speed / 5).rounded())
  }
}
