extension AreaIndex {
  /// Finds the keys of the areas that contain a place.
  ///
  /// - Parameters:
  ///   - place: the place.
  ///   - keys: replaced by the keys, in ascending order.
  public func containing(_ place: Coordinate, into keys: inout [UInt32]) {
    // Most places are near nothing, so the array was empty and stays empty.
    if !keys.isEmpty { keys.removeAll(keepingCapacity: true) }
    let grid = GridPlace(place), zone = Grid.zone(ofRow: grid.y >> Grid.bits)
    let lists = tree.lists(at: grid, zone: zone)
    if lists == SIMD4() && oversizedKeys.isEmpty { return }
    search(lists, CellProbe(grid, zone: zone), place, into: &keys)
  }

  func search(
    _ lists: SIMD4<UInt32>, _ probe: CellProbe, _ place: Coordinate, into keys: inout [UInt32]
  ) {
    var found = 0
    if !oversizedKeys.isEmpty {
      for key in oversizedKeys where store.contains(key, place, probe.grid) { keys.append(key) }
      found = 1
    }
    tree.each(lists) { list, level in
      let before = keys.count
      list.search(around: probe.point(at: level)) { key, isCertain in
        if isCertain || store.contains(key, place, probe.grid) { keys.append(key) }
      }
      if keys.count > before { found += 1 }
    }
    if found > 1 { keys.sort() }
  }
}
