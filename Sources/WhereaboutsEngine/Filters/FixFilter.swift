import WhereaboutsModel

/// The filter that selects the fixes one subscriber receives, by the distance and interval of `FixTerms`.
///
/// Each subscription passes every fix through its own filter, so a filter holds numbers only. The subscription itself
/// counts fixes and ends after its duration.
struct FixFilter: Sendable {
  private let distanceFilter: Double
  private let elasticity: Double
  /// The least time between reported fixes, in nanoseconds.
  private let interval: Int64
  /// The greatest time by which a fix may be early, in nanoseconds.
  private let tolerance: Int64

  private var last: ReportedFix?
  /// The time by which the last reported fix was early, in nanoseconds.
  private var earliness: Int64 = 0

  init(_ terms: FixTerms) {
    // Decoded or changed terms have not been through the initializer.
    distanceFilter = terms.distanceFilter > 0 ? terms.distanceFilter : 0
    elasticity = terms.elasticity > 0 && terms.elasticity.isFinite ? terms.elasticity : 0
    // Half of the range, 146 years, so that no sum below overflows.
    interval = min(max(0, terms.minimumInterval.clampedNanoseconds), .max / 2)
    tolerance = min(interval / 4, 500_000_000)
  }

  /// Returns whether to report this fix; later fixes are then compared with this one.
  mutating func process(_ timed: TimedFix) -> Bool {
    var early: Int64 = 0
    if let last {
      if interval > 0 {
        // Subtracting the earliness from the next interval limits both the jitter and the mean rate: the virtual
        // scheduling algorithm of ITU-T I.371 (generic cell rate algorithm).
        let due = interval + earliness
        let elapsed = last.nanoseconds(until: timed)
        guard elapsed >= due - tolerance else { return false }
        early = max(0, due - elapsed)
      }
      if distanceFilter > 0, last.distance(to: timed) < filter(atSpeed: timed.fix.speed) { return false }
    }
    last = ReportedFix(timed)
    earliness = early
    return true
  }

  /// Returns the distance filter, stretched by `FixTerms/elasticity`.
  private func filter(atSpeed speed: Double?) -> Double {
    guard elasticity > 0, let speed, speed > 0 else { return distanceFilter }
    return distanceFilter * max(1, elasticity * (speed / 5).rounded())
  }
}
