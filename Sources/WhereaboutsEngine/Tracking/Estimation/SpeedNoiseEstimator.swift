import WhereaboutsModel
import RealModule

/// An estimator of the noise of stated velocities, as a multiple of the assumed variance.
///
/// Between walls, velocities may be off by a metre per second while no accuracy is stated. The second difference of
/// three consecutive velocities, evenly spaced, has its cause in their errors, since a device changes its acceleration
/// less; its square has six times their variance an axis. The estimator follows the median, as
/// ``UncorrelatedNoiseEstimator`` does for places.
///
/// A device that keeps turning has second differences, too. They turn with it, while those of independent errors mostly
/// point back and forth. So one that has the direction of the one before shows no error.
struct SpeedNoiseEstimator: Sendable, Hashable, Codable {
  private struct Entry: Sendable, Hashable, Codable {
    var time: UTCTime
    var velocity: SIMD3<Double>
  }

  private var before: Entry?
  private var last: Entry?
  /// The second difference before, in m/s.
  private var bendBefore: SIMD3<Double>?
  /// The median of the squared second differences, as a share of the assumed variance.
  private var median = SpeedNoiseEstimator.medianByMean
  private var count = 0.0

  /// The ratio of median to mean for independent errors in a plane: ln 2, and less by the sixth of the differences that
  /// have the direction of the one before by chance.
  private static let medianByMean = 0.61
  /// The longest interval in seconds: over a longer one a device may turn to and fro.
  private static let longestStep = 1.5
  private static let leastMedian = 0.01
  /// The greatest median: velocities that are off by a metre per second where 0.15 m/s is assumed.
  private static let greatestMedian = 27.0

  /// The factor for the assumed variance, at least 1.
  var varianceFactor: Double { max(1, median / Self.medianByMean) }

  /// Processes the velocity of a fix; `nil` where it states none, or none but zero: zeros show a rest, and not how well
  /// a receiver measures.
  ///
  /// - Parameter variance: the assumed variance, in m²/s² an axis.
  mutating func process(_ velocity: SIMD3<Double>?, variance: Double, at time: UTCTime) {
    guard let velocity else {
      before = nil
      last = nil
      bendBefore = nil
      return
    }
    defer {
      before = last
      last = Entry(time: time, velocity: velocity)
    }
    guard let before, let last else { return }
    let step = time.seconds(since: last.time), stepBefore = last.time.seconds(since: before.time)
    guard step > 0, step < Self.longestStep, (step - stepBefore).magnitude < 0.05 * step else {
      bendBefore = nil
      return
    }
    let bend = velocity - last.velocity * 2 + before.velocity
    defer { bendBefore = bend }
    guard let bendBefore else { return }
    let share = (bend * bendBefore).sum() > 0 ? 0 : (bend * bend).sum() / 12 / variance
    count += 1
    // Steps up and down of one size converge to the median of the input; the first steps are large.
    let stride = max(0.05, 1 / count)
    median *= Double.exp(share > median ? stride : -stride)
    median = min(Self.greatestMedian, max(Self.leastMedian, median))
  }
}
