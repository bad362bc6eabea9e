import WhereaboutsModel
import WhereaboutsGeodesy

/// Tells stated speeds that are not the device's: in another unit, or zero where none is known.
///
/// Recordings hold knots or kilometres per hour where metres per second belong, and programs write zero for what they
/// do not have, as Android's `Location.getSpeed()` gives it. Speeds that the places contradict are not used, as long
/// as they do: the way is then worked out as if none were stated.
///
/// - Complexity: O(1) a fix.
struct StatedSpeedFilter: Sendable, Hashable, Codable {
  private let model: MotionModel
  private var last: TrackSample?
  private var velocities = SpeedRegression()
  private var speeds = SpeedRegression()
  private var zeros = ZeroSpeedTest()

  init(model: MotionModel) { self.model = model }

  /// A fix that comes after all before it, without its speed if that is not to be believed.
  mutating func withoutImplausibleSpeed(_ sample: TrackSample) -> TrackSample {
    compare(sample)
    // A place that is given again is older than its time.
    if sample.place != last?.place { last = sample }
    zeros.process(sample, walking: model.sureMovementSpeed)
    guard let speed = sample.speed else { return sample }
    let isBelieved =
      speed == 0
      ? !zeros.sayNothing
      : !(sample.velocity == nil ? speeds.isTooFast : velocities.isDisproportionate)
    guard !isBelieved else { return sample }
    var silent = sample
    silent.speed = nil
    silent.velocity = nil
    return silent
  }

  /// What comes next does not continue what came before.
  mutating func endSegment() {
    last = nil
    zeros.endSegment()
  }

  /// Compares what the speeds say of the way from the fix before with what the places do.
  private mutating func compare(_ sample: TrackSample) {
    guard let last, let before = last.speed, let speed = sample.speed else { return }
    let duration = sample.time.seconds(since: last.time), mean = (before + speed) / 2
    guard duration > 0, duration < Self.longestStep, mean > model.sureMovementSpeed else { return }
    let step = sample.place - last.place, seen = (step * step).sum(),
      stated = mean * mean * duration * duration
    guard seen > 0,
      seen < Self.jumpFactor * Self.jumpFactor * stated + Self.outlier * Self.outlier * sample.variance
    else {
      return
    }
    if let one = last.velocity, let other = sample.velocity {
      let way = (one + other) * (duration / 2)
      velocities.add((way * way).sum(), (way * step).sum(), seen)
    } else if sample.velocity == nil {
      speeds.add(stated, 0, seen)
    }
  }

  /// Over more seconds than this, turns make ways longer than steps.
  private static let longestStep = 2.5
  /// Steps so many times longer than what was stated, or than what fixes are off, are jumps: no two units are so far
  /// apart.
  private static let jumpFactor = 7.0
  private static let outlier = 4.0
}

extension StatedSpeedFilter {
  /// How steps from fix to fix agree with the ways that stated speeds make of them.
  struct SpeedRegression: Sendable, Hashable, Codable {
    private var count = 0.0
    private var stated = 0.0
    private var both = 0.0
    private var seen = 0.0

    /// Some minutes at a fix a second, so that what is wrong for a while is told only for a while.
    private static let memory = 300.0
    /// Fewer say nothing.
    private static let requiredCount = 30.0
    /// More than receivers that lag or smooth are off, and less than any two units are apart.
    private static let tolerance = 0.2
    /// So many standard deviations are no chance.
    private static let deviations = 3.0

    /// Takes the squares of both lengths, in m², and the product of the two as vectors.
    mutating func add(_ stated: Double, _ both: Double, _ seen: Double) {
      let kept = 1 - 1 / Self.memory
      count = count * kept + 1
      self.stated = self.stated * kept + stated
      self.both = self.both * kept + both
      self.seen = self.seen * kept + seen
    }

    /// Whether the velocities, by linear regression, are not in proportion one to one.
    var isDisproportionate: Bool {
      guard count >= Self.requiredCount else { return false }
      let scale = both / stated
      let residual = max(0, seen - scale * both) / (2 * count)
      let excess = (scale - 1).magnitude - Self.tolerance
      return excess > 0 && excess * excess * stated > Self.deviations * Self.deviations * residual
    }

    /// Whether the speeds make more of the way than the places, which noise only pulls further apart.
    var isTooFast: Bool {
      count >= Self.requiredCount && seen < (1 - Self.tolerance) * (1 - Self.tolerance) * stated
    }
  }

  /// Tells a speed of zero that means none is known.
  ///
  /// That is so where no other was ever stated and the device goes on and on all the same: several times further than
  /// its fixes can be off, each time forward and as fast as one walks. Fixes that jump between two places go back.
  struct ZeroSpeedTest: Sendable, Hashable, Codable {
    private(set) var sayNothing = false
    private var isOtherKnown = false
    private var mark: TrackSample?
    private var direction = SIMD3<Double>()
    private var legs = 0

    private static let requiredLegs = 4
    private static let deviations = 3.0

    mutating func process(_ sample: TrackSample, walking: Double) {
      guard !isOtherKnown, let speed = sample.speed else { return }
      guard speed == 0 else {
        isOtherKnown = true
        sayNothing = false
        return
      }
      guard !sayNothing else { return }
      guard let mark else { return self.mark = sample }
      let leg = sample.place - mark.place, square = (leg * leg).sum()
      guard square > Self.deviations * Self.deviations * (sample.variance + mark.variance) else { return }
      let least = walking * sample.time.seconds(since: mark.time)
      let isForward = legs == 0 || (leg * direction).sum() > 0
      legs = square < least * least ? 0 : isForward ? legs + 1 : 1
      direction = leg
      self.mark = sample
      sayNothing = legs >= Self.requiredLegs
    }

    mutating func endSegment() {
      mark = nil
      legs = 0
    }
  }
}
