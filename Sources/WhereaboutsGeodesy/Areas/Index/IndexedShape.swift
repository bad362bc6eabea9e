/// An area other than a circle, as an index keeps it: never changed, and asked where it lies, since it is large to copy.
final class IndexedShape: Sendable {
  let prepared: PreparedArea
  /// Metres from the center within which all of the area is.
  let reach: Double
  /// The words of its picture, where it is not of the smallest size.
  let picture: [UInt32]
  /// The boundary, where it lies in a plane and has an inside: to be asked in place, since a copy would cost as much as the answer.
  private let plane: PlaneBoundary?

  init(_ area: Area, picture: [UInt32], _ prepared: PreparedArea) {
    self.picture = picture
    self.prepared = prepared
    if case .plane(let plane) = prepared.form, prepared.halfWidth == nil {
      self.plane = plane
    } else {
      plane = nil
    }
    reach =
      prepared.reach.isFinite ? prepared.reach : Self.reach(of: area, around: prepared.center.coordinate)
  }

  /// Whether it contains a place; as `PreparedArea.contains(_:)`.
  func contains(_ place: Coordinate) -> Bool {
    let place = PreparedPlace(place)
    guard let point = plane?.frame.point(of: place) else { return prepared.contains(place) }
    return plane?.encloses(point) ?? false
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
