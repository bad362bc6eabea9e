/// An interval of the circle of longitudes, from its west end eastward to its east end, both included.
///
/// - Units: degrees in [-180, 180]. West is greater than east if the interval crosses 180°. The whole circle is -180
///   to 180, the meridian of 180° alone is 180 to 180.
struct LongitudeInterval: Hashable, Sendable {
  private(set) var west: Double
  private(set) var east: Double

  static let all = LongitudeInterval(west: -180, east: 180)

  init(west: Double, east: Double) {
    self.west = west
    self.east = east
    // An end at 180° gets the sign of the side where the rest is. Each interval then has one form, and an interval
    // that only touches 180° does not cross.
    if east == -180 { self.east = 180 }
    if west.magnitude == 180 { self.west = east.magnitude == 180 && west == east ? 180 : -180 }
  }

  var isAll: Bool { west == -180 && east == 180 }

  var crossesAntimeridian: Bool { west > east }

  /// Its size in degrees, in [0, 360].
  var span: Double { crossesAntimeridian ? 360 - (west - east) : east - west }

  /// Returns whether a longitude is inside, by comparison alone, so that every inserted longitude is inside.
  func contains(_ longitude: Double) -> Bool {
    if longitude.magnitude == 180 { return containsExactly(180) || containsExactly(-180) }
    return containsExactly(longitude)
  }

  private func containsExactly(_ longitude: Double) -> Bool {
    crossesAntimeridian ? longitude >= west || longitude <= east : longitude >= west && longitude <= east
  }

  /// Grows the interval to a longitude over the smaller of both gaps, eastward if they are equal.
  mutating func insert(_ longitude: Double) {
    if contains(longitude) { return }
    let eastward = Self.degreesEast(from: east, to: longitude)
    let westward = Self.degreesEast(from: longitude, to: west)
    self =
      eastward <= westward
      ? LongitudeInterval(west: west, east: longitude) : LongitudeInterval(west: longitude, east: east)
  }

  /// Returns the smallest interval that holds this interval and another.
  func union(_ other: LongitudeInterval) -> LongitudeInterval {
    if isAll || other.isAll { return .all }
    switch (contains(other.west), contains(other.east)) {
    case (true, true):
      // The other is inside, or both together go around the Earth.
      return other.contains(west) && other.contains(east) && self != other ? .all : self
    case (true, false): return LongitudeInterval(west: west, east: other.east)
    case (false, true): return LongitudeInterval(west: other.west, east: east)
    case (false, false):
      if other.contains(west) { return other }
      let eastward = Self.degreesEast(from: east, to: other.west)
      let westward = Self.degreesEast(from: other.east, to: west)
      return eastward <= westward
        ? LongitudeInterval(west: west, east: other.east) : LongitudeInterval(west: other.west, east: east)
    }
  }

  /// Returns whether two intervals have a longitude in common.
  func intersects(_ other: LongitudeInterval) -> Bool {
    contains(other.west) || contains(other.east) || other.contains(west)
  }

  /// Returns the interval with some degrees more on either side.
  func expanded(by degrees: Double) -> LongitudeInterval {
    // The small difference allows for rounding.
    if isAll || span + 2 * degrees >= 360 - 1e-12 { return .all }
    return LongitudeInterval(
      west: (west - degrees).remainder(dividingBy: 360), east: (east + degrees).remainder(dividingBy: 360))
  }

  private static func degreesEast(from start: Double, to end: Double) -> Double {
    end >= start ? end - start : 360 - (start - end)
  }
}
