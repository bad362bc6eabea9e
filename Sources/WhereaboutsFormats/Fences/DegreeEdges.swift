import RealModule
import WhereaboutsGeodesy

/// A conversion between geodesic edges and edges that are straight in degrees, as in GeoJSON.
enum DegreeEdges {
  /// The greatest distance between an edge and its line, in metres.
  static let tolerance = 0.1

  /// The limit of added points: more would fill the memory, and are no sensible fence.
  static let maxAddedPoints = 50_000

  /// Returns the corners of a path whose lines are straight in degrees, with corners added so that geodesics follow
  /// these lines. `nil` if more than ``maxAddedPoints`` are needed.
  static func geodesics(through places: [Coordinate]) -> [Coordinate]? {
    guard var last = places.first else { return [] }
    var path = [last]
    path.reserveCapacity(places.count)
    for place in places.dropFirst() {
      if mayBend(from: last, to: place) {
        let line = DegreeLine.path(through: [last, place], within: tolerance, longEdge: .acrossAntimeridian)
        path.append(contentsOf: line.dropFirst())
        guard path.count - places.count <= maxAddedPoints else { return nil }
      } else {
        path.append(place)
      }
      last = place
    }
    return path
  }

  /// Returns whether a line leaves the geodesic by more than the tolerance, or may: nearly every edge is too short for
  /// that.
  private static func mayBend(from start: Coordinate, to end: Coordinate) -> Bool {
    let north = (end.latitude - start.latitude).magnitude, east = (end.longitude - start.longitude).magnitude
    // An upper bound, since a degree of longitude is at most one of latitude.
    let length = (north + east) * 111_700
    return !isStraight(from: start, to: end, length: length)
  }

  /// Returns the places of a path of geodesics, with as many in between as necessary.
  static func path(through places: [Coordinate]) -> [Coordinate] {
    guard var last = places.first else { return [] }
    var path = [last]
    path.reserveCapacity(places.count)
    for place in places.dropFirst() {
      append(from: last, to: place, to: &path, depth: 0)
      path.append(place)
      last = place
    }
    return path
  }

  private static func append(
    from start: Coordinate, to end: Coordinate, to path: inout [Coordinate], depth: Int
  ) {
    let length = start.distance(to: end)
    if depth == 16 || isStraight(from: start, to: end, length: length) { return }
    guard let azimuth = start.initialAzimuth(to: end) else { return }
    let places = [0.25, 0.5, 0.75].compactMap { start.destination(azimuth: azimuth, distance: $0 * length) }
    guard places.count == 3 else { return }
    let isNear = zip(places, [0.25, 0.5, 0.75]).allSatisfy { place, part in
      place.distance(to: pointOnLine(from: start, to: end, part)) <= tolerance
    }
    if isNear { return }
    append(from: start, to: places[1], to: &path, depth: depth + 1)
    path.append(places[1])
    append(from: places[1], to: end, to: &path, depth: depth + 1)
  }

  private static func pointOnLine(from start: Coordinate, to end: Coordinate, _ part: Double) -> Coordinate {
    let east = (end.longitude - start.longitude).remainder(dividingBy: 360)
    let latitude = start.latitude + part * (end.latitude - start.latitude)
    return Coordinate(latitude: latitude, wrappingLongitude: start.longitude + part * east) ?? start
  }

  /// Returns whether a line of some metres is too short to leave the geodesic: it bends at most by 2 tan φ/R.
  private static func isStraight(from start: Coordinate, to end: Coordinate, length: Double) -> Bool {
    let φ = max(start.latitude.magnitude, end.latitude.magnitude) * (.pi / 180)
    return φ < 1.5 && length * length * .tan(φ) <= 4 * WGS84.semiMinorAxis * tolerance
  }
}
