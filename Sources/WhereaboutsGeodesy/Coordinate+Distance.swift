extension Coordinate {
  /// Returns the length of the shortest path to another place.
  ///
  /// - Units: metres.
  /// - Domain: any two places. The same place, or a pole under two longitudes, gives 0.
  /// - Accuracy: within 15 nm everywhere on Earth, nearly antipodal places too. The worst error seen is 7.5 nm, two
  ///   units in the last place of a distance half around the Earth. Below 30 km the method uses `ShortDistance`
  ///   without a geodesic, with the same accuracy and much faster.
  /// - Complexity: O(1), without allocation. The result is exactly the same in both directions.
  /// - Source: Karney, *Journal of Geodesy* 87 (2013), 43-55.
  public func distance(to other: Coordinate) -> Double {
    let pair = ReducedPair(self, other)
    let c² = ShortDistance.chordSquared(pair)
    if ShortDistance.isShort(chordSquared: c²) {
      return c² > 0 ? ShortDistance.arc(pair, chordSquared: c²) : 0
    }
    return Geodesic.distance(pair)
  }

  /// Returns the length of the shortest path to another place, as cheaply as an error allows.
  ///
  /// - Units: metres, both.
  /// - Accuracy: within `error` of the true length if `error` is 15 nm or more, else as `distance(to:)`. An error of
  ///   1 mm needs no geodesic up to 630 km.
  public func distance(to other: Coordinate, within error: Double) -> Double {
    let pair = ReducedPair(self, other)
    let c² = ShortDistance.chordSquared(pair)
    guard c² > 0 else { return 0 }
    let short = ShortDistance.arc(pair, chordSquared: c²)
    return ShortDistance.errorBound(over: short) <= error ? short : Geodesic.distance(pair)
  }
}
