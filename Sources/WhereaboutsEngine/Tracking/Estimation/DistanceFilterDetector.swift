/// A detector of sources that report a fix only after some metres, as many apps ask for to save power.
///
/// Their steps are all about as long, however long each took. Such a source is silent while the device stands, so that
/// a long interval is no evidence of a way.
///
/// - Complexity: O(1) a step.
struct DistanceFilterDetector: Sendable, Hashable, Codable {
  /// The usual length of a step, in metres; 0 before the first.
  private var usualStep = 0.0
  /// The mean excess over 1 of the ratio of steps, and of intervals, to the usual ones or of the usual ones to them.
  private var stepSpread = 0.0
  private var intervalSpread = 0.0
  private var count = 0.0

  /// Whether the source reports fixes by distance.
  var isByDistance: Bool {
    count >= Self.requiredCount && intervalSpread > Self.leastIntervalSpread
      && stepSpread < Self.greatestShare * intervalSpread
  }

  /// Processes the step between two consecutive fixes.
  ///
  /// - Parameters:
  ///   - step: the length of the step, in metres.
  ///   - interval: the duration of the step, in seconds.
  ///   - usualInterval: the usual interval before this one, in seconds; 0 where unknown.
  mutating func process(step: Double, interval: Double, usualInterval: Double) {
    guard step > 0, interval > 0 else { return }
    guard usualStep > 0, usualInterval > 0 else { return usualStep = step }
    count += 1
    let share = max(1 / count, Self.leastShare)
    stepSpread += share * (Self.spread(step, usualStep) - stepSpread)
    intervalSpread += share * (Self.spread(interval, usualInterval) - intervalSpread)
    // Moves towards the median: as many steps are longer as are shorter.
    usualStep *= step > usualStep ? Self.stride : 1 / Self.stride
  }

  private static func spread(_ one: Double, _ other: Double) -> Double {
    min(greatestSpread, max(one, other) / min(one, other) - 1)
  }

  private static let requiredCount = 10.0
  /// The memory is that of twenty steps.
  private static let leastShare = 0.05
  private static let stride = 1.1
  /// A factor of three: a longer rest counts as much.
  private static let greatestSpread = 2.0
  /// The greatest ratio of the spreads. The steps of a source that reports by time spread as its intervals do, or more.
  private static let greatestShare = 0.5
  /// The least spread of intervals that tells the two apart: a tenth.
  private static let leastIntervalSpread = 0.1
}
