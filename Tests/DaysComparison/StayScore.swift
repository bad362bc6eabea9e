import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

/// Stays compared with the truth.
///
/// A true stay of ten minutes or more is found if a stay overlaps it by at least half of both together, within 200 m.
/// A stay of ten minutes or more is invented if it overlaps no true stay of five minutes or more so.
struct StayScore {
  private(set) var truths = 0
  private(set) var found = 0
  private(set) var answers = 0
  private(set) var invented = 0
  private var arrivals: [Double] = []
  private var departures: [Double] = []
  private var isWithin: [Bool] = []
  private(set) var missedSpans: [(Double, Double)] = []
  private(set) var inventedSpans: [(Double, Double)] = []

  static let least = 600.0

  mutating func add(_ stays: [FoundStay], truth life: DailyLife) {
    var used = Set<Int>()
    for truth in life.visits where truth.departure - truth.arrival >= 300 {
      let best = match(truth, stays, used)
      let counts = truth.departure - truth.arrival >= Self.least
      if counts { truths += 1 }
      guard let best else {
        if counts { missedSpans.append((truth.arrival, truth.departure)) }
        continue
      }
      used.insert(best)
      guard counts else { continue }
      found += 1
      record(stays[best], truth, isFirst: truth.arrival == 0, isLast: truth.departure >= life.end)
    }
    for (index, stay) in stays.enumerated() where stay.duration >= Self.least {
      answers += 1
      if !used.contains(index) {
        invented += 1
        inventedSpans.append((stay.arrival, stay.departure))
      }
    }
  }

  private func match(_ truth: DailyLife.TrueVisit, _ stays: [FoundStay], _ used: Set<Int>) -> Int? {
    var low = 0, high = stays.count
    while low < high {
      let middle = (low + high) / 2
      if stays[middle].departure < truth.arrival { low = middle + 1 } else { high = middle }
    }
    var best: (index: Int, share: Double)?
    while low < stays.count, stays[low].arrival < truth.departure {
      let stay = stays[low]
      let both = min(stay.departure, truth.departure) - max(stay.arrival, truth.arrival)
      let all = max(stay.departure, truth.departure) - min(stay.arrival, truth.arrival)
      let share = both / all
      if !used.contains(low), share >= 0.5, share > best?.share ?? 0,
        stay.coordinate.distance(to: truth.coordinate) <= 200
      {
        best = (low, share)
      }
      low += 1
    }
    return best?.index
  }

  private mutating func record(_ stay: FoundStay, _ truth: DailyLife.TrueVisit, isFirst: Bool, isLast: Bool) {
    if !isFirst {
      arrivals.append((stay.arrival - truth.arrival).magnitude)
      if let stated = stay.uncertainty { isWithin.append(arrivals[arrivals.count - 1] <= stated.arrival) }
    }
    if !isLast {
      departures.append((stay.departure - truth.departure).magnitude)
      if let stated = stay.uncertainty {
        isWithin.append(departures[departures.count - 1] <= stated.departure)
      }
    }
  }

  var recall: Double { truths > 0 ? Double(found) / Double(truths) : 0 }
  var precision: Double { answers > 0 ? 1 - Double(invented) / Double(answers) : 0 }
  var f1: Double { recall + precision > 0 ? 2 * recall * precision / (recall + precision) : 0 }
  var arrival: (median: Double, p95: Double) { Self.quantiles(arrivals) }
  var departure: (median: Double, p95: Double) { Self.quantiles(departures) }
  /// The share of ends within the stated uncertainty; `nil` where none is stated.
  var coverage: Double? {
    isWithin.isEmpty ? nil : Double(isWithin.filter { $0 }.count) / Double(isWithin.count)
  }

  private static func quantiles(_ errors: [Double]) -> (Double, Double) {
    guard !errors.isEmpty else { return (.nan, .nan) }
    let sorted = errors.sorted()
    return (sorted[sorted.count / 2], sorted[min(sorted.count - 1, sorted.count * 95 / 100)])
  }
}
