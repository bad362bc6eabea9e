import WhereaboutsModel

/// The demands of all consumers, merged into one demand.
///
/// Equal demands are counted together, and each respect of the merged demand is maintained separately. So adding and
/// withdrawing cost O(log n) in the number of different demands. A recently used demand that others share costs a few
/// instructions. The result is that of `Demand/merged(with:)` over all demands; none of
/// them has ``Demand/watchesSignificantChanges`` itself.
struct DemandRegistry: Sendable {
  private struct Need: Sendable {
    var demand: Demand
    var count: Int
  }

  private(set) var merged = Demand.off

  private var needs: [Need] = []
  private var free: [Int] = []
  private var indices: [Demand: Int] = [:]
  /// The recently found indices, by their ``cell(of:)``: nearly all consumers share one of a few demands.
  private var recent = [Int](repeating: 0, count: 16)

  // The number of different demands of each kind, and the most demanding of them.
  private var continuous = 0
  private var significantChanges = 0
  private var activities = [Int](repeating: 0, count: Activity.allCases.count)
  private var accuracies = CountedMinimum<Double>()
  private var distanceFilters = CountedMinimum<Double>()
  private var intervals = CountedMinimum<Duration>()
  private var headingFilters = CountedMinimum<Double>()

  /// Adds a demand.
  ///
  /// - Returns: whether ``merged`` may have changed.
  @discardableResult
  mutating func add(_ need: Demand) -> Bool {
    if let index = index(of: need) {
      needs[index].count += 1
      return false
    }
    let new = Need(demand: need, count: 1)
    let index = free.popLast() ?? needs.count
    if index == needs.count { needs.append(new) } else { needs[index] = new }
    indices[need] = index
    recent[Self.cell(of: need)] = index
    count(need)
    return true
  }

  /// Withdraws a demand from a number of consumers. Traps on a demand that was never added (programmer error).
  ///
  /// - Returns: whether ``merged`` may have changed.
  @discardableResult
  mutating func remove(_ need: Demand, count: Int = 1) -> Bool {
    guard let index = index(of: need), needs[index].count >= count else {
      preconditionFailure("a withdrawn demand was never added")
    }
    needs[index].count -= count
    guard needs[index].count == 0 else { return false }
    indices[need] = nil
    free.append(index)
    uncount(need)
    return true
  }

  // MARK: Equal demands

  private mutating func index(of need: Demand) -> Int? {
    let cell = Self.cell(of: need), guess = recent[cell]
    if guess < needs.count, needs[guess].count > 0, needs[guess].demand == need { return guess }
    guard let index = indices[need] else { return nil }
    recent[cell] = index
    return index
  }

  private static func cell(of need: Demand) -> Int {
    var bits: UInt64 = 0
    if case .continuous(let fixes) = need.fixes {
      bits = fixes.accuracy.bitPattern ^ fixes.distanceFilter.bitPattern >> 1 ^ UInt64(fixes.activity.index)
    }
    if let headings = need.headings { bits ^= headings.filter.bitPattern >> 2 }
    return Int((bits &* 0x9E37_79B9_7F4A_7C15) >> 60)
  }

  // MARK: Merging

  private mutating func count(_ need: Demand) {
    switch need.fixes {
    case .off: break
    case .significantChanges: significantChanges += 1
    case .continuous(let fixes):
      continuous += 1
      activities[fixes.activity.index] += 1
      accuracies.add(fixes.accuracy)
      distanceFilters.add(fixes.distanceFilter)
      intervals.add(fixes.interval)
    }
    if let headings = need.headings { headingFilters.add(headings.filter) }
    merge()
  }

  private mutating func uncount(_ need: Demand) {
    switch need.fixes {
    case .off: break
    case .significantChanges: significantChanges -= 1
    case .continuous(let fixes):
      continuous -= 1
      activities[fixes.activity.index] -= 1
      accuracies.remove(fixes.accuracy)
      distanceFilters.remove(fixes.distanceFilter)
      intervals.remove(fixes.interval)
    }
    if let headings = need.headings { headingFilters.remove(headings.filter) }
    merge()
  }

  private mutating func merge() {
    merged.headings = headingFilters.minimum.map { Demand.Headings(filter: $0) }
    if let accuracy = accuracies.minimum, let filter = distanceFilters.minimum,
      let interval = intervals.minimum
    {
      let activity = Activity.allCases.first { activities[$0.index] == continuous } ?? .other
      merged.fixes = .continuous(
        Demand.Continuous(
          accuracy: accuracy, distanceFilter: filter, interval: interval, activity: activity))
      merged.watchesSignificantChanges = significantChanges > 0
    } else {
      merged.watchesSignificantChanges = false
      merged.fixes = significantChanges > 0 ? .significantChanges : .off
    }
  }
}

extension Activity {
  /// The index in ``allCases``.
  fileprivate var index: Int {
    switch self {
    case .other: 0
    case .walk: 1
    case .run: 2
    case .bike: 3
    case .car: 4
    case .boat: 5
    case .air: 6
    }
  }
}
