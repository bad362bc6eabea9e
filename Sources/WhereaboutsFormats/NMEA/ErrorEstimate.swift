/// The error of a position at 68 %: the radius of a circle, and the half-width of the height's interval.
///
/// Each initialiser converts one kind of sentence. "68 %" is the 68.27 % within one standard deviation of a normal
/// distribution. Zero and less mean "unknown" in all of them.
struct ErrorEstimate: Equatable {
  /// The horizontal error in metres.
  var horizontal: Double?
  /// The vertical error in metres.
  var vertical: Double?

  /// Creates an estimate from standard deviations on the axes, as in GST and GBS.
  ///
  /// The height's deviation is at 68 % already. The circle's radius follows from the deviations of latitude and
  /// longitude: the sum of their squares does not depend on the direction of the error ellipse. The ratio of its axes,
  /// where stated, determines the share of the distribution within a circle. Without the axes, latitude and longitude
  /// are used instead.
  init(
    latitude: Double?, longitude: Double?, height: Double?, majorAxis: Double? = nil, minorAxis: Double? = nil
  ) {
    if let latitude, let longitude, latitude >= 0, longitude >= 0, latitude + longitude > 0 {
      let larger = majorAxis ?? max(latitude, longitude)
      let smaller = minorAxis ?? min(latitude, longitude)
      let ratio = larger > 0 && smaller >= 0 ? min(smaller / larger, 1) : 1
      let both = (latitude * latitude + longitude * longitude).squareRoot()
      horizontal = Self.rounded(both * Self.radius(forAxisRatio: ratio))
    }
    if let height, height > 0 { vertical = height }
  }

  /// Creates an estimate from errors at 50 %, the assumed level of Garmin's estimates.
  ///
  /// Garmin states no level. The general belief, which gpsd shares, is that half of the positions lie within; an
  /// owner's measurements on a GPS 45 found two thirds. The more cautious level is used. For a circular normal
  /// distribution the radii at 68 % and 50 % are as 1.5152 to 1.1774, and on one axis as 1 to 0.6745.
  init(medianHorizontal: Double?, medianVertical: Double?) {
    if let medianHorizontal, medianHorizontal > 0 {
      horizontal = Self.rounded(medianHorizontal * (1.51517 / 1.17741))
    }
    if let medianVertical, medianVertical > 0 { vertical = Self.rounded(medianVertical / 0.67449) }
  }

  /// Creates an estimate from one standard deviation in both directions together, as in u-blox's estimates.
  ///
  /// The horizontal value is the root of the summed squares of the deviations of latitude and longitude. A circle of
  /// 1.07 times that radius holds 68 % (for equal errors in all directions). The vertical value is the deviation of the
  /// height.
  init(rootMeanSquareHorizontal: Double?, deviationVertical: Double?) {
    if let rootMeanSquareHorizontal, rootMeanSquareHorizontal > 0 {
      horizontal = Self.rounded(rootMeanSquareHorizontal * Self.radius(forAxisRatio: 1))
    }
    if let deviationVertical, deviationVertical > 0 { vertical = deviationVertical }
  }

  /// Creates an estimate from dilutions of precision, each times the same error. A missing vertical dilution follows
  /// from the others, whose squares it completes.
  init(
    horizontalDilution: Double?, verticalDilution: Double?, positionDilution: Double?, rangingError: Double
  ) {
    if let horizontalDilution {
      horizontal = Self.rounded(horizontalDilution * rangingError)
    }
    if let verticalDilution {
      vertical = Self.rounded(verticalDilution * rangingError)
    } else if let horizontalDilution, let positionDilution, positionDilution > horizontalDilution {
      let squared = positionDilution * positionDilution - horizontalDilution * horizontalDilution
      vertical = Self.rounded(squared.squareRoot() * rangingError)
    }
  }

  /// Returns a length rounded to 0.1 mm: further digits are artefacts, since a dilution of 1.4 as a `Float` is
  /// 1.39999998.
  private static func rounded(_ metres: Double) -> Double { (metres * 10_000).rounded() / 10_000 }

  /// Returns the radius of the circle that holds 68.27 % of a normal distribution on two axes, in units of the root of
  /// their summed variances.
  ///
  /// The ratio is that of the deviations on the axes (0 to 1). Between the values of the table, which were integrated
  /// numerically, the error is less than 0.1 %.
  static func radius(forAxisRatio ratio: Double) -> Double {
    let place = min(max(ratio, 0), 1) * 10
    let below = min(Int(place), 9)
    let part = place - Double(below)
    return radii[below] * (1 - part) + radii[below + 1] * part
  }

  private static let radii: [Double] = [
    1.00000, 1.00005, 1.00084, 1.00483, 1.01569, 1.03118, 1.04621, 1.05801, 1.06588, 1.07013, 1.07139,
  ]
}
