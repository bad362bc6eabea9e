import RealModule

/// A region between two parallels and two meridians.
///
/// A box may cross 180°, and may hold a pole with all longitudes around the pole. A box grows by one place in
/// constant time and space, so a box can follow a stream.
///
/// - Units: degrees. `west` is greater than `east` if the box crosses 180°; all longitudes are -180 to 180.
public struct BoundingBox: Hashable, Sendable {
  /// The southern edge, in degrees in [-90, 90].
  public private(set) var south: Double
  /// The northern edge, in degrees in [-90, 90], not less than `south`.
  public private(set) var north: Double
  private var longitudes: LongitudeInterval

  /// The western edge, in degrees in [-180, 180].
  public var west: Double { longitudes.west }
  /// The eastern edge, in degrees in [-180, 180]; less than `west` if the box crosses 180°.
  public var east: Double { longitudes.east }

  /// The whole Earth.
  public static var world: BoundingBox { BoundingBox(south: -90, north: 90, .all) }

  /// Creates a box that holds one place.
  public init(_ place: Coordinate) {
    self.init(
      south: place.latitude, north: place.latitude,
      LongitudeInterval(west: place.longitude, east: place.longitude))
  }

  /// Creates a box between two parallels and two meridians, from `west` eastward to `east`.
  ///
  /// - Returns: `nil` if a number is NaN or out of range, or if `south` is greater than `north`.
  public init?(south: Double, west: Double, north: Double, east: Double) {
    guard let southwest = Coordinate(latitude: south, longitude: west),
      let northeast = Coordinate(latitude: north, longitude: east), south <= north
    else { return nil }
    self.init(
      south: southwest.latitude, north: northeast.latitude,
      LongitudeInterval(west: southwest.longitude, east: northeast.longitude))
  }

  /// Creates a box that holds all places, grown one by one as by `insert`; `nil` if there are none.
  public init?(_ places: some Sequence<Coordinate>) {
    var iterator = places.makeIterator()
    guard let first = iterator.next() else { return nil }
    self.init(first)
    while let next = iterator.next() { insert(next) }
  }

  private init(south: Double, north: Double, _ longitudes: LongitudeInterval) {
    self.south = south
    self.north = north
    self.longitudes = longitudes
  }

  /// Grows the box to hold a place.
  ///
  /// Longitudes grow over the smaller of the two gaps between box and place, eastward if both are equal. Places
  /// within 180° of longitude get the smallest box in any order. A track of small steps also does, however far
  /// around. Places spread wider may get a larger box than necessary. A pole has no longitude and adds none.
  ///
  /// - Complexity: O(1), without allocation.
  public mutating func insert(_ place: Coordinate) {
    let wasPole = isPole
    south = Swift.min(south, place.latitude)
    north = Swift.max(north, place.latitude)
    if place.latitude.magnitude == 90 { return }
    if wasPole {
      longitudes = LongitudeInterval(west: place.longitude, east: place.longitude)
    } else {
      longitudes.insert(place.longitude)
    }
  }

  /// Returns the smallest box that holds two boxes; of two directions around the Earth the shorter.
  public func union(_ other: BoundingBox) -> BoundingBox {
    let longitudes: LongitudeInterval
    if isPole {
      longitudes = other.longitudes
    } else {
      longitudes = other.isPole ? self.longitudes : self.longitudes.union(other.longitudes)
    }
    return BoundingBox(
      south: Swift.min(south, other.south), north: Swift.max(north, other.north), longitudes)
  }

  /// Returns whether a place is in the box or on its edge. A pole is inside under any longitude.
  public func contains(_ place: Coordinate) -> Bool {
    guard place.latitude >= south, place.latitude <= north else { return false }
    return place.latitude.magnitude == 90 || longitudes.contains(place.longitude)
  }

  /// Returns whether two boxes have a place in common.
  public func intersects(_ other: BoundingBox) -> Bool {
    guard south <= other.north, other.south <= north else { return false }
    // All longitudes meet at a pole.
    let sharePole = Swift.min(north, other.north) == 90 || Swift.max(south, other.south) == -90
    return sharePole || longitudes.intersects(other.longitudes)
  }

  private var isPole: Bool { south == 90 || north == -90 }

  /// Whether the box crosses the meridian of 180°; a box that only touches the meridian does not cross.
  public var crossesAntimeridian: Bool { longitudes.crossesAntimeridian }

  /// The extent from west to east, in degrees in [0, 360].
  public var longitudeSpan: Double { longitudes.span }

  /// The midpoint of both extents.
  public var center: Coordinate {
    let longitude = (west + longitudeSpan / 2).remainder(dividingBy: 360)
    return Coordinate(uncheckedLatitude: south + (north - south) / 2, longitude: longitude)
  }
}

extension BoundingBox {
  /// The length of a meridian from the southern to the northern edge, in metres.
  public var height: Double {
    Coordinate(uncheckedLatitude: south, longitude: 0)
      .distance(to: Coordinate(uncheckedLatitude: north, longitude: 0))
  }

  /// The length of the longest parallel in the box, from edge to edge, in metres.
  public var width: Double {
    let nearestEquator = south > 0 ? south : Swift.min(north, 0)
    let place = ReducedPlace(Coordinate(uncheckedLatitude: nearestEquator, longitude: 0))
    return WGS84.semiMajorAxis * place.cosβ * (longitudeSpan * .pi / 180)
  }

  /// Returns a box that holds every place within a distance of this box.
  ///
  /// The edges are at most a few per cent farther out than necessary. A pole within the distance is included. A
  /// negative or NaN distance changes nothing.
  ///
  /// - Parameter distance: the distance in metres.
  /// - Source: Reduced latitude maps places to a sphere of radius b, where no path gets longer: a² sin²β + b² cos²β
  ///   and a² are both at least b². On the sphere a circle of radius δ around β reaches asin(sin δ/cos β) to either
  ///   side.
  public func expanded(by distance: Double) -> BoundingBox {
    guard distance > 0 else { return self }
    // A margin for rounding; 10 nm is 1e-13°.
    let δ = (distance * (1 + 1e-12) + 10e-9) / WGS84.semiMinorAxis
    let (southβ, northβ) = (Self.reduced(south), Self.reduced(north))
    let newSouth = southβ - δ <= -.pi / 2 ? -90 : Swift.min(south, Self.latitude(southβ - δ))
    let newNorth = northβ + δ >= .pi / 2 ? 90 : Swift.max(north, Self.latitude(northβ + δ))
    let farthest = Swift.max(southβ.magnitude, northβ.magnitude)
    guard newSouth > -90, newNorth < 90, farthest + δ < .pi / 2 else {
      return BoundingBox(south: newSouth, north: newNorth, .all)
    }
    let aside = Double.asin(Swift.min(1, .sin(δ) / .cos(farthest))) * (180 / .pi)
    return BoundingBox(south: newSouth, north: newNorth, longitudes.expanded(by: aside + 1e-13))
  }

  /// Returns the reduced latitude, in radians, of a latitude in degrees.
  private static func reduced(_ latitude: Double) -> Double {
    let place = ReducedPlace(Coordinate(uncheckedLatitude: latitude, longitude: 0))
    return .atan2(y: place.sinβ, x: place.cosβ)
  }

  /// Returns the latitude in degrees of a reduced latitude in radians.
  private static func latitude(_ reduced: Double) -> Double {
    .atan2(y: .sin(reduced), x: (1 - WGS84.flattening) * .cos(reduced)) * (180 / .pi)
  }
}
