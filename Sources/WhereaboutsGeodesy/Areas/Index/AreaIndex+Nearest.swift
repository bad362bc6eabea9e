extension AreaIndex {
  /// The boundary that is nearest to a place, seen from inside or outside.
  ///
  /// - Parameter limit: metres; boundaries farther off are not looked for.
  /// - Returns: how far it is, in metres, and whose it is, the smallest key of those equally far; `nil` where there is none
  ///   within the limit.
  public func clearance(from place: Coordinate, upTo limit: Double) -> (metres: Double, key: UInt32)? {
    nearest(1, to: place, within: limit).first.map { ($0.distance.metres.magnitude, $0.key) }
  }

  /// So many areas whose boundaries are nearest to a place, the nearest first, and of those equally near the smaller key.
  ///
  /// For platforms that watch only a few by themselves: what they can miss is what is farther than all of these.
  public func nearest(_ count: Int, to place: Coordinate) -> [Nearby] {
    nearest(count, to: place, within: .infinity)
  }

  private func nearest(_ wanted: Int, to place: Coordinate, within limit: Double) -> [Nearby] {
    guard wanted > 0, count > 0, limit >= 0 else { return [] }
    var best = NearestAreas(count: wanted, limit: limit)
    for key in everywhere { best.take(key, store.signedDistance(key, to: place)) }
    let grid = GridPlace(place)
    let cosine = sines(ofDegrees: SIMD2(90 - place.latitude.magnitude, 0)).x
    // No two places are farther apart than half around the Earth.
    let end = min(limit, 20_100_000)
    var radius = min(end, 500)
    while true {
      let region = GridRegion(grid, cosine: cosine, radius: radius)
      var bound = min(radius, best.bound)
      tree.eachList(in: region, around: grid) { list, cell, point in
        var reach = CellReach(bound, cosine: cosine, level: cell.level)
        for index in 0..<list.count {
          let d² = point.distanceSquared(list.center(index)), radii = list.radii(index)
          if reach.excludes(radii, distanceSquared: d²) { continue }
          if reach.isBelow(radii, distanceSquared: d²) { continue }
          best.take(list.key(index), store.signedDistance(list.key(index), to: place))
          guard best.bound < bound else { continue }
          bound = best.bound
          reach = CellReach(bound, cosine: cosine, level: cell.level)
        }
      }
      // All that is as near as the circle is wide has been seen.
      if best.bound <= radius || radius >= end { return best.areas }
      radius = min(end, 2 * radius)
    }
  }
}

/// The nearest of the areas that come along.
private struct NearestAreas {
  let count: Int
  let limit: Double
  private(set) var areas: [AreaIndex.Nearby] = []

  init(count: Int, limit: Double) {
    self.count = count
    self.limit = limit
  }

  /// What is farther than this is not among them.
  var bound: Double { areas.count < count ? limit : areas[count - 1].distance.metres.magnitude }

  mutating func take(_ key: UInt32, _ distance: SignedDistance) {
    let metres = distance.metres.magnitude
    guard metres <= bound, !areas.contains(where: { $0.key == key }) else { return }
    let index = areas.firstIndex { (metres, key) < ($0.distance.metres.magnitude, $0.key) } ?? areas.count
    areas.insert(AreaIndex.Nearby(key: key, distance: distance), at: index)
    if areas.count > count { areas.removeLast() }
  }
}
