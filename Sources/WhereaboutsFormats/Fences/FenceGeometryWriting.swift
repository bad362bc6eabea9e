import WhereaboutsGeodesy

extension [UInt8] {
  /// Appends an area as a geometry of GeoJSON.
  mutating func appendGeometry(of area: Area, style: FenceWriter.Style) {
    switch area {
    case .circle(let circle):
      append("{\"type\":\"Point\",\"coordinates\":")
      appendFencePosition(circle.center)
      append("}")
    case .corridor(let corridor):
      append("{\"type\":\"LineString\",\"coordinates\":")
      // Not cut at 180°: a corridor is one line.
      appendPositions(style == .exact ? corridor.line : DegreeEdges.path(through: corridor.line))
      append("}")
    case .polygon(let polygon):
      let polygons = polygon.rings(style)
      appendPolygons(polygons, isMulti: polygons.count != 1)
    case .multiPolygon(let multi):
      appendPolygons(multi.polygons.flatMap { $0.rings(style) }, isMulti: true)
    }
  }

  private mutating func appendPolygons(_ polygons: [[[Coordinate]]], isMulti: Bool) {
    append(
      isMulti ? "{\"type\":\"MultiPolygon\",\"coordinates\":[" : "{\"type\":\"Polygon\",\"coordinates\":")
    for (index, rings) in polygons.enumerated() {
      append(index == 0 ? "[" : ",[")
      for (index, ring) in rings.enumerated() {
        if index > 0 { append(",") }
        appendPositions(ring + ring.prefix(1))
      }
      append("]")
    }
    append(isMulti ? "]}" : "}")
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
  /// Its rings as they are written, not closed, of as many polygons as it takes.
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
