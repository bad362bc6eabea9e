extension AreaIndex {
  /// Returns the boundary that is nearest to a place, from inside or outside.
  ///
  /// - Parameters:
  ///   - place: the place.
  ///   - limit: the search radius in metres; farther boundaries are ignored.
  /// - Returns: the distance in metres and the area's key, the smallest of equally far ones; `nil` if there is none
  ///   within the limit.
  public func clearance(from place: Coordinate, upTo limit: Double) -> (metres: Double, key: UInt32)? {
    nearest(1, to: place, within: limit).first.map { ($0.distance.metres.magnitude, $0.key) }
  }

  /// Returns the areas whose boundaries are nearest to a place, nearest first; of equally near areas the smaller key
  /// first.
  ///
  /// For platforms that watch only a few areas themselves: they can only miss areas farther than all of these.
  public func nearest(_ count: Int, to place: Coordinate) -> [Nearby] {
    nearest(count, to: place, within: .infinity)
  }

  private func nearest(_ wanted: Int, to place: Coordinate, within limit: Double) -> [Nearby] {
    guard wanted > 0, count > 0, limit >= 0 else { return [] }
    var best = NearestAreas(count: wanted, limit: limit)
    for key in oversizedKeys { best.insert(key, store.signedDistance(key, to: place)) }
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
          best.insert(list.key(index), store.signedDistance(list.key(index), to: place))
          guard best.bound < bound else { continue }
          bound = best.bound
          reach = CellReach(bound, cosine: cosine, level: cell.level)
        }
      }
      // Everything within the circle's radius has been seen.
      if best.bound <= radius || radius >= end { return best.areas }
      radius = min(end, 2 * radius)
    }
  }
}

/// The nearest of the areas added so far.
private struct NearestAreas {
  let count: Int
  let limit: Double
  private(set) var areas: [AreaIndex.Nearby] = []

  init(count: Int, limit: Double) {
    self.count = count
    self.limit = limit
  }

  /// The distance beyond which an area is not among the nearest.
  var bound: Double { areas.count < count ? limit : areas[count - 1].distance.metres.magnitude }

  mutating func insert(_ key: UInt32, _ distance: SignedDistance) {
    let metres = distance.metres.magnitude
    guard metres <= bound, !areas.contains(where: { $0.key == key }) else { return }
    let index = areas.firstIndex { (metres, key) < ($0.distance.metres.magnitude, $0.key) } ?? areas.count
    areas.insert(AreaIndex.Nearby(key: key, distance: distance), at: index)
    if areas.count > count { areas.removeLast() }
  }
}
