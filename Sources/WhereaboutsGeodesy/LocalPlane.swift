import RealModule

/// The plane that touches the Earth at a place, in metres east and north of the place.
///
/// Every place keeps its true distance and azimuth from the origin, as on an azimuthal equidistant map. The plane is
/// one to one except on the far side of the Earth, and needs no special case at poles or the antimeridian.
/// `errorBound` is the largest error of a point. `stretchBound` is the largest stretch of a length that does not
/// start at the origin.
public struct LocalPlane: Hashable, Sendable {
  /// A point of the plane.
  public struct Point: Hashable, Sendable {
    /// Metres east of the origin.
    public var east: Double
    /// Metres north of the origin.
    public var north: Double

    /// Creates a point from metres east and north of the origin.
    @inlinable
    public init(east: Double, north: Double) {
      self.east = east
      self.north = north
    }

    /// Returns the length of the straight line to another point, in metres.
    @inlinable
    public func distance(to other: Point) -> Double {
      let Δeast = other.east - east, Δnorth = other.north - north
      return (Δeast * Δeast + Δnorth * Δnorth).squareRoot()
    }
  }

  /// The place at (0, 0).
  public let origin: Coordinate
  private let reduced: ReducedPlace

  /// Creates the plane around a place. At a pole north follows the place's longitude.
  public init(around origin: Coordinate) {
    self.origin = origin
    reduced = ReducedPlace(origin)
  }

  /// Returns the point of a place in the plane.
  ///
  /// - Accuracy: `errorBound(at:)`; beyond 100 km within 15 nm, from a geodesic, which takes ten times as long.
  public func point(of place: Coordinate) -> Point {
    let pair = ReducedPair(reduced, place)
    let c² = ShortDistance.chordSquared(pair)
    guard c² > 0 else { return Point(east: 0, north: 0) }
    guard c² < Self.reach * Self.reach else { return farPoint(of: place) }
    let a = WGS84.semiMajorAxis
    let Δz = WGS84.semiMinorAxis * (pair.sinβ.y - pair.sinβ.x)
    let p2 = a * pair.cosβ.y
    let Δx = a * (pair.cosβ.y - pair.cosβ.x) - p2 * (2 * pair.halfλ12.x * pair.halfλ12.x)
    let east = p2 * (2 * pair.halfλ12.x * pair.halfλ12.y)
    let north = reduced.cosφ * Δz - reduced.sinφ * Δx
    // The chord's azimuth is that of the normal section. The geodesic differs from it by δ.
    let s = ShortDistance.arc(pair, chordSquared: c²)
    let η² = WGS84.secondEccentricitySquared * reduced.cosφ * reduced.cosφ
    let δ = η² * (reduced.w * reduced.w) / (6 * a * a) * (east * north)
    let scale = s / (east * east + north * north).squareRoot()
    return Point(east: scale * (east - δ * north), north: scale * (north + δ * east))
  }

  private func farPoint(of place: Coordinate) -> Point {
    let path = Geodesic(from: origin, to: place)
    let α1 = Direction(degrees: path.initialAzimuth ?? 0)
    return Point(east: path.distance * α1.sine, north: path.distance * α1.cosine)
  }

  /// Returns the place at a point of the plane; `nil` if the point's numbers are not finite.
  ///
  /// - Accuracy: within 15 nm, by the direct problem.
  public func coordinate(at point: Point) -> Coordinate? {
    let distance = (point.east * point.east + point.north * point.north).squareRoot()
    guard distance.isFinite else { return nil }
    guard distance > 0 else { return origin }
    let α1 = Direction(sine: point.east / distance, cosine: point.north / distance)
    return GeodesicDirect(from: origin, α1: α1, distance: distance).end
  }

  /// The distance up to which points are computed from the chord, in metres.
  private static var reach: Double { 100_000 }
}

extension LocalPlane {
  /// Returns the largest error of `point(of:)` against the true distance and azimuth, by distance from the origin.
  ///
  /// - Units: metres in, metres out: 10 nm for neighbours, 0.1 µm at 10 km, 80 µm at 100 km, and 15 nm beyond.
  /// - Source: The first term of the difference between a normal section and a geodesic. The rest grows with the
  ///   third power of the distance and was bounded against quadrature.
  public static func errorBound(at distance: Double) -> Double {
    guard distance >= 0 else { return .infinity }
    return distance <= 1.001 * reach ? 10e-9 + 8e-20 * distance * distance * distance : 15e-9
  }

  /// Returns the largest relative excess of a length between two points over the length between their places.
  ///
  /// Lengths across the direction to the origin are stretched, as on any flat map; lengths from the origin are not.
  ///
  /// - Parameter radius: metres from the origin within which both points lie, and the line between them.
  /// - Returns: a fraction: 4e-9 within 1 km, 4e-7 within 10 km, 4e-5 within 100 km. Infinite beyond 1 000 km.
  /// - Source: (r/b)/sin(r/b) − 1, by the sphere whose curvature is the greatest Gaussian curvature of the
  ///   ellipsoid, 1/b² at the equator (Rauch's comparison).
  public static func stretchBound(within radius: Double) -> Double {
    guard radius >= 0, radius <= 1_000_000 else { return .infinity }
    let r = radius / WGS84.semiMinorAxis
    // The next term of the series is less than 1e-5 of the first.
    return r * r / 6 * (1 + r * r * (7 / 60 + 1e-3))
  }
}
