extension FlatPolygon {
  /// Returns the parts of the polygon between -180° and 180°, as RFC 7946 wants an area cut that crosses 180°.
  func cutAtAntimeridian() -> [FlatPolygon] {
    guard let outer = rings.first else { return [] }
    let bounds = Self.bounds(outer)
    var rest = [self]
    var parts: [FlatPolygon] = []
    // The polygon is within a few turns of 0°.
    for turn in stride(from: -2.0, through: 2, by: 1) {
      let west = 360 * turn - 180
      let east = west + 360
      guard bounds.lowerBound < east, bounds.upperBound > west else { continue }
      var here: [FlatPolygon] = [], beyond: [FlatPolygon] = []
      for polygon in rest {
        guard Self.bounds(polygon.rings[0]).upperBound > east else {
          here.append(polygon)
          continue
        }
        // An inseparable polygon stays in one piece.
        guard let (left, right) = polygon.split(at: east) else {
          here.append(polygon)
          continue
        }
        here += left
        beyond += right
      }
      parts += here.map { $0.shifted(by: -360 * turn) }
      rest = beyond
    }
    return parts
  }

  private func shifted(by turn: Double) -> FlatPolygon {
    FlatPolygon(rings: rings.map { $0.map { Point(x: $0.x + turn, y: $0.y) } })
  }

  /// Returns the parts west and east of a meridian; `nil` if they can't be determined.
  ///
  /// Each ring is cut into chains that begin and end on the meridian. Inside and outside alternate along the
  /// meridian. So the ends of chains belong together in pairs, in the order of their latitudes.
  private func split(at x: Double) -> (west: [FlatPolygon], east: [FlatPolygon])? {
    var chains: (west: [[Point]], east: [[Point]]) = ([], [])
    var whole: (west: [[Point]], east: [[Point]]) = ([], [])
    for ring in rings {
      guard let first = ring.indices.first(where: { isWest(ring, $0, x) != isWest(ring, $0 - 1, x) }) else {
        if isWest(ring, 0, x) { whole.west.append(ring) } else { whole.east.append(ring) }
        continue
      }
      var chain = [crossing(ring, first, x)]
      for index in first..<first + ring.count {
        chain.append(ring[index % ring.count])
        guard isWest(ring, index, x) != isWest(ring, index + 1, x) else { continue }
        let end = crossing(ring, index + 1, x)
        chain.append(end)
        if isWest(ring, index, x) { chains.west.append(chain) } else { chains.east.append(chain) }
        chain = [end]
      }
    }
    guard let west = Self.join(chains.west), let east = Self.join(chains.east) else { return nil }
    return (Self.polygons(of: west, whole.west), Self.polygons(of: east, whole.east))
  }

  private func isWest(_ ring: [Point], _ index: Int, _ x: Double) -> Bool {
    ring[(index + ring.count) % ring.count].x < x
  }

  /// Returns the point at which the edge to a corner meets the meridian.
  private func crossing(_ ring: [Point], _ index: Int, _ x: Double) -> Point {
    let end = ring[index % ring.count], start = ring[(index + ring.count - 1) % ring.count]
    let part = (x - start.x) / (end.x - start.x)
    return Point(x: x, y: part >= 1 ? end.y : start.y + part * (end.y - start.y))
  }

  /// Returns the rings that the chains form; each chain continues along the meridian to the beginning of another.
  private static func join(_ chains: [[Point]]) -> [[Point]]? {
    var ends: [(y: Double, chain: Int, isStart: Bool)] = []
    for (index, chain) in chains.enumerated() {
      guard let first = chain.first, let last = chain.last else { return nil }
      ends.append((first.y, index, true))
      ends.append((last.y, index, false))
    }
    ends.sort { $0.y < $1.y }
    var next = [Int](repeating: -1, count: chains.count)
    for pair in stride(from: 0, to: ends.count, by: 2) {
      let (lower, upper) = (ends[pair], ends[pair + 1])
      guard lower.isStart != upper.isStart else { return nil }
      next[lower.isStart ? upper.chain : lower.chain] = lower.isStart ? lower.chain : upper.chain
    }
    var rings: [[Point]] = []
    var isUsed = [Bool](repeating: false, count: chains.count)
    for start in chains.indices where !isUsed[start] {
      var ring: [Point] = []
      var chain = start
      while !isUsed[chain] {
        isUsed[chain] = true
        for point in chains[chain] where point != ring.last { ring.append(point) }
        chain = next[chain]
      }
      if ring.first == ring.last { ring.removeLast() }
      if ring.count >= 3, doubledArea(ring) > 0 { rings.append(ring) }
    }
    return rings
  }

  /// Polygons of outer rings, with each other ring as a hole where it belongs; an outer ring that was not cut is
  /// among the others, the first.
  private static func polygons(of outer: [[Point]], _ others: [[Point]]) -> [FlatPolygon] {
    var polygons = outer.map { FlatPolygon(rings: [$0]) }
    for ring in others {
      if doubledArea(ring) > 0 {
        polygons.append(FlatPolygon(rings: [ring]))
      } else if let index = polygons.firstIndex(where: { contains($0.rings[0], ring[0]) }) {
        polygons[index].rings.append(ring)
      }
    }
    return polygons
  }
}
