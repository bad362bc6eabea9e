import WhereaboutsModel

/// A test whether the device goes as far as its stated speeds say, leg after leg.
///
/// A step of one or two seconds is often shorter than the error of its fixes, so that ``StatedVelocityTest`` compares
/// none. By a speed in another unit, or always the same low one, a walker hardly moves: the fixes beyond a boundary are
/// then errors, and no crossing would be found. No turn makes a leg longer than the way of the device. Shorter ones count
/// where each fix has a course.
struct StatedSpeedTest: Hashable, Sendable, Codable {
  private var last: CompactFix?
  private var leg: StatedLeg?
  /// The last leg, earth-centred in metres.
  private var direction = SIMD3<Double>()
  private var result: Result?
  /// The number of consecutive legs with this result.
  private var count = 0
  private(set) var isContradicted = false

  private enum Result: String, Codable {
    case asStated, longer, shorter
  }

  /// Processes a fix later than all before it.
  ///
  /// - Parameter varianceFactor: the factor for the variances of the receiver's stated accuracies.
  mutating func process(_ fix: CompactFix, varianceFactor: Double = 1) {
    var now = fix.sample(.fences)
    now.variance *= varianceFactor
    let before = last?.sample(.fences)
    last = fix
    guard let before, leg?.extend(from: before, to: now, within: Self.longestStep) ?? false, let leg else {
      leg = StatedLeg(from: now)
      return
    }
    let seen = now.place - leg.start.place, seconds = now.time.seconds(since: leg.start.time)
    guard let found = Self.result(of: leg, to: now, seen) else {
      guard seconds > Self.longestLeg else { return }
      // A leg without end is a rest, which says nothing of the speeds.
      count = 0
      self.leg = StatedLeg(from: now)
      return
    }
    // A jump and the way back from it do not go on in one direction.
    let goesOn = found == result && (found != .longer || (seen * direction).sum() > 0)
    // In a long step of a traffic jam, a device may go faster than at both ends.
    let isShort = leg.longestStep < Self.longestStepWithoutStop
    let required = found == .longer && isShort ? Self.requiredLongerLegs : Self.requiredLegs
    count = goesOn ? min(count + 1, required) : 1
    result = found
    direction = seen
    if count == required { isContradicted = found != .asStated }
    self.leg = StatedLeg(from: now)
  }

  /// Ends the segment: later fixes do not continue the earlier ones.
  mutating func endSegment() {
    last = nil
    leg = nil
  }

  /// Returns the result of a leg; `nil` while the leg is too short for its error.
  private static func result(of leg: StatedLeg, to now: TrackSample, _ seen: SIMD3<Double>) -> Result? {
    let length = seen.length, error = leg.error(to: now), tolerance = StatedLeg.tolerance
    guard max(length, leg.length) > error else { return nil }
    let excess = length - leg.length, seconds = now.time.seconds(since: leg.start.time)
    if excess > tolerance * length {
      // The fixes of a device at rest wander, in many receivers by several times their stated accuracy.
      let isMovement =
        length > MotionModel.fences.sureMovementSpeed * seconds && leg.length > leastStatedSpeed * seconds
      return excess > error && isMovement ? .longer : nil
    }
    // Without courses, a shorter leg may be one with turns.
    let way = leg.way?.length ?? leg.length, lack = way - length
    if lack > tolerance * way { return lack > error && leg.way != nil ? .shorter : nil }
    return .asStated
  }

  /// The number of legs in a row that are longer than stated, and of others: stops and turns between two fixes only
  /// shorten a leg.
  private static let requiredLongerLegs = 3
  private static let requiredLegs = 6
  /// The least mean stated speed of a longer leg, in m/s: more than most receivers state at rest, and that of a walker at
  /// 0.9 m/s whose speed is read as kilometres per hour.
  private static let leastStatedSpeed = 0.25
  /// The longest steps in seconds: one in which a device seldom stops, and one that is compared. In a longer one, a device
  /// may start, drive and stop.
  private static let longestStepWithoutStop = 11.0
  private static let longestStep = 31.0
  /// The longest leg in seconds.
  private static let longestLeg = 60.0
}
