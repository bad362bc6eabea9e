extension AreaIndex {
  /// The keys of the areas that contain a place.
  ///
  /// - Parameter keys: set to the keys, in ascending order; what it held before is gone.
  public func containing(_ place: Coordinate, into keys: inout [UInt32]) {
    keys.removeAll(keepingCapacity: true)
    var lists = 0
    if !everywhere.isEmpty {
      for key in everywhere where store.contains(key, place) { keys.append(key) }
      lists = 1
    }
    tree.eachList(at: CellProbe(place)) { list, _, point in
      let before = keys.count
      list.search(around: point) { key, isCertain in
        if isCertain || store.contains(key, place) { keys.append(key) }
      }
      if keys.count > before { lists += 1 }
    }
    if lists > 1 { keys.sort() }
  }
}
