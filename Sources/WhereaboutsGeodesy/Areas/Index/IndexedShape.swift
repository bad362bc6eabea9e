/// An area other than a circle, as stored in an index: immutable, and queried in place because copies are expensive.
final class IndexedShape: Sendable {
  let prepared: PreparedArea
  /// The radius in metres around the center that holds all of the area; infinite if unknown.
  let reach: Double
  /// The words of a raster larger than the smallest size.
  let raster: [UInt32]
  /// The boundary in a plane, if it has an inside; queried in place, because a copy would cost as much as the query.
  private let plane: PlaneBoundary?

  init(_ area: Area, raster: [UInt32], _ prepared: PreparedArea) {
    self.raster = raster
    self.prepared = prepared
    if case .plane(let plane) = prepared.form, prepared.halfWidth == nil {
      self.plane = plane
    } else {
      plane = nil
    }
    reach =
      prepared.reach.isFinite ? prepared.reach : Self.reach(of: area, around: prepared.center.coordinate)
  }

  /// Returns whether the shape contains a place, as `PreparedArea.contains(_:)`.
  func contains(_ place: Coordinate) -> Bool {
    let place = PreparedPlace(place)
    guard let point = plane?.frame.point(of: place) else { return prepared.contains(place) }
    return plane?.encloses(point) ?? false
  }

  /// Returns the distance of the farthest corner in metres; infinite from 5000 km on. A circle much smaller
  /// than a hemisphere holds the shortest path between any two of its places, and the areas enclosed by such
  /// paths.
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
