import WhereaboutsModel
import RealModule
import WhereaboutsGeodesy

/// The current and recent positions of a device, estimated from its fixes while a fence is near.
struct PathFollower: Hashable, Sendable, Codable {
  private var filter: TrackKalmanFilter
  /// The last few steps, which later fixes still improve.
  private var nodes: [TrackNode] = []
  private(set) var movement = MovementMeter()
  /// The last places of the device. Optional for older stored states.
  private var places: RecentPlaces?
  /// The estimate before the first of up to ``MotionModel/manoeuvreFixes`` surprising fixes in a row, the newest one
  /// among them; otherwise `nil`.
  private var beforeSurprise: Estimate?
  /// The position of the device; `nil` if the estimate has diverged.
  private(set) var here: PathPoint?
  /// The length of the last step in metres.
  private(set) var lastStep = 0.0
  /// The distance travelled up to the fix before the newest, in metres.
  private(set) var travelledBefore = 0.0

  /// The estimate at one fix.
  private struct Estimate: Hashable, Sendable, Codable {
    var filter: TrackKalmanFilter
    var movement: MovementMeter
  }

  /// The greatest number of steps back that later fixes still improve noticeably.
  private static let maximumNodes = 6

  /// Creates a follower that begins with a fix.
  ///
  /// - Parameter noise: the receiver's noise estimate from before.
  init(at sample: TrackSample, noise: UncorrelatedNoiseEstimator?) {
    filter = TrackKalmanFilter(at: sample, model: .fences, noise: noise)
    nodes.reserveCapacity(Self.maximumNodes + 1)
    process(sample)
  }

  /// The noise estimate of the receiver, for the next follower.
  var noise: UncorrelatedNoiseEstimator { filter.noiseEstimator }

  /// The velocity at the newest fix, in earth-centred m/s.
  var velocity: SIMD3<Double> { filter.state.velocity }

  /// Processes a fix later than all before it.
  ///
  /// - Parameters:
  ///   - isLearned: whether ``learnNoise(_:)`` has processed the fix.
  ///   - manoeuvre: the least agility before the fix, in m²/s³ per axis, if a manoeuvre is known.
  mutating func process(_ sample: TrackSample, isLearned: Bool = false, manoeuvre: Double = 0) {
    let before = Estimate(filter: filter, movement: movement), last = nodes.last?.filtered.place
    append(filter.process(sample, isLearned: isLearned, manoeuvre: manoeuvre))
    let surprises = nodes[nodes.count - 1].surprisesInARow
    if surprises == 1 { beforeSurprise = before }
    if surprises == MotionModel.fences.manoeuvreFixes { explainSurprisesByManoeuvre() }
    if surprises == 0 || surprises >= MotionModel.fences.manoeuvreFixes { beforeSurprise = nil }
    restartIfDiverged()
    if let last { lastStep = (nodes[nodes.count - 1].filtered.place - last).length }
  }

  private mutating func append(_ node: TrackNode) {
    measureMovement(to: node)
    here = point(node.filtered, at: node.sample.time)
    if nodes.count == Self.maximumNodes { nodes.removeFirst() }
    nodes.append(node)
  }

  private mutating func measureMovement(to node: TrackNode) {
    travelledBefore = movement.travelled
    movement.process(node, .fences, deviationFactor: wanderFactor)
    if places == nil { places = RecentPlaces() }
    if let proven = places?.provenDistance(to: node) { movement.raise(to: proven) }
    places?.append(node, travelled: movement.travelled)
  }

  /// Processes the last few fixes again, all of them surprising and without a velocity, if a departure from rest at
  /// the first explains them.
  ///
  /// The filter expects a device at rest to stay. Without a manoeuvre, the path follows a departing car with many seconds
  /// of delay, and the time of a crossing is late.
  private mutating func explainSurprisesByManoeuvre() {
    let count = MotionModel.fences.manoeuvreFixes
    guard nodes.count > count, var before = beforeSurprise,
      nodes.suffix(count).allSatisfy({ !$0.hasVelocity })
    else { return }
    // A sharp turn of a moving device would swing the path beyond the turn, and over boundaries there.
    let speed = (before.filter.state.velocity * before.filter.state.velocity).sum().squareRoot()
    guard speed < OutlierModel.fastestWalk else { return }
    before.filter.adoptNoise(of: filter)
    guard var manoeuvre = before.filter.manoeuvre(explaining: nodes.suffix(count), isLearned: true) else {
      return
    }
    let first = nodes.count - count
    filter = before.filter
    movement = before.movement
    places?.forget(from: nodes[first].sample.time)
    for index in first..<nodes.count {
      nodes[index] = filter.process(nodes[index].sample, isLearned: true, manoeuvre: manoeuvre)
      measureMovement(to: nodes[index])
      manoeuvre = 0
    }
    let newest = nodes[nodes.count - 1]
    here = point(newest.filtered, at: newest.sample.time)
  }

  /// Restarts the path at the last few fixes, if it passes all of them at a distance soon after its start.
  ///
  /// One of the first fixes was then probably an outlier, before any fix can be surprising. The filter explains the
  /// others by a lasting error, and the path would go beside the device for a minute. Later on, receivers do have
  /// lasting errors.
  private mutating func restartIfDiverged() {
    let count = MotionModel.fences.manoeuvreFixes
    guard filter.isYoung, nodes.count >= count,
      nodes.suffix(count).allSatisfy({ unexplainedVariance(of: $0.filtered, at: $0) > 0 })
    else { return }
    let samples = nodes.suffix(count).map(\.sample)
    filter.restart(at: samples[0])
    nodes = samples.map { filter.process($0, isLearned: true) }
    beforeSurprise = nil
    // Its places are those of the discarded path.
    places = nil
    let newest = nodes[nodes.count - 1]
    here = point(newest.filtered, at: newest.sample.time)
  }

