import WhereaboutsModel
import WhereaboutsGeodesy

/// A filter that removes stated speeds in another unit, zeros that stand for an unknown speed, and courses that are not
/// the direction of travel.
///
/// Some recordings hold knots or kilometres per hour instead of metres per second. Some programs write zero for an
/// unknown speed, as Android's `Location.getSpeed()` returns it. While the places contradict the speeds, the speeds are
/// not used: the track is then estimated as if no speed were stated.
///
/// - Complexity: O(1) a fix.
struct StatedSpeedFilter: Sendable, Hashable, Codable {
  private let model: MotionModel
  private var last: TrackSample?
  private var velocities = SpeedRegression()
  private var speeds = SpeedRegression()
  /// The longer steps of a device that goes straight on; `nil` before the first, and in states of earlier versions.
  private var straightSteps: SpeedRegression?
  private var zeros = ZeroSpeedTest()
  /// The lengths of legs, with and without courses; `nil` before the first speed, and in states of earlier versions.
  private var lengths: StatedLengthTest?

  init(model: MotionModel) { self.model = model }

  /// Returns a fix that is later than all before it, without its speed or its course if that is implausible.
  ///
  /// - Parameter varianceFactor: the factor for the variances of the receiver's stated accuracies.
  mutating func withoutImplausibleMotion(_ sample: TrackSample, varianceFactor: Double = 1) -> TrackSample {
    compare(sample)
    compareLengths(sample, varianceFactor)
    // A repeated place is older than its time.
    if sample.place != last?.place { last = sample }
    zeros.process(sample, walking: model.sureMovementSpeed)
    guard let speed = sample.speed else { return sample }
    var plausible = sample
    let isAskew = lengths?.areCoursesContradicted ?? false
    if isAskew { plausible.velocity = nil }
    let isBelieved =
      speed == 0
      ? !zeros.sayNothing
      : !(sample.velocity == nil ? speeds.isTooFast : !isAskew && areVelocitiesDisproportionate)
        && !(lengths?.isContradicted ?? false)
    guard !isBelieved else { return plausible }
    plausible.speed = nil
    plausible.velocity = nil
    return plausible
  }

  /// Ends the segment: later fixes do not continue the earlier ones.
  mutating func endSegment() {
    last = nil
    zeros.endSegment()
    lengths?.endSegment()
  }

  private mutating func compareLengths(_ sample: TrackSample, _ varianceFactor: Double) {
    guard sample.place != last?.place, lengths != nil || sample.speed != nil else { return }
    var test = lengths ?? StatedLengthTest(), scaled = sample
    scaled.variance *= varianceFactor
    test.process(scaled, model)
    lengths = test
  }

  /// Compares the distance from the fix before by the speeds with that by the places.
  private mutating func compare(_ sample: TrackSample) {
    guard let last, let before = last.speed, let speed = sample.speed else { return }
    let duration = sample.time.seconds(since: last.time), mean = (before + speed) / 2
    guard duration > 0, duration < Self.longestStraightStep, mean > model.sureMovementSpeed else { return }
    let step = sample.place - last.place, seen = (step * step).sum(),
      stated = mean * mean * duration * duration
    guard seen > 0,
      seen < Self.jumpFactor * Self.jumpFactor * stated + Self.outlier * Self.outlier * sample.variance
    else {
      return
    }
    if let one = last.velocity, let other = sample.velocity {
      let way = (one + other) * (duration / 2)
      if duration < Self.longestStep {
        velocities.add((way * way).sum(), (way * step).sum(), seen)
      } else if Self.isAligned(one, other), Self.isAligned(way, step) {
        var steps = straightSteps ?? SpeedRegression()
        steps.add((way * way).sum(), (way * step).sum(), seen)
        straightSteps = steps
      }
    } else if sample.velocity == nil, duration < Self.longestStep {
      speeds.add(stated, 0, seen)
    }
  }

