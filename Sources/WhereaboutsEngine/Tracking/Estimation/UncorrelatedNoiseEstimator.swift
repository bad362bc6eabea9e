import WhereaboutsModel
import RealModule

/// Measures which share of the stated variance a fix's own error has: what it does not share with those around it.
///
/// Three fixes in a row, evenly spaced, of a device whose velocity hardly changes, bend by their own errors only; the
/// square of that has six times their variance an axis. Its median is followed, so that turns and outliers, which
/// bend more, matter little.
struct UncorrelatedNoiseEstimator: Sendable, Hashable, Codable {
  private var before: TrackSample?
  private var last: TrackSample?
  /// Median of the squared bends, as a share of what is stated.
  private var median: Double
  private var count = 0.0
  /// How many times greater than stated the variance is, as far as jumps show.
  private var jumps = 0.0
  private let greatestAcceleration: Double?
  private let gain: Double

  init(model: MotionModel) {
    median = model.initialUncorrelatedShare * Self.medianByMean
    gain = model.uncorrelatedShareGain
    greatestAcceleration = model.inflatesAccuracyAfterJumps ? model.usualAcceleration : nil
  }

  /// Squared lengths of such errors in a plane are distributed exponentially, and ln 2 of the mean is the median.
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
    // Steps up and down of one size come to rest at the median of whatever comes; large ones at first.
    let stride = gain * max(0.05, 1 / count)
    median *= Double.exp(share > median ? stride : -stride)
    median = min(1, max(0.0005, median))
  }

  /// By how much the stated variance of a fix is to be multiplied, at least 1.
  var varianceFactor: Double { max(1, jumps) }

  /// - Parameter excess: metres of a bend that no acceleration explains.
  private mutating func recordJump(_ excess: Double, _ variance: Double) {
    let length = max(0, excess)
    let ratio = min(Self.greatestJump, length * length / 12 / variance)
    jumps += (ratio > jumps ? Self.jumpAttack : Self.jumpDecay) * (ratio - jumps)
  }

  /// One jump counts for so much at most, a fifth of it at once, and is forgotten in twenty fixes.
  private static let greatestJump = 20.0
  private static let jumpAttack = 0.2
  private static let jumpDecay = 0.05

  /// Over more seconds than this a velocity changes too much.
  private static let longestStep = 11.0

  /// What comes next does not continue what came before.
  mutating func endSegment() {
    before = nil
    last = nil
  }
}
