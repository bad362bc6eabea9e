extension AreaIndex {
  /// Finds the areas that contain a place or whose boundary is within a radius, with their distances.
  ///
  /// - Parameters:
  ///   - place: the place.
  ///   - radius: the radius in metres, 0 or more.
  ///   - found: replaced by the areas, by ascending key.
  public func near(_ place: Coordinate, within radius: Double, into found: inout [Nearby]) {
    // Most places are near nothing, so the array was empty and stays empty.
    if !found.isEmpty { found.removeAll(keepingCapacity: true) }
    findCandidates(within: radius, of: place, into: &found)
    if !found.isEmpty { measureCandidates(place, within: radius, &found) }
  }

  /// Keeps the candidates within the radius, with their distances, by ascending key.
  private func measureCandidates(_ place: Coordinate, within radius: Double, _ found: inout [Nearby]) {
    found.sortUniqueKeys()
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

  /// Appends the areas that may be within a radius of a place, without distances; some more than once.
  private func findCandidates(within radius: Double, of place: Coordinate, into found: inout [Nearby]) {
    let grid = GridPlace(place)
    if oversizedKeys.isEmpty, let window = CellWindow(grid, radius: radius) {
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
    for key in oversizedKeys { found.append(Nearby(candidate: key)) }
    let cosine = sines(ofDegrees: SIMD2(90 - place.latitude.magnitude, 0)).x
    let region = GridRegion(grid, cosine: cosine, radius: radius)
    tree.eachList(in: region, around: grid) { list, cell, point in
      let reach = CellReach(radius, cosine: cosine, level: cell.level)
      list.search(within: reach, around: point) { found.append(Nearby(candidate: $0)) }
    }
  }

  /// Finds the keys of all areas within a radius of the shortest path between two places, and some farther ones.
  ///
  /// - Parameters:
  ///   - start: the place where the line begins.
  ///   - end: the place where the line ends.
  ///   - radius: the radius in metres, 0 or more.
  ///   - keys: replaced by the keys, in ascending order.
  public func near(
    from start: Coordinate, to end: Coordinate, within radius: Double, into keys: inout [UInt32]
  ) {
    keys.removeAll(keepingCapacity: true)
    var found: [Nearby] = []
    let length = start.distance(to: end)
    if length <= Self.shortPathLength {
      // Between consecutive fixes a circle around the first holds everything, and no geodesic is needed.
      findCandidates(within: length + radius + 1e-3, of: start, into: &found)
    } else {
      findCandidates(along: Geodesic(from: start, to: end), within: radius, into: &found)
    }
    found.sortUniqueKeys()
    for area in found { keys.append(area.key) }
  }

  /// The greatest length in metres of a path that is searched as a whole.
  private static var shortPathLength: Double { 500 }

  private func findCandidates(along path: Geodesic, within radius: Double, into found: inout [Nearby]) {
    // The length of pieces keeps the circle around each not much wider than the path with its surroundings.
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
  /// Creates an area whose distance is not known yet.
  fileprivate init(candidate key: UInt32) {
    self.init(key: key, distance: SignedDistance(metres: .infinity, errorBound: .infinity))
  }
}

extension [AreaIndex.Nearby] {
  /// Sorts keys in ascending order and removes duplicates.
  fileprivate mutating func sortUniqueKeys() {
    guard count > 1 else { return }
    var isAscending = true
    for index in 1..<count where self[index - 1].key >= self[index].key { isAscending = false }
    if isAscending { return }
    // The keys of each cell are ascending, so a few areas need few moves.
    if count <= 64 { sortByInsertion() } else { sort { $0.key < $1.key } }
    var kept = 1
    for index in 1..<count where self[index].key != self[kept - 1].key {
      self[kept] = self[index]
      kept += 1
    }
    removeLast(count - kept)
  }

  private mutating func sortByInsertion() {
    for index in indices.dropFirst() {
      let area = self[index]
      var place = index
      while place > 0, self[place - 1].key > area.key {
        self[place] = self[place - 1]
        place -= 1
      }
      self[place] = area
    }
  }
}
