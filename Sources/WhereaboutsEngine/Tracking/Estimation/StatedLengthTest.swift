import WhereaboutsModel

/// A test whether most legs of a device that goes on in one direction are longer, or are shorter, than by its stated
/// speeds; and whether most legs lie in another direction than by its stated courses.
///
/// The test of lengths needs no courses, and fixes may be rare. A leg is never longer than the way of the device, except for the
/// errors of its fixes and for speeds that change between two fixes. It may be shorter, because of turns and stops.
/// Therefore only straight legs and greater differences count as shorter.
///
/// Some programs write 0 for an unknown course, and some the direction in which the phone points.
///
/// - Complexity: O(1) a fix.
struct StatedLengthTest: Sendable, Hashable, Codable {
  private var last: TrackSample?
  private var leg: StatedLeg?
  /// The leg before, earth-centred in metres.
  private var before: SIMD3<Double>?
  /// The legs with the weights of the memory, and those of them that are longer and shorter than stated.
  private var count = 0.0
  private var longer = 0.0
  private var shorter = 0.0
  /// The legs with stated courses, with the weights of ``directionMemory``, and those of them in another direction; `nil`
  /// before the first, and in states of earlier versions.
  private var directed: Double?
  private var askew: Double?

  /// Whether most of the legs contradict the courses.
  var areCoursesContradicted: Bool {
    guard let directed, let askew else { return false }
    return directed >= Self.requiredDirectedCount && askew > Self.requiredShare * directed
  }

  /// Whether most of the legs contradict the speeds.
  var isContradicted: Bool {
    count >= Self.requiredCount && max(longer, shorter) > Self.requiredShare * count
  }

  /// Processes a fix that is later than all before it.
  ///
  /// - Parameter model: the model of the device's motion.
  mutating func process(_ sample: TrackSample, _ model: MotionModel) {
    defer { last = sample }
    // A zero may be an unknown speed, and a very low one that of a rest.
    guard let last, let speed = sample.speed, speed > 0,
      leg?.extend(from: last, to: sample, within: Self.longestStep) ?? false, let leg
    else {
      endSegment()
      if let speed = sample.speed, speed > 0 { leg = StatedLeg(from: sample) }
      return
    }
    let seen = sample.place - leg.start.place, length = seen.length, error = leg.error(to: sample)
    let seconds = sample.time.seconds(since: leg.start.time)
    let isMovement =
      length > model.sureMovementSpeed * seconds && leg.length > model.possibleMovementSpeed * seconds
    let excess = length - leg.length
    let isUndecided =
      excess > 0
      ? excess > StatedLeg.tolerance * length && excess < error
      : -excess > Self.leastTolerance * leg.length && -excess < error
    guard length > error, isMovement, !isUndecided else {
      if seconds > Self.longestStep { begin(at: sample, after: nil) }
      return
    }
    compareDirection(of: leg, seen, error)
    if let before {
      let cosine = (seen * before).sum() / (length * before.length)
      let lack = Self.tolerance(for: leg.longestStep)
      if excess > StatedLeg.tolerance * length {
        if cosine > Self.leastCosine { add(longer: 1, shorter: 0) }
      } else if cosine > Self.leastStraightCosine {
        add(longer: 0, shorter: -excess > lack * leg.length ? 1 : 0)
      }
    }
    begin(at: sample, after: seen)
  }

  /// Ends the segment: later fixes do not continue the earlier ones.
  mutating func endSegment() {
    last = nil
    leg = nil
    before = nil
  }

  private mutating func begin(at sample: TrackSample, after seen: SIMD3<Double>?) {
    leg = StatedLeg(from: sample)
    before = seen
  }

  private mutating func add(longer: Double, shorter: Double) {
    let kept = 1 - 1 / Self.memory
    count = count * kept + 1
    self.longer = self.longer * kept + longer
    self.shorter = self.shorter * kept + shorter
  }

  /// Compares the direction of a leg that is about as long as stated.
  private mutating func compareDirection(of leg: StatedLeg, _ seen: SIMD3<Double>, _ error: Double) {
    let length = seen.length, tolerance = StatedLeg.tolerance * max(length, leg.length)
    guard let way = leg.way, (length - leg.length).magnitude < max(tolerance, error) else { return }
    let off = (seen - way).length
    // A difference within the error of the leg is no evidence, unless the error is small beside the leg.
    guard off > error || error < tolerance else { return }
    let kept = 1 - 1 / Self.directionMemory
    directed = (directed ?? 0) * kept + 1
    askew = (askew ?? 0) * kept + (off > max(error, tolerance) ? 1 : 0)
  }

  /// Returns the tolerated lack of a leg, as a share of the stated way. In a long step, a device may stop; miles per hour
  /// and knots are then not distinguished from metres per second.
  private static func tolerance(for step: Double) -> Double {
    step < longestStepWithoutStop
      ? leastTolerance : step <= longestStepForLack ? greatestTolerance : .infinity
  }

  /// The longest step in seconds, and the longest leg of several.
  private static let longestStep = 61.0
  /// The longest steps in seconds whose lack is tested: one in which a device seldom stops, and one in which it does
  /// not stop for most of the time.
  private static let longestStepWithoutStop = 11.0
  private static let longestStepForLack = 31.0
  /// The tolerated lacks: less than knots lack of metres per second (0.49), and less than kilometres per hour (0.72).
  private static let leastTolerance = 0.45
  private static let greatestTolerance = 0.6
  /// The cosines of the greatest angles between two legs in one direction, 37°, and between two straight ones, 20°.
  private static let leastCosine = 0.8
  private static let leastStraightCosine = 0.94
  /// The least number of legs for a decision, and the least share of those that agree.
  private static let requiredCount = 20.0
  private static let requiredShare = 0.7
  /// The memory in legs.
  private static let memory = 300.0
  /// The same for directions: a course is wrong by degrees in some directions only, and a device keeps one for long.
  private static let requiredDirectedCount = 10.0
  private static let directionMemory = 100.0
}
