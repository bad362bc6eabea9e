import WhereaboutsModel
import RealModule

/// A Kalman filter that follows a device forward in time, fix by fix, and estimates the receiver's errors and the
/// device's agility.
struct TrackKalmanFilter: Sendable, Hashable, Codable {
  let model: MotionModel
  private(set) var state: MotionState
  private var time: UTCTime
  private var noise: UncorrelatedNoiseEstimator
  /// The noise of stated velocities; `nil` before the first, and in states of earlier versions.
  private var speedNoise: SpeedNoiseEstimator?
  /// The present agility: the rate at which the velocity wanders, in m²/s³ an axis.
  private var agility: Double
  private var count = 0
  private var surprisesInARow = 0
  /// The distance of the last fix from its predicted place beyond what chance explains, in metres.
  private var excess = 0.0

  /// - Parameter noise: the known noise of the receiver.
  init(at sample: TrackSample, model: MotionModel, noise: UncorrelatedNoiseEstimator? = nil) {
    self.model = model
    self.noise = noise ?? UncorrelatedNoiseEstimator(model: model)
    agility = model.initialAgility
    time = sample.time
    // The velocity is unknown except that 20 m/s are usual; the place is unknown until the fix is processed.
    state = MotionState(
      place: sample.place, velocity: SIMD3(), offset: SIMD3(),
      covariance: MotionState.Covariance(pp: 1e6, vv: 400, oo: sample.variance))
  }

  /// The estimated noise of the receiver, for the next filter.
  var noiseEstimator: UncorrelatedNoiseEstimator {
    var meter = noise
    meter.endSegment()
    return meter
  }

  /// Updates the noise of the receiver from a fix that is not processed, or not yet.
  mutating func learnNoise(_ stated: TrackSample) { noise.process(stated) }

  /// Replaces the knowledge of the receiver by that of another filter.
  mutating func adoptNoise(of other: TrackKalmanFilter) { noise = other.noise }

  /// Restarts at a fix, with the knowledge of the receiver. The number of processed fixes stays, so that a filter
  /// restarts a few times at most.
  mutating func restart(at sample: TrackSample) {
    var restarted = TrackKalmanFilter(at: sample, model: model)
    restarted.noise = noise
    restarted.count = count
    self = restarted
  }

  /// The factor by which the stated variances are too small, as far as known; at least 1.
  var varianceFactor: Double { noise.varianceFactor }

  /// Returns this filter, with its knowledge of the receiver, as it was after an earlier fix.
  ///
  /// - Parameters:
  ///   - before: the node of that fix.
  ///   - next: the node after it.
  func rewound(to before: TrackNode, next: TrackNode) -> TrackKalmanFilter {
    var filter = self
    filter.state = before.filtered
    filter.time = before.sample.time
    filter.surprisesInARow = before.surprisesInARow
    filter.agility = next.agility
    return filter
  }

  /// Processes a fix that is later than all before it.
  ///
  /// - Parameters:
  ///   - isLearned: whether the noise of the fix is learned already, or must not be.
  ///   - isRejected: whether the fix is a known outlier, which tells nothing of the device.
  ///   - manoeuvre: the least agility, in m²/s³ an axis, where a manoeuvre is known.
  mutating func process(
    _ stated: TrackSample, isLearned: Bool = false, isRejected: Bool = false, manoeuvre: Double = 0
  ) -> TrackNode {
    if !isLearned { noise.process(stated) }
    if model.learnsSpeedNoise, !isRejected, !isLearned { learnSpeedNoise(stated) }
    let own = noise.uncorrelatedShare
    var sample = stated
    sample.variance *= noise.varianceFactor
    sample.speedVariance *= speedNoise?.varianceFactor ?? 1
    let duration = max(0, sample.time.seconds(since: time))
    time = sample.time
    let variance = max(Self.leastVariance, sample.variance * own, sample.rounding)
    var step = MotionState.Step(
      duration: duration, agility: max(agility, manoeuvre, manoeuvreAgility(to: sample, in: duration)),
      memory: memory(after: duration, to: sample.variance),
      offsetVariance: sample.variance * (1 - own))
    if model.followsManoeuvresAtOnce || duration >= model.manoeuvreStep {
      step.agility = max(step.agility, manoeuvreAgility(toPlaceOf: sample, variance, step))
    }
    let agilityBefore = agility
    state.predict(step)
    var surprise = 1.0, hasVelocity = false
    excess = 0
    if !isRejected {
      let least = leastAgility(at: sample, after: duration)
      surprise = updatePlace(of: sample, variance: variance, leastAgility: least)
      hasVelocity = updateVelocity(of: sample)
      count += 1
    }
    return TrackNode(
      sample: stated, step: step, filtered: state, smoothed: state,
      hasVelocity: hasVelocity, surprisesInARow: isRejected ? 1 : surprisesInARow, excess: excess,
      surprise: surprise,
      agility: agilityBefore, manoeuvre: manoeuvre)
  }

