import WhereaboutsModel
import WhereaboutsTesting

/// The modes and distances of journeys compared with the truth.
struct JourneyScore {
  /// Seconds of a true mode by the mode that was found; `nil` where no journey was.
  private(set) var seconds: [DailyLife.Mode: [TransportMode?: Double]] = [:]
  private(set) var journeys = 0
  private(set) var matched = 0
  private var errors: [Double] = []
  private var isWithin: [Bool] = []

  mutating func add(_ found: [JourneySegment], since beginning: UTCTime, truth life: DailyLife) {
    let legs = found.flatMap(\.legs).map { leg in
      (leg.mode, leg.start.seconds(since: beginning), leg.end.seconds(since: beginning))
    }
    var first = 0
    for leg in life.legs where leg.end > leg.start {
      while first < legs.count, legs[first].2 <= leg.start { first += 1 }
      var covered = 0.0, index = first
      while index < legs.count, legs[index].1 < leg.end {
        let both = min(leg.end, legs[index].2) - max(leg.start, legs[index].1)
        if both > 0 {
          seconds[leg.mode, default: [:]][legs[index].0, default: 0] += both
          covered += both
        }
        index += 1
      }
      seconds[leg.mode, default: [:]][nil, default: 0] += max(0, leg.end - leg.start - covered)
    }
    addDistances(found, since: beginning, truth: life)
  }

  private mutating func addDistances(
    _ found: [JourneySegment], since beginning: UTCTime, truth life: DailyLife
  ) {
    var truths: [(start: Double, end: Double, distance: Double)] = []
    for leg in life.legs {
      if leg.beginsJourney || truths.isEmpty {
        truths.append((leg.start, leg.end, leg.distance))
      } else {
        truths[truths.count - 1].end = leg.end
        truths[truths.count - 1].distance += leg.distance
      }
    }
    var index = 0
    for truth in truths where truth.distance > 0 {
      journeys += 1
      while index < found.count, found[index].end.time.seconds(since: beginning) <= truth.start { index += 1 }
      guard index < found.count else { continue }
      let journey = found[index]
      let start = journey.start.time.seconds(since: beginning),
        end = journey.end.time.seconds(since: beginning)
      let both = min(end, truth.end) - max(start, truth.start)
      guard both >= 0.5 * (max(end, truth.end) - min(start, truth.start)) else { continue }
      matched += 1
      errors.append((journey.distance - truth.distance).magnitude / truth.distance)
      isWithin.append((journey.distance - truth.distance).magnitude <= 2 * journey.uncertainty)
    }
  }

  /// The median error of a distance, as a share.
  var distanceError: Double { errors.isEmpty ? .nan : errors.sorted()[errors.count / 2] }
  /// The share of distances within two stated standard deviations.
  var coverage: Double { Double(isWithin.filter { $0 }.count) / Double(max(1, isWithin.count)) }
}
