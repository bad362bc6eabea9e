/// Any number of areas, anywhere on Earth, found by place.
///
/// A value: a copy is not changed by what is done to the other, so that one index serves any number of devices and
/// threads. What it answers is exactly what asking each area would give.
///
/// Areas go by keys that the caller chooses: small numbers, near to 0, since memory is set aside for each below the greatest.
public struct AreaIndex: Sendable {
  var store = AreaStore()
  var tree = CellTree()
  /// The keys of areas that are too large for cells, ascending.
  var everywhere: [UInt32] = []
  /// How many areas there are.
  public internal(set) var count = 0

  /// No areas.
  public init() {}

  /// Puts an area in, in the place of the one that has the key.
  ///
  /// - Complexity: O(1) for areas that don't lie on top of one another by the thousand.
  public mutating func insert(_ area: Area, as key: UInt32) {
    remove(key)
    store.insert(area, as: key)
    place(key, store.footprint(key))
  }

  /// Puts an area that is in the store into the lists of its cells.
  mutating func place(_ key: UInt32, _ footprint: Footprint) {
    count += 1
    if footprint.level == nil { everywhere.insert(key, at: everywhere.place(of: key)) }
    footprint.forEach { cell, entry in
      tree.insert(CellEntry(center: entry.center, radii: entry.radii, key: key), in: cell)
    }
  }

  /// Takes the area of a key out, where there is one.
  public mutating func remove(_ key: UInt32) {
    guard store.contains(key) else { return }
    let footprint = store.footprint(key)
    if footprint.level == nil { everywhere.remove(at: everywhere.place(of: key)) }
    footprint.forEach { cell, _ in tree.remove(key, from: cell) }
    store.remove(key)
    count -= 1
  }

  /// Whether there is an area of a key.
  public func contains(_ key: UInt32) -> Bool { store.contains(key) }

  /// How far a place is from the boundary of the area of a key.
  ///
  /// - Precondition: there is an area of that key.
  public func signedDistance(_ key: UInt32, to place: Coordinate) -> SignedDistance {
    store.signedDistance(key, to: place)
  }
}

extension [UInt32] {
  /// Where a key is or belongs in ascending order.
  fileprivate func place(of key: UInt32) -> Int {
    var low = 0, high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
