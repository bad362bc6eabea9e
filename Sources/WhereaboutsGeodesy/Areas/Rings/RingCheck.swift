import RealModule

/// A check that rings form the polygons of one area.
///
/// Faults up to a millimetre deep are tolerated: borders shared by two polygons are seldom equal to the last digit.
struct RingCheck {
  /// The role of a ring.
  struct Role {
    let polygon: Int
    let isHole: Bool
  }

  let boundary: GlobeBoundary
  /// The points of each ring, including its end point.
  let rings: [Range<Int>]
  let roles: [Role]
  /// The tolerated depth of a crossing, on the unit sphere.
  let tolerance: Double

  /// Creates the check of closed rings in either orientation.
  init(_ lines: [[PreparedPlace]], roles: [Role]) {
    boundary = GlobeBoundary(lines, isFilled: false)
    self.roles = roles
    tolerance = (1e-3 + 2 * boundary.deviation) / WGS84.semiMinorAxis
    var rings: [Range<Int>] = [], first = 0, edge = 0
    for line in lines {
      edge += line.count - 1
      // The last piece of a ring is followed by its end and the end marker.
      let end = edge < boundary.edges.count ? boundary.edges[edge].first : boundary.points.count
      rings.append(first..<end)
      first = end
    }
    self.rings = rings
  }

  /// Returns the ring of a piece.
  func ring(of piece: Int) -> Int {
    var low = 0, high = rings.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if rings[middle].lowerBound <= piece { low = middle } else { high = middle }
    }
    return low
  }

  /// Returns for each ring whether its inside, the smaller side, is on its left.
  func orientations() throws(AreaError) -> [Bool] {
    var isLeft: [Bool] = []
    for ring in rings {
      let points = boundary.points[ring].dropLast()
      let area = SphereArc.areaLeft(of: points, apex: apex(of: points))
      var length = 0.0
      for (a, b) in zip(points, points.dropFirst()) { length += (((b - a) * (b - a)).sum()).squareRoot() }
      let smaller = min(area, 4 * .pi - area)
      if smaller <= tolerance * length / 2 { throw .empty }
      if smaller > 2 * .pi * (1 - 1e-6) { throw .tooLarge }
      isLeft.append(area < 2 * .pi)
    }
    return isLeft
  }

  private func apex(of ring: ArraySlice<SIMD3<Double>>) -> SIMD3<Double> {
    let first = ring[ring.startIndex]
    let isSmall = ring.allSatisfy { (($0 - first) * ($0 - first)).sum() < 1 }
    return isSmall ? first : -boundary.farPlaces[0]
  }

  func coordinate(of point: SIMD3<Double>) -> Coordinate {
    let a = WGS84.semiMajorAxis, b = WGS84.semiMinorAxis
    return EarthCentred.coordinate(of: point * SIMD3(a, a, b)) ?? boundary.edges[0].start
  }
}