  /// Updates the noise estimate from a fix that is held back.
  mutating func learnNoise(_ sample: TrackSample) { filter.learnNoise(sample) }

  /// The factor by which the stated variances are too small; at least 1.
  var varianceFactor: Double { filter.varianceFactor }

  /// Returns the innovation of a fix: the square of its distance from the prediction in m², and the variance
  /// of that distance in m² per axis. The fix is not processed.
  ///
  /// The follower does not change, but a call of a function that is not mutating would copy it as a whole.
  mutating func innovation(of sample: TrackSample) -> (square: Double, variance: Double) {
    filter.normalizedInnovation(of: sample)
  }

  /// Returns whether a fix is too far from the prediction for a device without a manoeuvre.
  mutating func rejects(_ sample: TrackSample) -> Bool {
    let surprise = innovation(of: sample), most = MotionModel.fences.rejectionDeviations
    return surprise.square > most * most * surprise.variance
  }

  /// Appends the positions after a time, with everything known by now, the newest last. If the time is `nil`,
  /// appends all retained positions. Fixes that lie far apart get points in between.
  func appendPath(since time: UTCTime?, to path: inout [PathPoint]) {
    var states = [nodes[nodes.count - 1].filtered]
    var first = nodes.count - 1
    while first > 0, time.map({ nodes[first - 1].sample.time > $0 }) ?? true {
      let state = nodes[first - 1].filtered.smoothed(
        over: nodes[first].step, with: states[states.count - 1])
      states.append(state)
      first -= 1
    }
    for index in first..<nodes.count {
      let state = states[nodes.count - 1 - index]
      if index > first {
        appendInterpolated(
          states[nodes.count - index], state, from: nodes[index - 1], endingAt: nodes[index], to: &path)
      }
      let extra = unexplainedVariance(of: state, at: nodes[index])
      if let point = point(state, at: nodes[index].sample.time, plus: extra) { path.append(point) }
    }
  }

  private func point(_ state: MotionState, at time: UTCTime, plus extra: Double = 0) -> PathPoint? {
    guard let place = EarthCentred.coordinate(of: state.place) else { return nil }
    let deviation = deviation(max(0, state.covariance.pp) + extra)
    return PathPoint(time: time, place: place, deviation: deviation, isFix: true)
  }

  /// Returns the extra variance of the estimated place at a fix, in m² per axis: the square of its distance from
  /// the fix, as far as the receiver's error does not explain it.
  ///
  /// Where a device turns, its estimated path goes straight on first, past several fixes. The path is then worse
  /// than the covariance of the filter says, which hardly depends on where the fixes lie.
  private func unexplainedVariance(of state: MotionState, at node: TrackNode) -> Double {
    let off = state.place - node.sample.place, square = (off * off).sum()
    let most = Self.plausibleDeviations
    return max(0, square - most * most * node.sample.variance * varianceFactor)
  }

  /// The greatest distance of an estimated place from its fix, in standard deviations of the fix.
  private static let plausibleDeviations = 2.5

  private func deviation(_ variance: Double) -> Double {
    max(Self.minimumDeviation, wanderFactor * max(0, variance).squareRoot())
  }

  /// The factor by which standard deviations are too small; 1 while nothing wanders.
  private var wanderFactor: Double { places?.wanderFactor ?? 1 }

  /// The smallest standard deviation in metres; no receiver of this kind is better for long.
  private static let minimumDeviation = 0.3

  /// Appends points between two positions by the velocities at both: a cubic Hermite interpolation.
  private func appendInterpolated(
    _ one: MotionState, _ other: MotionState, from before: TrackNode, endingAt node: TrackNode,
    to path: inout [PathPoint]
  ) {
    let duration = node.step.duration
    let length = (other.place - one.place).length
    guard length > Self.interpolationStep, duration > 0 else { return }
    let count = min(Self.maximumInterpolatedPoints, Int(length / Self.interpolationStep))
    let extra = max(unexplainedVariance(of: one, at: before), unexplainedVariance(of: other, at: node))
    for number in 1...count {
      let t = Double(number) / Double(count + 1), s = 1 - t
      let byOne = s * s * t * duration, byOther = t * t * s * duration
      let near = one.place * (s * s * (1 + 2 * t)) + one.velocity * byOne
      let far = other.place * (t * t * (1 + 2 * s)) - other.velocity * byOther
      guard let place = EarthCentred.coordinate(of: near + far) else { continue }
      // The variance of a randomly changing velocity with both ends known: q T³ s³ t³ / 3.
      let wander = node.step.agility * (duration * s * t) * (duration * s * t) * (duration * s * t) / 3
      let variance =
        s * max(0, one.covariance.pp) + t * max(0, other.covariance.pp) + wander
        + byOne * byOne * max(0, one.covariance.vv) + byOther * byOther * max(0, other.covariance.vv) + extra
      path.append(
        PathPoint(
          time: node.sample.time.advanced(by: .seconds(-s * duration)), place: place,
          deviation: deviation(variance), isFix: false))
    }
  }

  /// The distance between path points in metres, and the greatest number of points between two fixes.
  private static let interpolationStep = 15.0
  private static let maximumInterpolatedPoints = 12
}