  private mutating func learnSpeedNoise(_ stated: TrackSample) {
    let velocity = stated.speed == 0 ? nil : stated.velocity
    guard velocity != nil || speedNoise != nil else { return }
    var noise = speedNoise ?? SpeedNoiseEstimator()
    noise.process(velocity, variance: stated.speedVariance, at: stated.time)
    speedNoise = noise
  }

  /// Returns the squared distance of a fix from its predicted place, in m², and the variance of that distance an axis.
  /// The fix is not processed.
  ///
  /// The prediction assumes no manoeuvre: an agility that is fitted to the fix would make many outliers plausible.
  @inline(__always)  // A call with each fix would copy the whole filter.
  func normalizedInnovation(of stated: TrackSample) -> (square: Double, variance: Double) {
    let duration = max(0, stated.time.seconds(since: time)), own = noise.uncorrelatedShare
    let variance = stated.variance * noise.varianceFactor
    var state = state
    state.predict(
      MotionState.Step(
        duration: duration, agility: agility, memory: memory(after: duration, to: variance),
        offsetVariance: variance * (1 - own)))
    let innovation = stated.place - state.place - state.offset
    return (
      (innovation * innovation).sum(),
      state.predictedPlaceVariance + max(Self.leastVariance, variance * own, stated.rounding)
    )
  }

  /// Returns the share of the offset that remains at a fix.
  ///
  /// The offset of a much coarser fix is not an error of this one: a network's place comes before the receiver's first
  /// fix, for example. It would make the place uncertain for as long as it lasts.
  ///
  /// - Parameter variance: the variance of the fix, in m² an axis.
  private func memory(after duration: Double, to variance: Double) -> Double {
    let greatest = Self.offsetDeviations * Self.offsetDeviations * variance
    return state.covariance.oo > greatest ? 0 : Double.exp(-duration / model.errorMemory)
  }

  /// The greatest deviation of an offset that may belong to a fix, in standard deviations of the fix.
  private static let offsetDeviations = 10.0

  /// Returns the agility for which a stated velocity is plausible, as far as brakes and engines allow.
  @inline(__always)  // A call with each fix would copy the whole filter.
  private func manoeuvreAgility(to sample: TrackSample, in duration: Double) -> Double {
    guard let measured = Self.velocity(of: sample, below: model.sureMovementSpeed), duration > 0,
      count >= Self.minimumFixes
    else { return 0 }
    let change = measured.velocity - state.velocity
    let unexplained = (change * change).sum() / 2 - state.covariance.vv - measured.variance
    return min(unexplained / duration, model.greatestAcceleration * model.greatestAcceleration * duration)
  }

  /// Returns the agility for which the place of a fix without a velocity is plausible, in m²/s³ an axis. The result is
  /// 0 if the place is plausible without a manoeuvre, or if no possible manoeuvre explains the place.
  ///
  /// Where fixes are rare, one can lie far from its prediction because the device has braked or turned since.
  ///
  /// - Parameters:
  ///   - variance: the variance of the fix's uncorrelated error, in m² an axis.
  ///   - step: the step to the fix without a manoeuvre.
  @inline(__always)  // A call with each fix would copy the whole filter.
  private func manoeuvreAgility(
    toPlaceOf sample: TrackSample, _ variance: Double, _ step: MotionState.Step
  ) -> Double {
    guard count >= Self.minimumFixes, Self.velocity(of: sample, below: model.sureMovementSpeed) == nil else {
      return 0
    }
    var predicted = state
    predicted.predict(step)
    let innovation = sample.place - predicted.place - predicted.offset
    let square = (innovation * innovation).sum(), expected = predicted.predictedPlaceVariance + variance
    guard square > expected * model.fullWeightDeviations * model.fullWeightDeviations else { return 0 }
    let duration = step.duration
    // A device that turns back at once deviates from its prediction by twice its way.
    let speed = state.velocity.length + Self.speedDeviations * max(0, state.covariance.vv).squareRoot()
    guard square.squareRoot() <= 2 * speed * duration else { return 0 }
    // The agility that makes such an innovation the average one.
    let explaining = step.agility + 3 * (square / 2 - expected) / (duration * duration * duration)
    return explaining <= model.greatestAcceleration * model.greatestAcceleration * duration ? explaining : 0
  }

