extension Coordinate {
  /// The length of the shortest path to another place.
  ///
  /// - Units: metres.
  /// - Domain: any two places. The same place, or a pole under two longitudes, gives 0.
  /// - Accuracy: within 15 nm everywhere on Earth, nearly antipodal places too; the worst seen is 7.5 nm, two
  ///   units in the last place of a distance half around it.
  ///   Below 30 km it is found without a geodesic (`ShortDistance`), to the same accuracy and much faster.
  /// - Complexity: O(1), without allocation; from here to there exactly what it is from there to here.
  /// - Source: Karney, *Journal of Geodesy* 87 (2013), 43-55.
  public func distance(to other: Coordinate) -> Double {
    let pair = ReducedPair(self, other)
    let c² = ShortDistance.chordSquared(pair)
    if ShortDistance.isShort(chordSquared: c²) {
      return c² > 0 ? ShortDistance.arc(pair, chordSquared: c²) : 0
    }
    return Geodesic.distance(pair)
  }

  /// The length of the shortest path to another place, as cheaply as an error allows.
  ///
  /// - Units: metres, both.
  /// - Accuracy: within `error` of the true length where that is 15 nm or more, else as `distance(to:)`. 1 mm is kept
  ///   without a geodesic up to 630 km.
  public func distance(to other: Coordinate, within error: Double) -> Double {
    let pair = ReducedPair(self, other)
    let c² = ShortDistance.chordSquared(pair)
    guard c² > 0 else { return 0 }
    let short = ShortDistance.arc(pair, chordSquared: c²)
    return ShortDistance.errorBound(over: short) <= error ? short : Geodesic.distance(pair)
  }
}
