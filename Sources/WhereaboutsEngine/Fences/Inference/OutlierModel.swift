import RealModule
import WhereaboutsGeodesy

/// The probability densities of a fix, for the device's place and for receiver errors, in 1/m².
///
/// None of the numbers is fitted to a recording; decision record 26 gives their reasons.
enum OutlierModel {
  /// The share of fixes far outside of their stated accuracy.
  static let rate = 0.01
  /// The share of outliers after an outlier that are the same error again: a reflection may last.
  static let repeatedShare = 0.5
  /// The odds that decide between a movement and outliers, and above which a fix does not wait for the next one: those
  /// of any fix,
  static let decisiveOdds = (1 - rate) / rate
  /// and of a device at rest. By ``restProbability(after:for:)`` a device sets off about six times in five hours, so
  /// that these odds are wrong once in 1,000 hours at most.
  static let decisiveOddsAtRest = 999.0
  /// The scale of outliers in metres: half of them lie within 1.7 times this distance,
  static let spread = 50.0
  /// or within 1.7 times this number of standard deviations of the fix.
  static let spreadDeviations = 10.0
  /// The time constant in seconds of the chance that an outlier is the same error again. Satellites move by 15° in half
  /// an hour.
  static let repetitionMemory = 1800.0
  /// The scale of the departure speed in m/s: half of all departing devices stay within 1.7 times this speed. The
  /// value covers walking, bicycles and town traffic.
  static let departureSpeed = 5.0
  /// The speed in m/s on land that hardly anybody exceeds between two rare fixes: a fast train. A network's place of a router
  /// that was moved is often farther away.
  static let fastestVehicle = 70.0
  /// The time in seconds after which a departed device is hardly farther away: most devices return each day.
  static let longestDeparture = 86_400.0
  /// The scale in metres by which such an error changes, for half of them.
  static let repeatedSpread = 20.0
  /// The walking speed in m/s, and its standard deviation as a share: the usual speed of a device that has set off
  /// and states none.
  static let walkingSpeed = 1.4
  static let paceDeviation = 0.3
  /// The speed in m/s that hardly anybody exceeds on foot: two standard deviations above ``walkingSpeed``.
  static let fastestWalk = walkingSpeed * (1 + 2 * paceDeviation)
  /// The share of the speeds around the usual one; the others have a long tail.
  static let paceShare = 0.5
  /// The share of the departing devices that go straight on from one fix to the next, and the standard deviation of
  /// their direction in radians: 20°.
  static let straightShare = 0.5
  static let straightDeviation = 0.35
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
  ///
  /// - Parameter reach: The distance in metres that the device may have travelled since it was at the place.
  static func outlierDensity(square: Double, deviation: Double, reach: Double = 0) -> Double {
    rate * cauchyDensity(square: square, scale: max(spread, spreadDeviations * deviation) + reach)
  }

  /// Returns the scale in metres of the distance of a device that has left a place: half of all such devices are within
  /// 1.7 times this distance.
  static func departureReach(seconds: Double, speed: Double) -> Double {
    max(departureSpeed, speed) * min(max(0, seconds), longestDeparture)
  }

  /// Returns the mean share of an interval that a departed device has travelled, in [0, 0.5]: it is as fast as any that
  /// was fast enough.
  ///
  /// Where departures reach their distances with the density of ``departureReach(seconds:speed:)``, the share of them
  /// faster than *v* is 1 / √(1 + *r*²), with *r* the ratio of *v* to the scale of their speeds. The mean of *v* / *V*
  /// over all speeds *V* above *v* is then *r* (√(1 + *r*²) − *r*).
  ///
  /// - Parameters:
  ///   - speed: the least speed for the distance, in m/s.
  ///   - stated: the stated speed, in m/s.
  static func travelShare(speed: Double, stated: Double) -> Double {
    let ratio = speed / max(departureSpeed, stated)
    return ratio * (Double.hypot(1, ratio) - ratio)
  }

  /// Returns the density of an outlier after others, multiplied by the outlier rate: it is a new error, or the same
  /// one again.
  ///
  /// - Parameters:
  ///   - fresh: the density of a new error, multiplied by the outlier rate.
  ///   - repeated: the density of the same error.
  ///   - seconds: the time since the last outlier.
  static func nextOutlierDensity(fresh: Double, repeated: Double, after seconds: Double) -> Double {
    let share = repeatedShare * Double.exp(-max(0, seconds) / repetitionMemory)
    return (1 - share) * fresh + share * rate * repeated
  }

  /// Returns the density of the same error again, by its distance from the one before.
  static func repeatedDensity(square: Double, variance: Double) -> Double {
    (normalDensity(square: square, variance: variance)
      + cauchyDensity(square: square, scale: repeatedSpread + variance.squareRoot())) / 2
  }

  /// Returns the density of the fix of a device that rested at a place and has left it within a time.
  static func departureDensity(square: Double, seconds: Double, deviation: Double, speed: Double) -> Double {
    let reach = departureReach(seconds: seconds, speed: speed)
    let tail = cauchyDensity(square: square, scale: reach + deviation)
    // On foot since any moment, so that all distances up to the greatest are equally likely.
    let most = min(walkingSpeed * max(0, seconds), reach), distance = square.squareRoot()
    let spread = Double.hypot(paceDeviation * most, deviation)
    let share = 0.5 * Double.erfc((distance - most) / (spread * 2.0.squareRoot()))
    let walk = share / (2 * .pi * max(distance, spread) * (most + spread))
    return (1 - paceShare) * tail + paceShare * walk
  }

  /// Returns the density of the fix of a device that moves on for a time.
  ///
  /// - Parameter pace: the usual speed in m/s.
  static func movementDensity(
    square: Double, seconds: Double, deviation: Double, speed: Double, pace: Double
  ) -> Double {
    let tail = cauchyDensity(square: square, scale: max(departureSpeed, speed) * max(0, seconds) + deviation)
    let usual = pace * max(0, seconds), distance = square.squareRoot()
    let spread = Double.hypot(paceDeviation * usual, deviation), off = (distance - usual) / spread
    let steady =
      Double.exp(-off * off / 2) / ((2 * .pi).squareRoot() * spread * 2 * .pi * max(distance, spread))
    return (1 - paceShare) * tail + paceShare * steady
  }

  /// Returns the factor by which directions near the previous one are more likely than others.
  ///
  /// - Parameters:
  ///   - cosine: the cosine of the change of direction.
  ///   - deviation: one standard deviation of that change by the errors of the places, in radians.
  static func directionFactor(cosine: Double, deviation: Double) -> Double {
    let angle = Double.acos(min(1, max(-1, cosine)))
    let spread = Double.hypot(straightDeviation, deviation)
    let density = Double.exp(-angle * angle / (2 * spread * spread)) / (spread * (2 * .pi).squareRoot())
    let whole = Double.erf(.pi / (spread * 2.0.squareRoot()))
    return 1 - straightShare + straightShare * 2 * .pi * density / whole
  }
}