  /// The number of standard deviations above the estimated speed that a device seldom exceeds.
  private static let speedDeviations = 2.0

  /// The least variance of a place, in m²: recordings round to a decimetre.
  private static let leastVariance = 0.01

  /// - Returns: the squared distance of the fix from its predicted place, as a share of its mean by chance; 1 before
  ///   there is a prediction.
  private mutating func updatePlace(
    of sample: TrackSample, variance: Double, leastAgility: Double
  ) -> Double {
    let innovation = sample.place - state.place - state.offset
    let square = (innovation * innovation).sum()
    let expected = state.predictedPlaceVariance + variance
    var variance = variance, surprise = 1.0
    excess = 0
    if count >= Self.minimumFixes {
      surprise = square / expected / 2
      adaptAgility(surprise, least: leastAgility)
      let isSurprise = square > expected * model.fullWeightDeviations * model.fullWeightDeviations
      surprisesInARow = isSurprise ? surprisesInARow + 1 : 0
      let plausible = 2 * model.agilityClip * expected
      if square > plausible { excess = square.squareRoot() - plausible.squareRoot() }
      let isBeyond = square > expected * model.rejectionDeviations * model.rejectionDeviations
      guard !isBeyond || surprisesInARow >= model.rejectionsBeforeAcceptance else { return surprise }
      if isSurprise {
        variance += square / (model.fullWeightDeviations * model.fullWeightDeviations) - expected
      }
    }
    state.updatePlace(innovation, variance: variance)
    return surprise
  }

  /// Whether the first fixes, of which none can be surprising, may still lead the estimate astray.
  var isYoung: Bool { count <= 4 * Self.minimumFixes }

  /// The number of fixes before which none can be surprising.
  private static let minimumFixes = 3

  /// - Returns: whether the fix stated a velocity.
  private mutating func updateVelocity(of sample: TrackSample) -> Bool {
    guard let measured = Self.velocity(of: sample, below: model.sureMovementSpeed) else { return false }
    let innovation = measured.velocity - state.velocity
    let square = (innovation * innovation).sum()
    let expected = state.covariance.vv + measured.variance
    if count >= Self.minimumFixes { adaptAgility(square / expected / 2, least: model.leastAgility) }
    let excess = square / (model.fullWeightDeviations * model.fullWeightDeviations) - expected
    state.updateVelocity(innovation, variance: measured.variance + max(0, excess))
    return true
  }

  /// Returns the velocity that a fix states, and its variance an axis.
  ///
  /// Receivers state no course at low speed. The direction is then unknown, but the speed is known to be low.
  private static func velocity(
    of sample: TrackSample, below slow: Double
  ) -> (velocity: SIMD3<Double>, variance: Double)? {
    if let velocity = sample.velocity { return (velocity, sample.speedVariance) }
    guard let speed = sample.speed, speed < slow else { return nil }
    return (SIMD3(), sample.speedVariance + speed * speed / 2)
  }

  /// Updates the agility: fixes further from their prediction than expected increase it, nearer ones decrease it.
  private mutating func adaptAgility(_ ratio: Double, least: Double) {
    let surprise = min(ratio, model.agilityClip) - 1
    let learned = agility * Double.exp(model.agilityGain * surprise)
    agility = min(model.greatestAgility, max(least, learned))
  }

  /// Returns the least agility after a step. It is lower where manoeuvres are found by looking back.
  private func leastAgility(at sample: TrackSample, after duration: Double) -> Double {
    let isSteady = sample.speed == nil && speedNoise == nil && duration < VelocityChanges.longestStep
    return isSteady ? model.leastAgilityBetweenManoeuvres : model.leastAgility
  }
}
