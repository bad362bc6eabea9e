extension AreaIndex {
  /// The areas that contain a place or whose boundary is within a distance of it, with their distances.
  ///
  /// - Parameters:
  ///   - radius: metres, 0 or more.
  ///   - found: set to the areas, by ascending key; what it held before is gone.
  public func near(_ place: Coordinate, within radius: Double, into found: inout [Nearby]) {
    found.removeAll(keepingCapacity: true)
    for key in everywhere { test(key, place, within: radius, into: &found) }
    var lists = found.isEmpty ? 0 : 1
    eachCandidate(within: radius, of: place) { key, isFirst in
      if isFirst { lists += 1 }
      test(key, place, within: radius, into: &found)
    }
    guard lists > 1, found.count > 1 else { return }
    found.sort { $0.key < $1.key }
    found.dropRepeated { $0.key == $1.key }
  }

  @inline(__always)
  private func test(_ key: UInt32, _ place: Coordinate, within radius: Double, into found: inout [Nearby]) {
    let distance = store.signedDistance(key, to: place)
    if distance.metres <= radius { found.append(Nearby(key: key, distance: distance)) }
  }

  /// Calls a closure with the key of each area that may come within a distance of a place, and whether it is the first of its list.
  ///
  /// Areas that are in several cells come several times.
  private func eachCandidate(within radius: Double, of place: Coordinate, _ body: (UInt32, Bool) -> Void) {
    let probe = CellProbe(place)
    let reach = CellReach(radius, cosine: probe.cosine)
    func take(_ list: CellList, _ level: Int, _ point: CellPoint) {
      var isFirst = true
      for index in 0..<list.count {
        let d² = point.distanceSquared(list.center(index))
        if reach.excludes(list.radii(index), distanceSquared: d², at: level) { continue }
        body(list.key(index), isFirst)
        isFirst = false
      }
    }
    let region = GridRegion(probe.grid, cosine: probe.cosine, radius: radius)
    if region.isOneCell(zone: probe.zone) {
      tree.each(tree.lists(at: probe.grid, zone: probe.zone)) { take($0, $1, probe.point(at: $1)) }
    } else {
      tree.eachList(in: region, around: place) { list, cell, point in take(list, cell.level, point) }
    }
  }

  /// The keys of all areas that come within a distance of the shortest path between two places, and of some that don't.
  ///
  /// - Parameters:
  ///   - radius: metres, 0 or more.
  ///   - keys: set to the keys, in ascending order; what it held before is gone.
  public func near(
    from start: Coordinate, to end: Coordinate, within radius: Double, into keys: inout [UInt32]
  ) {
    keys.removeAll(keepingCapacity: true)
    keys.append(contentsOf: everywhere)
    let path = Geodesic(from: start, to: end)
    // Pieces are so long that a circle around each is not much wider than the path with what is beside it.
    let pieces = max(1, (path.distance / max(1000, 2 * radius)).rounded(.up))
    let length = path.distance / pieces
    for piece in 0..<Int(pieces) {
      guard
        let middle = start.destination(
          azimuth: path.initialAzimuth ?? 0, distance: (Double(piece) + 0.5) * length)
      else { continue }
      eachCandidate(within: length / 2 + radius + 1e-3, of: middle) { key, _ in keys.append(key) }
    }
    keys.sort()
    keys.dropRepeated(==)
  }
}

extension Array {
  /// Leaves one of each run of elements that are the same.
  fileprivate mutating func dropRepeated(_ isSame: (Element, Element) -> Bool) {
    var kept = 0
    for index in indices where kept == 0 || !isSame(self[kept - 1], self[index]) {
      self[kept] = self[index]
      kept += 1
    }
    removeLast(count - kept)
  }
}
