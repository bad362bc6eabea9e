/// Tells coordinates that were rounded to three or four decimals of a degree from exact ones, by a series of fixes.
///
/// One coordinate says nothing: an exact one may have few decimals, as 52.52, 13.405 has. By chance both numbers of
/// one in a hundred with five decimals end at the fourth, of one in a million with seven. So three different places
/// in a row that do, with none between that does not, are rounded: one in a million, or less.
///
/// - Complexity: O(1) a fix.
struct CoordinateRoundingDetector: Sendable, Hashable, Codable {
  /// How many different places in a row have lain on a grid, up to ``enough``.
  private var places = 0
  /// Metres between the lines of the finest grid that all of them may lie on.
  private var step = 0.0
  private var last = SIMD3<Double>()

  /// So many different places in a row are no chance.
  static let requiredPlaces = 3

  /// A fix, and if it is of a series that was rounded with what that adds to its error.
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

  /// The variance that rounding adds to present fixes, in m² an axis: a twelfth of the square of a
  /// step, as of any number that is rounded to a whole one.
  var roundingVariance: Double { places == Self.requiredPlaces ? step * step / 12 : 0 }
}
