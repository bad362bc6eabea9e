import WhereaboutsGeodesy

/// A polygon on a map without ends in the east and west, where longitude is x, latitude is y, and edges are straight.
struct FlatPolygon {
  struct Point: Equatable {
    var x, y: Double
  }

  /// The outer ring anticlockwise, then the holes, clockwise; the last corner is joined to the first.
  var rings: [[Point]]

  /// Creates the polygon of an area, with as many places on its edges as straight edges require; `nil` if a hole of a
  /// polygon around a pole can't be placed.
  init?(_ polygon: Area.Polygon) {
    // A hole across 180° needs a seam elsewhere.
    guard let flat = Self(polygon, seam: .antimeridian) ?? Self(polygon, seam: .firstCorner) else {
      return nil
    }
    self = flat
  }

  private init?(_ polygon: Area.Polygon, seam: Seam) {
    rings = []
    for ring in [polygon.exterior] + polygon.holes {
      let ring = Self.withoutSeam(ring)
      var flat = Self.unwrapped(DegreeEdges.path(through: ring + ring.prefix(1)))
      if rings.isEmpty { Self.closeAroundPole(&flat, polygon, at: seam) }
      guard flat.first == flat.last else { return nil }
      flat.removeLast()
      if (Self.doubledArea(flat) > 0) != rings.isEmpty { flat[1...].reverse() }
      if let outer = rings.first {
        guard Self.move(&flat, into: outer) else { return nil }
      }
      rings.append(flat)
    }
  }

  init(rings: [[Point]]) { self.rings = rings }

  /// Returns the points of a path, each by the shorter direction from the one before.
  private static func unwrapped(_ path: [Coordinate]) -> [Point] {
    var points: [Point] = []
    points.reserveCapacity(path.count + 3)
    for place in path {
      let x =
        points.last.map { $0.x + (place.longitude - $0.x).remainder(dividingBy: 360) } ?? place.longitude
      points.append(Point(x: x, y: place.latitude))
    }
    // A closed ring must end exactly at its first place, however the steps were rounded.
    if let first = points.first, let last = points.last, (last.x - first.x).magnitude < 180 {
      points[points.count - 1].x = first.x
    }
    return points
  }

  /// Moves a hole by whole turns into its polygon.
  private static func move(_ hole: inout [Point], into outer: [Point]) -> Bool {
    let bounds = Self.bounds(outer), own = Self.bounds(hole)
    for turn in [0.0, 360, -360, 720, -720] where own.lowerBound + turn >= bounds.lowerBound {
      guard own.upperBound + turn <= bounds.upperBound else { continue }
      for index in hole.indices { hole[index].x += turn }
      return true
    }
    return false
  }

  // MARK: Measures

  /// Returns the range from the least to the greatest longitude.
  static func bounds(_ ring: [Point]) -> ClosedRange<Double> {
    var least = Double.infinity, greatest = -Double.infinity
    for point in ring {
      least = min(least, point.x)
      greatest = max(greatest, point.x)
    }
    return least <= greatest ? least...greatest : 0...0
  }

  /// Returns twice the area within a ring, positive where that is on the left.
  static func doubledArea(_ ring: [Point]) -> Double {
    guard let first = ring.first, var previous = ring.last else { return 0 }
    var sum = 0.0
    for point in ring {
      // Relative to the first corner, so that small rings lose no digits.
      sum += (previous.x - first.x) * (point.y - first.y) - (point.x - first.x) * (previous.y - first.y)
      previous = point
    }
    return sum
  }

  /// Returns whether a point is within a ring.
  static func contains(_ ring: [Point], _ point: Point) -> Bool {
    guard var previous = ring.last else { return false }
    var isInside = false
    for corner in ring {
      if (corner.y > point.y) != (previous.y > point.y),
        point.x < (previous.x - corner.x) * (point.y - corner.y) / (previous.y - corner.y) + corner.x
      {
        isInside.toggle()
      }
      previous = corner
    }
    return isInside
  }
}
