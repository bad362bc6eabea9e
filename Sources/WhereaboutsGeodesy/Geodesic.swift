/// The shortest path between two places on the ellipsoid.
///
/// - Source: C. F. F. Karney, "Algorithms for geodesics", *Journal of Geodesy* 87 (2013), 43-55.
public struct Geodesic: Hashable, Sendable {
  /// The start of the path.
  public let start: Coordinate
  /// The end of the path.
  public let end: Coordinate
  /// The length of the path, in metres.
  public let distance: Double
  /// The azimuth of the path at its start, in degrees from true north in [0, 360); `nil` if the path has no length.
  ///
  /// At a pole the azimuth is measured from the meridian of `start.longitude`.
  public let initialAzimuth: Double?
  /// The azimuth of the path at its end, in the direction of travel; units and absence as for ``initialAzimuth``.
  public let finalAzimuth: Double?

  /// Creates the shortest path between two places: the inverse problem.
  ///
  /// - Edge cases: The same place, or a pole under two longitudes, gives 0 m and no azimuths. Opposite places have
  ///   several equally short paths. The chosen path starts towards the pole on the start's side of the equator, and
  ///   from the equator northward.
  /// - Accuracy: the distance within 15 nm, and both azimuths such that the path misses neither place by more.
  /// - Complexity: O(1), without allocation.
  public init(from start: Coordinate, to end: Coordinate) {
    self.start = start
    self.end = end
    let pair = ReducedPair(start, end)
    let c² = ShortDistance.chordSquared(pair)
    guard c² > 0 else {
      distance = 0
      initialAzimuth = nil
      finalAzimuth = nil
      return
    }
    let azimuths: (start: Direction, end: Direction)
    if let regular = RegularGeodesic(
      pair, along: pair.sineOfDifference(from: start, to: end), tolerance: Self.azimuthTolerance)
    {
      // This is the same number as Coordinate.distance(to:).
      distance =
        ShortDistance.isShort(chordSquared: c²) ? ShortDistance.arc(pair, chordSquared: c²) : regular.distance
      azimuths = regular.azimuths
    } else {
      let antipodal = AntipodalGeodesic(pair)
      distance = antipodal.distance
      azimuths = (antipodal.α1, antipodal.α2)
    }
    initialAzimuth = azimuths.start.azimuth
    finalAzimuth = azimuths.end.azimuth
  }

  /// Creates the path that leaves a place at an azimuth: the direct problem.
  ///
  /// The path is the shortest one to its end up to half around the Earth, and the straightest one beyond.
  ///
  /// - Parameters:
  ///   - start: the start of the path.
  ///   - azimuth: degrees from true north at the start, any finite number; at a pole, from the meridian of its
  /// longitude.
  ///   - distance: metres, any finite number; for a negative one the path goes backwards and its azimuths point back.
  /// - Returns: `nil` if the azimuth or the distance is not finite.
  /// - Accuracy: the end within 15 nm for a distance up to once around the Earth.
  /// - Complexity: O(1), without allocation.
  public init?(from start: Coordinate, azimuth: Double, distance: Double) {
    guard azimuth.isFinite, distance.isFinite else { return nil }
    let α1 = Direction(degrees: azimuth)
    let direct = GeodesicDirect(from: start, α1: α1, distance: distance)
    self.start = start
    self.distance = distance
    end = direct.end
    initialAzimuth = α1.azimuth
    finalAzimuth = direct.α2.azimuth
  }

  /// Returns the length of the shortest path by the geodesic alone, in metres.
  static func distance(_ pair: ReducedPair) -> Double {
    RegularGeodesic(pair, along: pair.sineOfDifference, tolerance: distanceTolerance)?.distance
      ?? AntipodalGeodesic(pair).distance
  }

  /// The tolerance of ω12 for distances, in radians: its square times the flattening is 1 nm.
  private static var distanceTolerance: Double { 2e-7 }
  /// The tolerance of ω12 for azimuths, in radians: after one more step no error is left.
  private static var azimuthTolerance: Double { 1e-13 }
}

extension Coordinate {
  /// Returns the initial azimuth of the shortest path to another place; `nil` for the same place.
  ///
  /// - Units: degrees from true north, in [0, 360).
  /// - Edge cases and accuracy: those of `Geodesic.init(from:to:)`.
  public func initialAzimuth(to other: Coordinate) -> Double? {
    Geodesic(from: self, to: other).initialAzimuth
  }

  /// Returns the place at a distance in a direction, along a geodesic; `nil` if a number is not finite.
  ///
  /// - Parameters:
  ///   - azimuth: degrees from true north; at a pole, from the meridian of its longitude.
  ///   - distance: metres; a negative number goes backwards.
  /// - Accuracy: within 15 nm up to once around the Earth.
  public func destination(azimuth: Double, distance: Double) -> Coordinate? {
    guard azimuth.isFinite, distance.isFinite else { return nil }
    return GeodesicDirect(from: self, α1: Direction(degrees: azimuth), distance: distance).end
  }
}
