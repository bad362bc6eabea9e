/// The edges of rings that run back and forth over the same ground, which bound nothing.
///
/// RFC 7946 has areas cut at 180°, and drawn along that meridian to a pole that is inside. Corners on the two sides of such a cut need
/// not be the same, so what is left of the meridian is found by latitude; elsewhere an edge and its reverse
/// have the same ends.
struct Seams {
  private struct Edge: Hashable {
    let start, end: Place

    var reversed: Edge { Edge(start: end, end: start) }
    /// On the meridian of 180°, where a pole is on each.
    var isOnAntimeridian: Bool { start.isOnAntimeridian && end.isOnAntimeridian }

    init(start: Place, end: Place) {
      self.start = start
      self.end = end
    }

    init(_ start: PreparedPlace, _ end: PreparedPlace) {
      self.init(start: Place(start.coordinate), end: Place(end.coordinate))
    }
  }

  /// A place that is equal to itself by any longitude it may have.
  private struct Place: Hashable {
    let latitude, longitude: Double

    init(_ coordinate: Coordinate) {
      latitude = coordinate.latitude
      longitude =
        latitude.magnitude == 90 || coordinate.longitude.magnitude == 180 ? 180 : coordinate.longitude
    }

    var isOnAntimeridian: Bool { longitude == 180 }
  }

  /// Closed lines that have the inside on their left, without what cancels; `nil` where nothing does.
  static func removed(from lines: [[PreparedPlace]]) -> [[PreparedPlace]]? {
    var edges: Set<Edge> = []
    edges.reserveCapacity(lines.reduce(0) { $0 + $1.count })
    var hasSeams = false, onMeridian: [Edge] = []
    for line in lines {
      for (start, end) in zip(line, line.dropFirst()) {
        let edge = Edge(start, end)
        if edge.isOnAntimeridian {
          onMeridian.append(edge)
        } else {
          hasSeams = hasSeams || edges.contains(edge.reversed)
          edges.insert(edge)
        }
      }
    }
    let meridian = Meridian(onMeridian.map { ($0.start.latitude, $0.end.latitude) })
    guard hasSeams || meridian.hasSeams else { return nil }
    var kept: [[PreparedPlace]] = []
    for line in lines {
      var piece: [PreparedPlace] = []
      for (start, end) in zip(line, line.dropFirst()) {
        let edge = Edge(start, end)
        if edge.isOnAntimeridian || edges.contains(edge.reversed) {
          if piece.count > 1 { kept.append(piece) }
          piece = []
        } else {
          if piece.isEmpty { piece.append(start) }
          piece.append(end)
        }
      }
      if piece.count > 1 { kept.append(piece) }
    }
    return kept + meridian.lines
  }

  /// What edges leave of the meridian of 180°.
  private struct Meridian {
    /// From a latitude to another.
    private var stretches: [(start: Double, end: Double)] = []
    private(set) var hasSeams = false

    init(_ edges: [(start: Double, end: Double)]) {
      let latitudes = Set(edges.flatMap { [$0.start, $0.end] }).sorted()
      // Edges that start and end at each latitude, northward less southward.
      var changes: [Double: Int] = [:]
      for edge in edges {
        changes[edge.start, default: 0] += 1
        changes[edge.end, default: 0] -= 1
      }
      var northward = 0
      for (south, north) in zip(latitudes, latitudes.dropFirst()) {
        northward += changes[south] ?? 0
        if northward > 0 { stretches.append((south, north)) }
        if northward < 0 { stretches.append((north, south)) }
      }
      let covered = edges.reduce(0.0) { $0 + ($1.end - $1.start).magnitude }
      let left = stretches.reduce(0.0) { $0 + ($1.end - $1.start).magnitude }
      hasSeams = covered > left * (1 + 1e-12)
    }

    var lines: [[PreparedPlace]] {
      stretches.map { stretch in
        [stretch.start, stretch.end].map {
          PreparedPlace(Coordinate(uncheckedLatitude: $0, longitude: 180))
        }
      }
    }
  }
}
