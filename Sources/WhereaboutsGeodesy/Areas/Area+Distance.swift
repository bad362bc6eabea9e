extension Area {
  /// Returns the distance from a place to the boundary, negative inside.
  ///
  /// The area is prepared for this query alone. For many queries use a ``PreparedArea``.
  ///
  /// - Units: metres.
  /// - Domain: any place and any area.
  public func signedDistance(to place: Coordinate) -> SignedDistance {
    PreparedArea(self).signedDistance(to: place)
  }

  /// Returns whether a place is in the area or on its boundary, within numerical accuracy.
  ///
  /// The area is prepared for this query alone. For many queries use a ``PreparedArea``.
  public func contains(_ place: Coordinate) -> Bool {
    PreparedArea(self).contains(place)
  }

  /// The boundary of the area; empty for a circle.
  var boundary: AreaBoundary {
    switch self {
    case .circle: AreaBoundary([], hasSeams: false)
    case .polygon(let polygon): AreaBoundary([polygon], hasSeams: polygon.hasSeams)
    case .multiPolygon(let multi): AreaBoundary(multi.polygons, hasSeams: multi.hasSeams)
    case .corridor(let corridor): AreaBoundary(line: corridor.line)
    }
  }
}
