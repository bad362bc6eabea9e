import RealModule

/// The probability that a device is inside, for a normally distributed distance from the boundary.
///
/// The boundary counts as straight within the device's error, so a fence smaller than the error looks larger. The
/// probability is then far below any requested confidence, because the depth is small too.
enum Probability {
  /// - Parameters:
  ///   - distance: the distance to the boundary in metres, negative inside.
  ///   - deviation: the standard deviation of `distance` in metres, more than 0.
  static func inside(distance: Double, deviation: Double) -> Double {
    0.5 * Double.erfc(distance / deviation * inverseOfSquareRoot2)
  }

  /// The probability for decisions that must be beyond doubt.
  static let beyondDoubt = 0.9999

  private static let inverseOfSquareRoot2 = 0.707_106_781_186_547_5
}
