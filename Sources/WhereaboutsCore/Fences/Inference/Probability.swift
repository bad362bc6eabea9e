import RealModule

/// How probable it is that a device is inside, its distance from the boundary being normally distributed.
///
/// The boundary is taken as straight as far as the device may be off. A fence that is small against that looks larger
/// than it is so; but there the probability is far below what anybody asks for, its depth being small too.
enum Probability {
  /// - Parameters:
  ///   - distance: metres to the boundary, negative inside.
  ///   - deviation: of that, in metres; more than 0.
  static func inside(distance: Double, deviation: Double) -> Double {
    0.5 * Double.erfc(distance / deviation * inverseOfSquareRoot2)
  }

  /// For what must be beyond doubt.
  static let beyondDoubt = 0.9999

  private static let inverseOfSquareRoot2 = 0.707_106_781_186_547_5
}
