/// The calibration of a receiver, reused the next time a fence is near.
struct ReceiverCalibration: Hashable, Sendable, Codable {
  var check = StatedSpeedFilter(model: .fences)
  /// The detector of coordinate rounding. Optional for older stored states.
  var grid: CoordinateRoundingDetector?
  var noise: UncorrelatedNoiseEstimator?
}
