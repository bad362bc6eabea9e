import WhereaboutsModel
import RealModule

/// An estimator of the uncorrelated share of the stated variance: the part that a fix does not share with its
/// neighbours.
///
/// For three consecutive, evenly spaced fixes at a steady velocity, the second difference has its cause in their own
/// errors only; its square has six times their variance an axis. The estimator follows the median, so turns and
/// outliers, which have larger second differences, matter little.
struct UncorrelatedNoiseEstimator: Sendable, Hashable, Codable {
  private var before: TrackSample?
  private var last: TrackSample?
  /// The median of the squared second differences, as a share of the stated variance.
  private var median: Double
  private var count = 0.0
  /// The factor by which the variance exceeds the stated one, by jumps.
  private var jumps = 0.0
  private let greatestAcceleration: Double?
  private let gain: Double

  init(model: MotionModel) {
    median = model.initialUncorrelatedShare * Self.medianByMean
    gain = model.uncorrelatedShareGain
    greatestAcceleration = model.inflatesAccuracyAfterJumps ? model.usualAcceleration : nil
  }

  /// The ratio of median to mean, ln 2: squared lengths of such errors in a plane are distributed exponentially.
  private static let medianByMean = 0.693

  /// The share, in [0.001, 0.95].
  var uncorrelatedShare: Double { min(0.95, max(0.001, median / Self.medianByMean)) }

  mutating func process(_ sample: TrackSample) {
    defer {
      before = last
      last = sample
    }
    guard let before, let last else { return }
    let step = sample.time.seconds(since: last.time), stepBefore = last.time.seconds(since: before.time)
    let bend = sample.place - last.place * 2 + before.place
    if let greatestAcceleration {
      let longer = max(step, stepBefore)
      recordJump(bend.length - greatestAcceleration * longer * longer, last.variance)
    }
    guard step > 0, step < Self.longestStep, (step - stepBefore).magnitude < 0.05 * step else { return }
    let share = (bend * bend).sum() / 12 / last.variance
    count += 1
    // Steps up and down of one size converge to the median of the input; the first steps are large.
    let stride = gain * max(0.05, 1 / count)
    median *= Double.exp(share > median ? stride : -stride)
    median = min(1, max(0.0005, median))
  }

  /// The factor for the stated variance of a fix, at least 1.
  var varianceFactor: Double { max(1, jumps) }

  /// - Parameter excess: the part of a second difference that no acceleration explains, in metres.
  private mutating func recordJump(_ excess: Double, _ variance: Double) {
    let length = max(0, excess)
    let ratio = min(Self.greatestJump, length * length / 12 / variance)
    jumps += (ratio > jumps ? Self.jumpAttack : Self.jumpDecay) * (ratio - jumps)
  }

  /// The greatest weight of one jump. A fifth of it counts at once, and it is forgotten in twenty fixes.
  private static let greatestJump = 20.0
  private static let jumpAttack = 0.2
  private static let jumpDecay = 0.05

  /// The longest interval in seconds: over a longer one a velocity changes too much.
  private static let longestStep = 11.0

  /// Ends the segment: later fixes do not continue the earlier ones.
  mutating func endSegment() {
    before = nil
    last = nil
  }
}
