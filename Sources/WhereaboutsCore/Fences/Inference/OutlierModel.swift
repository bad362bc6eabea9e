import RealModule
import WhereaboutsGeodesy

/// How probable a fix is where the device is, and how probable where the receiver errs: densities in 1/m².
///
/// None of the numbers is fitted to a recording; decision record 26 gives their reasons.
enum OutlierModel {
  /// The share of fixes that lie far outside of their stated accuracy.
  static let rate = 0.01
  /// A fix that is more probably an outlier than this waits for the next one: as probably as any fix before it was seen.
  static let doubtful = rate
  /// Half of all outliers lie within 1.7 times this distance, in metres,
  static let spread = 50.0
  /// or within 1.7 times so many standard deviations of what the fix states.
  static let deviationsOfSpread = 10.0
  /// Half of all devices that set off are within 1.7 times this speed after it, in m/s: on foot, by bicycle, in a town's
  /// traffic.
  static let departureSpeed = 5.0
  /// Seconds that a device has rested already when nothing is known of it: most devices rest most of the time.
  static let unseenRest = 60.0
  /// Seconds that a device has rested already where it has just arrived.
  static let newRest = 1.0

  /// How probable it is that a device still rests, having rested for a time: the longer it has, the longer it will.
  ///
  /// The law of rests of unknown length: where all lengths are equally likely on a logarithmic scale, a rest of *s* goes
  /// on for another *t* with probability *s* / (*s* + *t*).
  static func stays(after rest: Double, for seconds: Double) -> Double { rest / (rest + max(0, seconds)) }

  /// Of a normal distribution in the plane.
  static func normal(square: Double, variance: Double) -> Double {
    Double.exp(-square / (2 * variance)) / (2 * .pi * variance)
  }

  /// Of a Cauchy distribution in the plane: half of it within 1.7 scales, and a long tail.
  static func longTailed(square: Double, scale: Double) -> Double {
    let sum = square + scale * scale
    return scale / (2 * .pi * sum * sum.squareRoot())
  }

  /// Of a fix that errs, so far from where it should be; with how often that is.
  static func outlier(square: Double, deviation: Double) -> Double {
    rate * longTailed(square: square, scale: max(spread, deviationsOfSpread * deviation))
  }

  /// Of a device that has left a place within a time, as its fix sees it.
  static func departed(square: Double, seconds: Double, deviation: Double, speed: Double) -> Double {
    longTailed(square: square, scale: max(departureSpeed, speed) * max(0, seconds) + deviation)
  }
}
