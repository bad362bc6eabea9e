import WhereaboutsModel

/// Consecutive steps between fixes, and the way by their stated speeds.
///
/// A step of a second or two is often shorter than the error of its fixes; a leg is as many steps as exceed it.
struct StatedLeg: Sendable, Hashable, Codable {
  let start: TrackSample
  /// The length of the stated way in metres, and its variance in m².
  private(set) var length = 0.0
  private(set) var variance = 0.0
  /// The stated way as a vector, earth-centred in metres; `nil` if a course is missing or a step is long.
  private(set) var way: SIMD3<Double>? = SIMD3()
  /// The duration of the longest step, in seconds.
  private(set) var longestStep = 0.0

  init(from start: TrackSample) { self.start = start }

  /// Adds a step.
  ///
  /// - Returns: whether the step belongs to the leg: both of its fixes state a speed, and it is short enough.
  mutating func extend(from before: TrackSample, to now: TrackSample, within longest: Double) -> Bool {
    let seconds = now.time.seconds(since: before.time)
    guard let one = before.speed, let other = now.speed, seconds > 0, seconds <= longest else { return false }
    length += (one + other) / 2 * seconds
    // Each error counts in the step before its fix and in the step after.
    variance += seconds * seconds / 2 * (before.speedVariance + now.speedVariance)
    longestStep = max(longestStep, seconds)
    if let way, let one = before.velocity, let other = now.velocity, seconds < Self.longestVectorStep {
      self.way = way + (one + other) * (seconds / 2)
    } else {
      way = nil
    }
    return true
  }

  /// Returns the difference of lengths that the errors explain, in metres.
  func error(to now: TrackSample) -> Double {
    let grid = min(start.gridStep ?? 0, now.gridStep ?? 0)
    return Self.deviations * (start.variance + now.variance + grid * grid / 6 + variance).squareRoot()
  }

  /// The longest step whose direction counts, in seconds; in a longer one, a device may turn.
  private static let longestVectorStep = 11.0
  /// The number of standard deviations that chance does not explain.
  private static let deviations = 3.0
  /// The tolerated difference between a leg and the stated way, as a share of the longer one; the nearest two units differ
  /// by 0.46.
  static let tolerance = 0.35
}
