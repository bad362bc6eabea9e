/// What everyone who is waiting needs of the source, kept as one merged demand.
///
/// Equal needs are counted together, so that adding a requester costs O(1) where another already needs the same.
struct DemandBook: Sendable {
  private var counts: [ContinuousDemand: Int] = [:]
  private(set) var merged = Demand.off

  mutating func add(_ need: ContinuousDemand) {
    counts[need, default: 0] += 1
    merged = merged.merged(with: .continuous(need))
  }

  mutating func remove(_ need: ContinuousDemand) {
    guard let count = counts[need] else { preconditionFailure("a need was withdrawn that nobody has") }
    if count > 1 {
      counts[need] = count - 1
    } else {
      counts[need] = nil
      merged = counts.keys.reduce(.off) { $0.merged(with: .continuous($1)) }
    }
  }
}

extension RequestTerms {
  /// What a request needs of the source: any fix, as soon as it comes.
  var need: ContinuousDemand { ContinuousDemand(accuracy: level.worstAccuracy, activity: activity) }
}

extension SubscriptionTerms {
  /// What a subscription needs of the source.
  var need: ContinuousDemand {
    ContinuousDemand(accuracy: level.worstAccuracy, distanceFilter: distanceFilter, activity: activity)
  }
}
