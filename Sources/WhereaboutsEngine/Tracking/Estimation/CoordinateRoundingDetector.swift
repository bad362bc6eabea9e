/// A detector of coordinates that were rounded to three or four decimals of a degree, by a series of fixes.
///
/// One coordinate is no evidence: an exact one may have few decimals, as 52.52, 13.405 has. By chance both numbers of
/// one in a hundred with five decimals end at the fourth, of one in a million with seven. Coordinates are rounded if
/// three different places in a row lie on a grid, with no other place between. By chance, that is one in a million, or
/// less.
///
/// - Complexity: O(1) a fix.
struct CoordinateRoundingDetector: Sendable, Hashable, Codable {
  /// The number of different places in a row that lie on a grid, up to ``requiredPlaces``.
  private var places = 0
  /// The spacing of the finest grid that all these places may lie on, in metres.
  private var step = 0.0
  private var last = SIMD3<Double>()

  /// The number of different places in a row on a grid that chance does not explain.
  static let requiredPlaces = 3

  /// Returns the fix, with the rounding error added if its series was rounded.
  mutating func withRoundingError(_ sample: TrackSample) -> TrackSample {
    guard let step = sample.gridStep else {
      places = 0
      return sample
    }
    if places == 0 || sample.place != last {
      self.step = places == 0 ? step : min(step, self.step)
      places = min(places + 1, Self.requiredPlaces)
      last = sample.place
    }
    var rounded = sample
    rounded.rounding = roundingVariance
    rounded.variance += roundingVariance
    return rounded
  }

  /// The variance that rounding adds to present fixes, in m² an axis: a twelfth of the square of a step, as for any
  /// number rounded to a whole one.
  var roundingVariance: Double { places == Self.requiredPlaces ? step * step / 12 : 0 }
}
