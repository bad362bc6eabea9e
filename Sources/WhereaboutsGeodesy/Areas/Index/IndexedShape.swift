/// An area other than a circle, as an index keeps it.
struct IndexedShape: Sendable {
  let prepared: PreparedArea
  /// Metres from the center within which all of the area is.
  let reach: Double

  init(_ area: Area) {
    prepared = PreparedArea(area)
    reach =
      prepared.reach.isFinite ? prepared.reach : Self.reach(of: area, around: prepared.center.coordinate)
  }

  /// The distance of the farthest corner: a circle that is much smaller than a hemisphere holds the shortest path between any two of its
  /// places, and what such paths enclose.
  private static func reach(of area: Area, around center: Coordinate) -> Double {
    func farthest(_ corners: [Coordinate]) -> Double {
      corners.reduce(0) { max($0, center.distance(to: $1)) } + 1e-6
    }
    let reach: Double
    switch area {
    case .circle(let circle): reach = circle.radius
    case .polygon(let polygon): reach = farthest(polygon.exterior)
    case .multiPolygon(let multi): reach = multi.polygons.reduce(0) { max($0, farthest($1.exterior)) }
    case .corridor(let corridor): reach = farthest(corridor.line) + corridor.width / 2
    }
    return reach < 5_000_000 ? reach : .infinity
  }
}
