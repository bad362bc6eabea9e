import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsModel

/// A comparison of the speeds that a phone states with the distances between its positions.
///
/// OwnTracks' form and OsmAnd's do not state the unit of a speed, and Colota writes m/s where OwnTracks writes km/h.
/// Speeds in a wrong unit make the distance of a day wrong by a quarter and more.
struct SpeedUnitCheck: Sendable {
  /// The number of pairs of positions after which the pairs are judged.
  private static let pairsPerJudgement = 30
  /// The number of pairs among them that one unit has to fit.
  private static let fittingPairs = 24

  /// The unit in which the speeds were read.
  let unit: PhoneSettings.SpeedUnit
  private var last: Fix?
  private var pairs = 0
  /// The number of pairs that each unit fits.
  private var fitting: [PhoneSettings.SpeedUnit: Int] = [:]
  private var isDecided = false

  init(unit: PhoneSettings.SpeedUnit) { self.unit = unit }

  /// Processes a position.
  ///
  /// - Returns: the unit that fits the distances instead, once; `nil` as long as none does.
  mutating func process(_ fix: Fix) -> PhoneSettings.SpeedUnit? {
    defer { last = fix }
    guard !isDecided, let last, let ratio = Self.ratio(from: last, to: fix) else { return nil }
    pairs += 1
    for other in PhoneSettings.SpeedUnit.allCases {
      let factor = other.inMetresPerSecond(1) / unit.inMetresPerSecond(1)
      if (0.78...1.28).contains(ratio / factor) { fitting[other, default: 0] += 1 }
    }
    guard pairs == Self.pairsPerJudgement else { return nil }
    let best = fitting.first { $0.value >= Self.fittingPairs }?.key
    pairs = 0
    fitting = [:]
    isDecided = best != nil
    return best == unit ? nil : best
  }

  /// Returns the distance between two positions of a steady ride, divided by the distance that their speeds give; `nil`
  /// for positions that are too far apart in time, too near each other, or inaccurate.
  private static func ratio(from last: Fix, to fix: Fix) -> Double? {
    guard let before = last.time, let time = fix.time, let first = last.speed, let second = fix.speed,
      max(last.horizontalAccuracy ?? 0, fix.horizontalAccuracy ?? 0) <= 25
    else { return nil }
    let seconds = time.seconds(since: before), speed = (first + second) / 2
    guard (1...30).contains(seconds), speed > 0, abs(first - second) <= 0.3 * speed else { return nil }
    let distance = last.coordinate.distance(to: fix.coordinate)
    return distance >= 50 ? distance / (speed * seconds) : nil
  }
}
