import RealModule
import WhereaboutsGeodesy

/// Where a device is and lately was, as far as its fixes tell, while a fence is near.
struct PathFollower: Hashable, Sendable, Codable {
  private var filter: WayFilter
  /// The last few steps, for what later fixes say of earlier places.
  private var nodes: [WayNode] = []
  private(set) var movement = MovementMeter()
  /// Where the device is; `nil` where the numbers have run away.
  private(set) var here: PathPoint?
  /// Metres of the last step.
  private(set) var lastStep = 0.0
  /// What the device had come by the fix before the newest, in metres.
  private(set) var travelledBefore = 0.0

  /// What later fixes say of places more steps back than this is next to nothing.
  private static let most = 6

  /// A follower that begins with a fix.
  ///
  /// - Parameter noise: what is known of the receiver from before.
  init(at sample: WaySample, noise: OwnNoiseMeter?) {
    filter = WayFilter(at: sample, model: .fences, noise: noise)
    nodes.reserveCapacity(Self.most + 1)
    take(sample)
  }

  /// What was learned of the receiver, for the next follower.
  var noise: OwnNoiseMeter { filter.noiseMeter }

  /// The time of the newest fix.
  var time: UTCTime { nodes[nodes.count - 1].sample.time }

  /// Takes a fix that comes after all before it.
  ///
  /// - Parameter isLearned: whether ``learn(_:)`` has had it.
  mutating func take(_ sample: WaySample, isLearned: Bool = false) {
    let node = filter.take(sample, isLearned: isLearned)
    travelledBefore = movement.travelled
    movement.take(node, .fences)
    if let last = nodes.last { lastStep = (node.filtered.place - last.filtered.place).length }
    here = Self.point(node.filtered, at: node.sample.time)
    if nodes.count == Self.most { nodes.removeFirst() }
    nodes.append(node)
  }

  /// Learns how the receiver errs from a fix that is held back.
  mutating func learn(_ sample: WaySample) { filter.learn(sample) }

  /// By how much the stated variances are too small; at least 1.
  var doubt: Double { filter.doubt }

  /// How far a fix lies from where it is to be expected, without taking it.
  func surprise(of sample: WaySample) -> (square: Double, variance: Double) { filter.surprise(of: sample) }

  /// Whether a fix lies so far from where it is to be expected that it would not be used.
  func refuses(_ sample: WaySample) -> Bool {
    let surprise = surprise(of: sample), most = MotionModel.fences.refusal
    return surprise.square > most * most * surprise.variance
  }

  /// Appends where the device was since a time, with all that is known by now, the newest last; between fixes too where
  /// they lie far apart.
  func appendPath(since time: UTCTime?, to path: inout [PathPoint]) {
    var states = [nodes[nodes.count - 1].filtered]
    var first = nodes.count - 1
    while first > 0, time.map({ nodes[first - 1].sample.time > $0 }) ?? true {
      let state = nodes[first - 1].filtered.smoothed(
        over: nodes[first].step, smoothed: states[states.count - 1])
      states.append(state)
      first -= 1
    }
    for index in first..<nodes.count {
      let state = states[nodes.count - 1 - index]
      if index > first {
        appendBetween(states[nodes.count - index], state, endingAt: nodes[index], to: &path)
      }
      if let point = Self.point(state, at: nodes[index].sample.time) { path.append(point) }
    }
  }

  private static func point(_ state: MotionState, at time: UTCTime, isFix: Bool = true) -> PathPoint? {
    guard let place = EarthCentred.coordinate(of: state.place) else { return nil }
    return PathPoint(time: time, place: place, deviation: deviation(state.covariance.pp), isFix: isFix)
  }

  private static func deviation(_ variance: Double) -> Double {
    max(leastDeviation, max(0, variance).squareRoot())
  }

  /// Metres; no receiver of this kind is better for long.
  private static let leastDeviation = 0.3

  /// The way between two places by the velocities at both: a cubic, as in Hermite interpolation.
  private func appendBetween(
    _ one: MotionState, _ other: MotionState, endingAt node: WayNode, to path: inout [PathPoint]
  ) {
    let duration = node.step.duration
    let length = (other.place - one.place).length
    guard length > Self.closeSteps, duration > 0 else { return }
    let count = min(Self.mostBetween, Int(length / Self.closeSteps))
    for number in 1...count {
      let t = Double(number) / Double(count + 1), s = 1 - t
      let byOne = s * s * t * duration, byOther = t * t * s * duration
      let near = one.place * (s * s * (1 + 2 * t)) + one.velocity * byOne
      let far = other.place * (t * t * (1 + 2 * s)) - other.velocity * byOther
      guard let place = EarthCentred.coordinate(of: near + far) else { continue }
      // Of a velocity that wanders with both ends known: q T³ s³ t³ / 3.
      let wander = node.step.agility * (duration * s * t) * (duration * s * t) * (duration * s * t) / 3
      let variance =
        s * max(0, one.covariance.pp) + t * max(0, other.covariance.pp) + wander
        + byOne * byOne * max(0, one.covariance.vv) + byOther * byOther * max(0, other.covariance.vv)
      path.append(
        PathPoint(
          time: node.sample.time.advanced(by: .seconds(-s * duration)), place: place,
          deviation: Self.deviation(variance), isFix: false))
    }
  }

  /// Metres between points of the way, and how many there are between two fixes at most.
  private static let closeSteps = 15.0
  private static let mostBetween = 12
}
