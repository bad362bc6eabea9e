import RealModule

/// A line that is straight in degrees of longitude and latitude, as area edges in files are.
///
/// The line deviates from the geodesic between its ends by about L² tan φ/8R: 200 m for 100 km at 45°.
package struct DegreeLine {
  private let start, end: Coordinate
  /// The difference of longitude in degrees, eastward.
  private let Δλ: Double

  /// The meaning of an edge over more than 180° of longitude.
  package enum LongEdge: Sendable {
    /// The edge as written. RFC 7946 defines edges like this, and asks for areas to be cut at 180°.
    case asWritten
    /// The short direction across 180°, except that 360° are all the way around.
    case acrossAntimeridian
  }

  /// Creates the line between two places.
  package init(from start: Coordinate, to end: Coordinate, longEdge: LongEdge = .asWritten) {
    let Δλ = end.longitude - start.longitude
    self.start = start
    self.end = end
    self.Δλ =
      longEdge == .acrossAntimeridian && Δλ.magnitude < 360 && Δλ.magnitude > 180
      ? Δλ - (Δλ < 0 ? -360 : 360) : Δλ
  }

  /// Returns a path whose geodesics stay within a tolerance of lines that are straight in degrees. The path has the
  /// given places and places in between.
  ///
  /// - Parameter tolerance: the largest deviation in metres, more than 0.
  /// - Complexity: proportional to the number of returned places, at most a million for a line.
  package static func path(
    through places: [Coordinate], within tolerance: Double, longEdge: LongEdge = .asWritten
  ) -> [Coordinate] {
    guard var last = places.first else { return [] }
    var path = [last]
    for place in places.dropFirst() {
      DegreeLine(from: last, to: place, longEdge: longEdge).append(to: &path, within: tolerance)
      last = place
    }
    return path
  }

  /// Returns the place at a fraction of the line, from 0 to 1.
  private func place(at t: Double) -> Coordinate {
    if t >= 1 { return end }
    let latitude = start.latitude + t * (end.latitude - start.latitude)
    let longitude = (start.longitude + t * Δλ).remainder(dividingBy: 360)
    return Coordinate(uncheckedLatitude: latitude, longitude: longitude)
  }

  /// Appends the places after the start.
  private func append(to path: inout [Coordinate], within tolerance: Double) {
    let isAtPole = start.latitude == end.latitude && start.latitude.magnitude == 90
    if !isAtPole { append(to: &path, within: tolerance, part: 0, 1, depth: 0) }
    path.append(end)
  }

  private func append(
    to path: inout [Coordinate], within tolerance: Double, part t0: Double, _ t1: Double, depth: Int
  ) {
    guard depth < 20, !isStraight(t0, t1, within: tolerance) else { return }
    let middle = (t0 + t1) / 2
    append(to: &path, within: tolerance, part: t0, middle, depth: depth + 1)
    path.append(place(at: middle))
    append(to: &path, within: tolerance, part: middle, t1, depth: depth + 1)
  }

  /// Returns whether the geodesic between two places of the line stays near the line.
  private func isStraight(_ t0: Double, _ t1: Double, within tolerance: Double) -> Bool {
    guard (t1 - t0) * Δλ.magnitude <= 90 else { return false }
    let a = place(at: t0), b = place(at: t1)
    // On a meridian or the equator the line is the geodesic.
    if Δλ == 0 || (a.latitude == 0 && b.latitude == 0) { return true }
    let length = a.distance(to: b)
    // The line bends at most by 2 tan φ/R.
    let φ = max(a.latitude.magnitude, b.latitude.magnitude) * (.pi / 180)
    if φ < 1.5, length * length * .tan(φ) <= 4 * WGS84.semiMinorAxis * tolerance { return true }
    let edge = GeodesicEdge(from: a, to: b)
    // Three places are tested, because a line across the equator bends both ways.
    return [0.25, 0.5, 0.75].allSatisfy { part in
      edge.distance(to: place(at: t0 + part * (t1 - t0)), from: part * length) <= tolerance
    }
  }
}
