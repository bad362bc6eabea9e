/// What everyone who is waiting needs of the source, kept as one merged demand.
///
/// Equal needs are counted together, so that adding a requester costs O(1) where another already needs the same.
struct DemandBook: Sendable {
  private var counts: [Demand: Int] = [:]
  private(set) var merged = Demand.off

  mutating func add(_ need: Demand) {
    counts[need, default: 0] += 1
    merged = merged.merged(with: need)
  }

  mutating func remove(_ need: Demand) {
    guard let count = counts[need] else { preconditionFailure("a need was withdrawn that nobody has") }
    if count > 1 {
      counts[need] = count - 1
    } else {
      counts[need] = nil
      merged = counts.keys.reduce(.off) { $0.merged(with: $1) }
    }
  }
}