  @inline(__always)  // A call with each fix would copy the whole filter.
  private var areVelocitiesDisproportionate: Bool {
    velocities.isDisproportionate(beyond: SpeedRegression.tolerance)
      || straightSteps?.isDisproportionate(beyond: SpeedRegression.straightTolerance) ?? false
  }

  private static func isAligned(_ one: SIMD3<Double>, _ other: SIMD3<Double>) -> Bool {
    (one * other).sum() > leastCosine * one.length * other.length
  }

  /// The longest step that is compared whatever its direction, in seconds: over a longer one, turns make the track longer
  /// than the step.
  private static let longestStep = 2.5
  /// The longest compared step of a device that goes straight on, in seconds: in a longer one, it may stop between.
  private static let longestStraightStep = 11.0
  /// The cosine of the greatest angle between two directions that count as one: 20°.
  private static let leastCosine = 0.94
  /// The ratio of a step to the stated distance, or to the error of the fixes, from which the step is a jump: no two
  /// units differ by so much.
  private static let jumpFactor = 7.0
  private static let outlier = 4.0
}

extension StatedSpeedFilter {
  /// The regression of steps between fixes on the distances by stated speeds.
  struct SpeedRegression: Sendable, Hashable, Codable {
    private var count = 0.0
    private var stated = 0.0
    private var both = 0.0
    private var seen = 0.0

    /// The memory of the regression: some minutes at a fix a second, so that a temporary error has a temporary effect.
    private static let memory = 300.0
    /// The least number of steps for a decision.
    private static let requiredCount = 30.0
    /// The tolerated disproportion: more than the error of receivers that lag or smooth, and less than the ratio of any
    /// two units.
    static let tolerance = 0.2
    /// The tolerated disproportion over longer steps, in which the speed changes: no two units differ by so little.
    static let straightTolerance = 0.4
    /// The number of standard deviations that chance does not explain.
    private static let deviations = 3.0

    /// Adds the squares of both lengths, in m², and the product of the two as vectors.
    mutating func add(_ stated: Double, _ both: Double, _ seen: Double) {
      let kept = 1 - 1 / Self.memory
      count = count * kept + 1
      self.stated = self.stated * kept + stated
      self.both = self.both * kept + both
      self.seen = self.seen * kept + seen
    }

    /// Returns whether the velocities, by linear regression, are not in proportion one to one.
    func isDisproportionate(beyond tolerance: Double) -> Bool {
      guard count >= Self.requiredCount else { return false }
      let scale = both / stated
      let residual = max(0, seen - scale * both) / (2 * count)
      let excess = (scale - 1).magnitude - tolerance
      return excess > 0 && excess * excess * stated > Self.deviations * Self.deviations * residual
    }

    /// Whether the distance by the speeds exceeds that by the places, which noise only lengthens.
    var isTooFast: Bool {
      count >= Self.requiredCount && seen < (1 - Self.tolerance) * (1 - Self.tolerance) * stated
    }
  }

  /// A test for speeds of zero that mean an unknown speed.
  ///
  /// The test succeeds where no other speed was ever stated and the device still travels on. Each displacement is then
  /// several times the error of the fixes, forward, and at walking speed. Fixes that jump between two places go back.
  struct ZeroSpeedTest: Sendable, Hashable, Codable {
    private(set) var sayNothing = false
    private var isOtherKnown = false
    private var mark: TrackSample?
    private var direction = SIMD3<Double>()
    private var legs = 0

    private static let requiredLegs = 4
    private static let deviations = 3.0
    /// The ratio of variances from which a mark is replaced: twice the error.
    private static let coarseness = 4.0

    mutating func process(_ sample: TrackSample, walking: Double) {
      guard !isOtherKnown, let speed = sample.speed else { return }
      guard speed == 0 else {
        isOtherKnown = true
        sayNothing = false
        return
      }
      guard !sayNothing else { return }
      // Beside a coarse mark, as a network's place before the first fix of a receiver, no way would be long enough.
      guard let mark, mark.variance < Self.coarseness * sample.variance else { return self.mark = sample }
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
