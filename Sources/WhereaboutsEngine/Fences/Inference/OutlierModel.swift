import RealModule
import WhereaboutsGeodesy

/// The probability densities of a fix, for the device's place and for receiver errors, in 1/m².
///
/// None of the numbers is fitted to a recording; decision record 26 gives their reasons.
enum OutlierModel {
  /// The share of fixes far outside of their stated accuracy.
  static let rate = 0.01
  /// The outlier probability above which a fix waits for the next one: the prior probability of any fix.
  static let doubtThreshold = rate
  /// The scale of outliers in metres: half of them lie within 1.7 times this distance,
  static let spread = 50.0
  /// or within 1.7 times this number of standard deviations of the fix.
  static let spreadDeviations = 10.0
  /// The scale of the departure speed in m/s: half of all departing devices stay within 1.7 times this speed. The
  /// value covers walking, bicycles and town traffic.
  static let departureSpeed = 5.0
  /// The assumed previous rest of an unknown device, in seconds: most devices rest most of the time.
  static let assumedRest = 60.0
  /// The assumed previous rest of a device that has just arrived, in seconds.
  static let arrivalRest = 1.0

  /// Returns the probability that a device still rests after further seconds, given its rest so far.
  ///
  /// The probability follows from rests of unknown length, with all lengths equally likely on a logarithmic scale. A
  /// rest of *s* then lasts another *t* with probability *s* / (*s* + *t*).
  static func restProbability(after rest: Double, for seconds: Double) -> Double {
    rest / (rest + max(0, seconds))
  }

  /// Returns the density of a normal distribution in the plane.
  static func normalDensity(square: Double, variance: Double) -> Double {
    Double.exp(-square / (2 * variance)) / (2 * .pi * variance)
  }

  /// Returns the density of a Cauchy distribution in the plane: half of it within 1.7 scales, and a long tail.
  static func cauchyDensity(square: Double, scale: Double) -> Double {
    let sum = square + scale * scale
    return scale / (2 * .pi * sum * sum.squareRoot())
  }

  /// Returns the density of an outlier at a distance from the true place, multiplied by the outlier rate.
  static func outlierDensity(square: Double, deviation: Double) -> Double {
    rate * cauchyDensity(square: square, scale: max(spread, spreadDeviations * deviation))
  }

  /// Returns the density of the fix of a device that has left a place within a time.
  static func departureDensity(square: Double, seconds: Double, deviation: Double, speed: Double) -> Double {
    cauchyDensity(square: square, scale: max(departureSpeed, speed) * max(0, seconds) + deviation)
  }
}
