import RealModule

/// Follows a device forward in time, one fix after the other, and learns how its receiver errs and how it moves.
struct WayFilter: Sendable, Hashable, Codable {
  private let model: MotionModel
  private(set) var state: MotionState
  private var time: UTCTime
  private var noise: OwnNoiseMeter
  /// How fast the velocity wanders, as it has lately, in m²/s³ an axis.
  private var agility: Double
  private var count = 0
  private var surprisesInARow = 0
  /// Metres by which the last fix was further off than chance explains.
  private var excess = 0.0

  /// - Parameter noise: what is known of the receiver from before.
  init(at sample: WaySample, model: MotionModel, noise: OwnNoiseMeter? = nil) {
    self.model = model
    self.noise = noise ?? OwnNoiseMeter(model: model)
    agility = model.initialAgility
    time = sample.time
    // Nothing is known of the velocity but that 20 m/s are usual, and of the place but what the fix will say.
    state = MotionState(
      place: sample.place, velocity: SIMD3(), offset: SIMD3(),
      covariance: MotionState.Covariance(pp: 1e6, vv: 400, oo: sample.variance))
  }

  /// What was learned of the receiver, for the next filter.
  var noiseMeter: OwnNoiseMeter {
    var meter = noise
    meter.breakOff()
    return meter
  }

  /// Learns how the receiver errs from a fix that is not taken, or not yet.
  mutating func learn(_ stated: WaySample) { noise.take(stated) }

  /// By how much the stated variances are too small, as far as is known; at least 1.
  var doubt: Double { noise.doubt }

  /// Takes a fix that comes after all before it.
  ///
  /// - Parameter isLearned: whether ``learn(_:)`` has had it.
  mutating func take(_ stated: WaySample, isLearned: Bool = false) -> WayNode {
    if !isLearned { noise.take(stated) }
    let own = noise.share
    var sample = stated
    sample.variance *= noise.doubt
    let duration = max(0, sample.time.seconds(since: time))
    time = sample.time
    let step = MotionState.Step(
      duration: duration, agility: max(agility, manoeuvre(to: sample, in: duration)),
      memory: Double.exp(-duration / model.errorMemory),
      offsetVariance: sample.variance * (1 - own))
    let speedBefore = state.velocity.length
    state.predict(step)
    takePlace(of: sample, variance: max(Self.leastVariance, sample.variance * own, sample.rounding))
    let hasVelocity = takeVelocity(of: sample)
    count += 1
    return WayNode(
      sample: sample, step: step, filtered: state, smoothed: state,
      hasVelocity: hasVelocity, liveStride: liveStride(from: speedBefore, duration),
      surprisesInARow: surprisesInARow, excess: excess)
  }

  /// How far a fix lies from where it is to be expected, as a square in m², and the variance of that an axis; the fix is
  /// not taken.
  func surprise(of stated: WaySample) -> (square: Double, variance: Double) {
    let duration = max(0, stated.time.seconds(since: time)), own = noise.share
    let variance = stated.variance * noise.doubt
    var state = state
    state.predict(
      MotionState.Step(
        duration: duration, agility: agility, memory: Double.exp(-duration / model.errorMemory),
        offsetVariance: variance * (1 - own)))
    let innovation = stated.place - state.place - state.offset
    return (
      (innovation * innovation).sum(),
      state.foreseenPlaceVariance + max(Self.leastVariance, variance * own, stated.rounding)
    )
  }

  /// The agility that a stated velocity takes to be true, as far as brakes and engines can do it.
  private func manoeuvre(to sample: WaySample, in duration: Double) -> Double {
    guard let measured = Self.velocity(of: sample, below: model.surelyMovingSpeed), duration > 0,
      count >= Self.fixesToKnow
    else { return 0 }
    let change = measured.velocity - state.velocity
    let unexplained = (change * change).sum() / 2 - state.covariance.vv - measured.variance
    return min(unexplained / duration, model.greatestAcceleration * model.greatestAcceleration * duration)
  }

  /// Recordings round to a decimetre.
  private static let leastVariance = 0.01

  private func liveStride(from before: Double, _ duration: Double) -> Double {
    let now = state.velocity.length
    let isMoving = now > max(model.maybeMovingSpeed, 2 * max(0, state.covariance.vv).squareRoot())
    return isMoving ? (now + before) / 2 * duration : 0
  }

  private mutating func takePlace(of sample: WaySample, variance: Double) {
    let innovation = sample.place - state.place - state.offset
    let square = (innovation * innovation).sum()
    let expected = state.foreseenPlaceVariance + variance
    var variance = variance
    excess = 0
    if count >= Self.fixesToKnow {
      learnAgility(square / expected / 2)
      let isSurprise = square > expected * model.robustness * model.robustness
      surprisesInARow = isSurprise ? surprisesInARow + 1 : 0
      let plausible = 2 * model.agilityClip * expected
      if square > plausible { excess = square.squareRoot() - plausible.squareRoot() }
      let isBeyond = square > expected * model.refusal * model.refusal
      guard !isBeyond || surprisesInARow >= model.refusalsBelieved else { return }
      if isSurprise { variance += square / (model.robustness * model.robustness) - expected }
    }
    state.observePlace(innovation, variance: variance)
  }

  /// Before so many fixes nothing can be surprising.
  private static let fixesToKnow = 3

  /// - Returns: whether there was one.
  private mutating func takeVelocity(of sample: WaySample) -> Bool {
    guard let measured = Self.velocity(of: sample, below: model.surelyMovingSpeed) else { return false }
    let innovation = measured.velocity - state.velocity
    let square = (innovation * innovation).sum()
    let expected = state.covariance.vv + measured.variance
    if count >= Self.fixesToKnow { learnAgility(square / expected / 2) }
    let excess = square / (model.robustness * model.robustness) - expected
    state.observeVelocity(innovation, variance: measured.variance + max(0, excess))
    return true
  }

  /// The velocity that a fix states, and its variance an axis.
  ///
  /// Receivers give no course where they hardly move. Which way it is then is not known, but how slow.
  private static func velocity(
    of sample: WaySample, below slow: Double
  ) -> (velocity: SIMD3<Double>, variance: Double)? {
    if let velocity = sample.velocity { return (velocity, sample.speedVariance) }
    guard let speed = sample.speed, speed < slow else { return nil }
    return (SIMD3(), sample.speedVariance + speed * speed / 2)
  }

  /// Fixes further from where they were foreseen than expected make the device more agile, nearer ones less.
  private mutating func learnAgility(_ ratio: Double) {
    let surprise = min(ratio, model.agilityClip) - 1
    let learned = agility * Double.exp(model.agilityGain * surprise)
    agility = min(model.greatestAgility, max(model.leastAgility, learned))
  }
}
