import WhereaboutsGeodesy

/// Polygons around a pole. Their ring is closed along the pole, by a seam: an edge from the ring to the pole, and the
/// same edge back.
extension FlatPolygon {
  /// The meridian of the seam.
  enum Seam {
    /// 180°, as RFC 7946 draws such an area. So it stays in one piece, and a file that is read and written again is equal.
    case antimeridian
    /// That of the first corner.
    case firstCorner
  }

  /// Returns a ring without corners at a pole between two corners on the meridian of 180°: the seam that a file states.
  static func withoutSeam(_ ring: [Coordinate]) -> [Coordinate] {
    guard let first = ring.firstIndex(where: { $0.latitude.magnitude < 90 }) else { return ring }
    var kept: [Coordinate] = [], atPole: [Coordinate] = []
    for place in ring[first...] + ring[...first] {
      if place.latitude.magnitude == 90 {
        atPole.append(place)
        continue
      }
      let isSeam =
        !atPole.isEmpty && place.longitude.magnitude == 180 && kept.last?.longitude.magnitude == 180
      if !isSeam { kept += atPole }
      atPole = []
      if isSeam, let last = kept.last, areEqual(last, place) { continue }
      kept.append(place)
    }
    if let last = kept.last, areEqual(last, kept[0]) { kept.removeLast() }
    return kept.count < 3 ? ring : kept
  }

  private static func areEqual(_ a: Coordinate, _ b: Coordinate) -> Bool {
    a.latitude == b.latitude
      && (a.longitude == b.longitude || (a.longitude.magnitude == 180 && b.longitude.magnitude == 180))
  }

  /// Closes a ring around a pole along the pole; such a ring ends one turn beside its beginning.
  static func closeAroundPole(_ points: inout [Point], _ polygon: Area.Polygon, at seam: Seam) {
    guard let first = points.first, let last = points.last, (last.x - first.x).magnitude >= 180 else {
      return
    }
    let north = Coordinate(uncheckedLatitude: 90, longitude: 0)
    let pole = Area.polygon(polygon).contains(north) ? 90.0 : -90
    let turn = last.x > first.x ? 360.0 : -360
    points[points.count - 1].x = first.x + turn
    if seam == .antimeridian { beginAtAntimeridian(&points, turn: turn, pole: pole) }
    let start = points[0]
    points.append(Point(x: points[points.count - 1].x, y: pole))
    points.append(Point(x: start.x, y: pole))
    points.append(start)
  }

  /// Makes a ring of one turn begin on the meridian of 180°, at the point nearest to the pole.
  private static func beginAtAntimeridian(_ points: inout [Point], turn: Double, pole: Double) {
    var start: (point: Point, next: Int)?
    for next in points.indices.dropFirst() {
      let a = points[next - 1], b = points[next]
      // The greatest meridian of 180° that is not east of the edge's eastern end.
      let x = ((max(a.x, b.x) - 180) / 360).rounded(.down) * 360 + 180
      guard x >= min(a.x, b.x), x != a.x else { continue }
      let point = x == b.x ? b : Point(x: x, y: a.y + (x - a.x) / (b.x - a.x) * (b.y - a.y))
      if start.map({ (point.y - $0.point.y) * pole > 0 }) ?? true { start = (point, next) }
    }
    guard let (point, next) = start else { return }
    let rest = points[next...] + points[1..<next].map { Point(x: $0.x + turn, y: $0.y) }
    // One turn from -180° to 180°, or back.
    let shift = (turn > 0 ? -180 : 180) - point.x
    var ring = [point] + rest.drop { $0 == point } + [Point(x: point.x + turn, y: point.y)]
    for index in ring.indices { ring[index].x += shift }
    points = ring
  }
}
