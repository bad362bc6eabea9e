import WhereaboutsGeodesy

extension [UInt8] {
  /// Appends an area as a geometry of GeoJSON.
  mutating func appendGeometry(of area: Area, style: FenceWriter.Style) {
    switch area {
    case .circle(let circle): appendGeometry("Point") { $0.appendFencePosition(circle.center) }
    case .corridor(let corridor):
      // Not cut at 180°: a corridor is one line.
      let line = style == .exact ? corridor.line : DegreeEdges.path(through: corridor.line)
      appendGeometry("LineString") { $0.appendPositions(line) }
    case .polygon(let polygon):
      let polygons = polygon.rings(style)
      if polygons.count == 1 {
        appendGeometry("Polygon") { $0.appendRings(polygons[0]) }
      } else {
        appendMultiPolygon(polygons)
      }
    case .multiPolygon(let multi): appendMultiPolygon(multi.polygons.flatMap { $0.rings(style) })
    }
  }

  private mutating func appendGeometry(_ type: StaticString, _ coordinates: (inout [UInt8]) -> Void) {
    appendJSONObject {
      $0.appendJSONMember("type", text: type)
      $0.appendJSONKey("coordinates")
      coordinates(&$0)
    }
  }

  private mutating func appendMultiPolygon(_ polygons: [[[Coordinate]]]) {
    appendGeometry("MultiPolygon") { $0.appendJSONArray(polygons) { $0.appendRings($1) } }
  }

  private mutating func appendRings(_ rings: [[Coordinate]]) {
    appendJSONArray(rings) { $0.appendPositions($1 + $1.prefix(1)) }
  }

  private mutating func appendPositions(_ places: [Coordinate]) {
    appendJSONArray(places) { $0.appendFencePosition($1) }
  }

  private mutating func appendFencePosition(_ place: Coordinate) {
    append("[")
    appendJSON(place.longitude, .exact)
    append(",")
    appendJSON(place.latitude, .exact)
    append("]")
  }
}

extension Area.Polygon {
  /// Returns the area's rings in written form, not closed, of as many polygons as necessary.
  fileprivate func rings(_ style: FenceWriter.Style) -> [[[Coordinate]]] {
    guard style == .interchange, let flat = FlatPolygon(self) else { return [[exterior] + holes] }
    return flat.cutAtAntimeridian().map { polygon in
      polygon.rings.map { ring in ring.map { Coordinate(x: $0.x, y: $0.y) } }
    }
  }
}

extension Coordinate {
  fileprivate init(x: Double, y: Double) {
    self.init(uncheckedLatitude: y, longitude: min(max(x, -180), 180))
  }
}
