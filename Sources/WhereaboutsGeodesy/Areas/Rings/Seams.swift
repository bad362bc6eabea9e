/// The edges of rings that run back and forth over the same ground and therefore bound nothing.
///
/// RFC 7946 cuts areas at 180°, and draws an area with a pole along that meridian to the pole. Corners on the two
/// sides of such a cut may differ, so the rest of the meridian is found by latitude. Elsewhere an edge and its
/// reverse have the same ends.
struct Seams {
  private struct Edge: Hashable {
    let start, end: Place

    var reversed: Edge { Edge(start: end, end: start) }
    /// Whether the edge is on the meridian of 180°, which includes the poles.
    var isOnAntimeridian: Bool { start.isOnAntimeridian && end.isOnAntimeridian }

    init(start: Place, end: Place) {
      self.start = start
      self.end = end
    }

    init(_ start: PreparedPlace, _ end: PreparedPlace) {
      self.init(start: Place(start.coordinate), end: Place(end.coordinate))
    }
  }

  /// A place that equals itself under any of its longitudes.
  private struct Place: Hashable {
    let latitude, longitude: Double

    init(_ coordinate: Coordinate) {
      latitude = coordinate.latitude
      longitude =
        latitude.magnitude == 90 || coordinate.longitude.magnitude == 180 ? 180 : coordinate.longitude
    }

    var isOnAntimeridian: Bool { longitude == 180 }
  }

  /// Returns the parts of closed lines that remain without cancelled edges; `nil` if no edges cancel.
  ///
  /// The inside is on the left of the lines and of their parts. The parts can be open.
  static func withoutSeams(from lines: [[PreparedPlace]]) -> [[PreparedPlace]]? {
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

  /// The rest of the meridian of 180° after cancelling edges.
  private struct Meridian {
    /// The stretches from one latitude to another.
    private var stretches: [(start: Double, end: Double)] = []
    private(set) var hasSeams = false

    init(_ edges: [(start: Double, end: Double)]) {
      let latitudes = Set(edges.flatMap { [$0.start, $0.end] }).sorted()
      // The number of edges starting less those ending at each latitude, northward less southward.
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
