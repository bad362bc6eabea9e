/// The calibration of a receiver, reused the next time a fence is near.
struct ReceiverCalibration: Hashable, Sendable, Codable {
  var check = StatedSpeedFilter(model: .fences)
  /// The detector of coordinate rounding. Optional for older stored states.
  var grid: CoordinateRoundingDetector?
  /// The test of stated velocities. Optional for older stored states.
  var velocities: StatedVelocityTest?
  /// The test of stated speeds. Optional for older stored states.
  var speeds: StatedSpeedTest?
  var noise: UncorrelatedNoiseEstimator?

  /// Compares the stated velocity of a fix with its place.
  ///
  /// - Parameter factor: the factor for the variances of the receiver's stated accuracies; `nil` for the last one known.
  mutating func checkVelocity(of fix: CompactFix, varianceFactor factor: Double? = nil) {
    var test = velocities ?? StatedVelocityTest()
    test.process(fix)
    velocities = test
    var speedTest = speeds ?? StatedSpeedTest()
    speedTest.process(fix, varianceFactor: factor ?? noise?.varianceFactor ?? 1)
    speeds = speedTest
  }

  /// Ends the segment: later fixes do not continue the earlier ones.
  mutating func endSegment() {
    check.endSegment()
    velocities?.endSegment()
    speeds?.endSegment()
  }

  /// Returns a fix, without its velocity while the places contradict the stated ones.
  func withoutContradictedVelocity(_ fix: CompactFix) -> CompactFix {
    (velocities?.isContradicted ?? false) || (speeds?.isContradicted ?? false) ? fix.withoutVelocity : fix
  }
}
