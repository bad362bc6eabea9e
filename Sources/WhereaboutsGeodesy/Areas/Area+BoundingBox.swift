import RealModule

extension Area {
  /// A box that holds the area, including a pole inside; it can be a few per cent larger than necessary.
  ///
  /// - Complexity: O(n) for n corners.
  public var boundingBox: BoundingBox {
    switch self {
    case .circle(let circle): BoundingBox(circle.center).expanded(by: circle.radius)
    case .corridor(let corridor): boundary.box.expanded(by: corridor.width / 2)
    case .polygon, .multiPolygon: withPoles(boundary.box)
    }
  }

  private func withPoles(_ box: BoundingBox) -> BoundingBox {
    // An area around a pole touches all meridians.
    guard box.longitudeSpan > 300 else { return box }
    let prepared = PreparedArea(self)
    func holds(_ latitude: Double) -> Bool {
      prepared.contains(Coordinate(uncheckedLatitude: latitude, longitude: 0))
    }
    let (north, south) = (holds(90), holds(-90))
    guard north || south else { return box }
    return BoundingBox(
      south: south ? -90 : box.south, west: -180, north: north ? 90 : box.north, east: 180) ?? .world
  }
}

extension AreaBoundary {
  /// The box that holds the lines.
  var box: BoundingBox {
    var box: BoundingBox?
    for line in lines {
      var lineBox = BoundingBox(line[0].coordinate)
      for (start, end) in zip(line, line.dropFirst()) {
        lineBox = lineBox.union(Self.box(from: start.coordinate, to: end.coordinate))
      }
      box = box?.union(lineBox) ?? lineBox
    }
    return (box ?? .world).expanded(by: 1e-6)
  }

  /// Returns the box that holds a geodesic.
  private static func box(from start: Coordinate, to end: Coordinate) -> BoundingBox {
    var box = BoundingBox(start)
    box.insert(end)
    let path = Geodesic(from: start, to: end)
    guard let azimuth = path.initialAzimuth, let last = path.finalAzimuth else { return box }
    let α1 = Direction(degrees: azimuth), α2 = Direction(degrees: last)
    // The geodesic is farthest north or south at its vertex, at cos β = sin α0.
    guard (α1.cosine > 0) != (α2.cosine > 0) else { return box }
    let cosβ = min(1, (α1.sine * ReducedPlace(start).cosβ).magnitude)
    let φ = Double.atan2(y: (1 - cosβ * cosβ).squareRoot(), x: (1 - WGS84.flattening) * cosβ) * (180 / .pi)
    // The vertex's longitude lies within the whole box.
    let top = Coordinate(uncheckedLatitude: min(90, φ) * (α1.cosine > 0 ? 1 : -1), longitude: start.longitude)
    box.insert(top)
    return box
  }
}
