/// The shortest path between two places on the ellipsoid.
public enum Geodesic {
  /// The length of the geodesic between two places, in metres.
  @inline(never)
  static func distance(_ pair: ReducedPair) -> Double {
    RegularGeodesic(pair, tolerance: 2e-7)?.distance ?? AntipodalGeodesic(pair).distance
  }
}
