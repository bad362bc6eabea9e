extension Area {
  /// How far a place is from the boundary, negative inside.
  ///
  /// The area is made ready for this question alone; who has many asks a ``PreparedArea``.
  ///
  /// - Units: metres.
  /// - Domain: any place and any area.
  public func signedDistance(to place: Coordinate) -> SignedDistance {
    PreparedArea(self).signedDistance(to: place)
  }

  /// Whether a place is in the area or on its boundary, as far as the numbers tell.
  ///
  /// The area is made ready for this question alone; who has many asks a ``PreparedArea``.
  public func contains(_ place: Coordinate) -> Bool {
    PreparedArea(self).contains(place)
  }

  /// What bounds the area; of a circle nothing.
  var boundary: AreaBoundary {
    switch self {
    case .circle: AreaBoundary([], hasSeams: false)
    case .polygon(let polygon): AreaBoundary([polygon], hasSeams: polygon.hasSeams)
    case .multiPolygon(let multi): AreaBoundary(multi.polygons, hasSeams: multi.hasSeams)
    case .corridor(let corridor): AreaBoundary(line: corridor.line)
    }
  }
}
