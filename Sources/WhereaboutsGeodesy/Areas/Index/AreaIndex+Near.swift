extension AreaIndex {
  /// The areas that contain a place or whose boundary is within a distance of it, with their distances.
  ///
  /// - Parameters:
  ///   - radius: metres, 0 or more.
  ///   - found: set to the areas, by ascending key; what it held before is gone.
  public func near(_ place: Coordinate, within radius: Double, into found: inout [Nearby]) {
    // Most places are near nothing, and the array was and stays empty.
    if !found.isEmpty { found.removeAll(keepingCapacity: true) }
    findCandidates(within: radius, of: place, into: &found)
    if !found.isEmpty { measure(place, within: radius, &found) }
  }

  /// Leaves those candidates that are as near, with their distances, by ascending key.
  private func measure(_ place: Coordinate, within radius: Double, _ found: inout [Nearby]) {
    found.sortKeys()
    var kept = 0
    for index in found.indices {
      let key = found[index].key
      let distance = store.signedDistance(key, to: place)
      guard distance.metres <= radius else { continue }
      found[kept] = Nearby(key: key, distance: distance)
      kept += 1
    }
    found.removeLast(found.count - kept)
  }

  /// Appends the areas that may come within a distance of a place, without their distances; some more than once.
  private func findCandidates(within radius: Double, of place: Coordinate, into found: inout [Nearby]) {
    let grid = GridPlace(place)
    if everywhere.isEmpty, let window = CellWindow(grid, radius: radius) {
      for row in window.rows {
        for column in window.columns {
          let lists = tree.lists(row: row, column: column, zone: window.zone)
          if lists == SIMD4() { continue }
          search(lists, row, column, window, grid, within: radius, into: &found)
        }
      }
    } else {
      findAllCandidates(grid, place, within: radius, into: &found)
    }
  }

  private func search(
    _ lists: SIMD4<UInt32>, _ row: Int, _ column: Int, _ window: CellWindow, _ grid: GridPlace,
    within radius: Double, into found: inout [Nearby]
  ) {
    let probe = CellProbe(grid, zone: window.zone)
    tree.each(lists) { list, level in
      let point =
        level == 0
        ? probe.point(row: row, column: column)
        : probe.point(
          in: CellTree.Cell(
            level: level, zone: window.zone, row: row >> (3 * level), column: column >> (3 * level)))
      let reach = CellReach(radius, cosine: window.leastCosine, level: level)
      list.search(within: reach, around: point) { found.append(Nearby(candidate: $0)) }
    }
  }

  private func findAllCandidates(
    _ grid: GridPlace, _ place: Coordinate, within radius: Double, into found: inout [Nearby]
  ) {
    for key in everywhere { found.append(Nearby(candidate: key)) }
    let cosine = sines(ofDegrees: SIMD2(90 - place.latitude.magnitude, 0)).x
    let region = GridRegion(grid, cosine: cosine, radius: radius)
    tree.eachList(in: region, around: grid) { list, cell, point in
      let reach = CellReach(radius, cosine: cosine, level: cell.level)
      list.search(within: reach, around: point) { found.append(Nearby(candidate: $0)) }
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
    var found: [Nearby] = []
    let length = start.distance(to: end)
    if length <= Self.shortPath {
      // From fix to fix a circle around the first holds all, and no geodesic is needed.
      findCandidates(within: length + radius + 1e-3, of: start, into: &found)
    } else {
      findCandidates(along: Geodesic(from: start, to: end), within: radius, into: &found)
    }
    found.sortKeys()
    for area in found { keys.append(area.key) }
  }

  /// Up to so many metres a path is looked at as a whole.
  private static var shortPath: Double { 500 }

  private func findCandidates(along path: Geodesic, within radius: Double, into found: inout [Nearby]) {
    // Pieces are so long that a circle around each is not much wider than the path with what is beside it.
    let pieces = max(1, (path.distance / max(1000, 2 * radius)).rounded(.up))
    let length = path.distance / pieces
    for piece in 0..<Int(pieces) {
      let along = (Double(piece) + 0.5) * length
      if let middle = path.start.destination(azimuth: path.initialAzimuth ?? 0, distance: along) {
        findCandidates(within: length / 2 + radius + 1e-3, of: middle, into: &found)
      }
    }
  }
}

extension AreaIndex.Nearby {
  /// An area whose distance is not known yet.
  fileprivate init(candidate key: UInt32) {
    self.init(key: key, distance: SignedDistance(metres: .infinity, errorBound: .infinity))
  }
}

extension [AreaIndex.Nearby] {
  /// Puts keys in ascending order, each once.
  fileprivate mutating func sortKeys() {
    guard count > 1 else { return }
    var isAscending = true
    for index in 1..<count where self[index - 1].key >= self[index].key { isAscending = false }
    if isAscending { return }
    sort { $0.key < $1.key }
    var kept = 1
    for index in 1..<count where self[index].key != self[kept - 1].key {
      self[kept] = self[index]
      kept += 1
    }
    removeLast(count - kept)
  }
}
