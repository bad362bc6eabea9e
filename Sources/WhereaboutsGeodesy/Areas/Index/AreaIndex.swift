/// A spatial index of any number of areas, anywhere on Earth.
///
/// The index is a value: changing a copy does not change the original. One index serves any number of devices and
/// threads. The results equal those of querying each area.
///
/// The caller chooses the keys of areas. Keys should be small numbers, because memory is reserved for every key up to
/// the greatest.
public struct AreaIndex: Sendable {
  var store = AreaStore()
  var tree = CellTree()
  /// The keys of areas that are too large for cells, ascending.
  var oversizedKeys: [UInt32] = []
  /// The number of areas.
  public internal(set) var count = 0

  /// Creates an empty index.
  public init() {}

  /// Inserts an area, replacing the area with the same key.
  ///
  /// - Complexity: O(1) unless areas overlap by the thousand.
  public mutating func insert(_ area: Area, as key: UInt32) {
    remove(key)
    store.insert(area, as: key)
    addToCells(key, store.footprint(key))
  }

  /// Adds a stored area to the lists of its cells.
  mutating func addToCells(_ key: UInt32, _ footprint: Footprint) {
    count += 1
    if footprint.level == nil { oversizedKeys.insert(key, at: oversizedKeys.position(of: key)) }
    footprint.forEach { cell, entry in
      tree.insert(CellEntry(center: entry.center, radii: entry.radii, key: key), in: cell)
    }
  }

  /// Removes the area with a key, if present.
  public mutating func remove(_ key: UInt32) {
    guard store.contains(key) else { return }
    let footprint = store.footprint(key)
    if footprint.level == nil { oversizedKeys.remove(at: oversizedKeys.position(of: key)) }
    footprint.forEach { cell, _ in tree.remove(key, from: cell) }
    store.remove(key)
    count -= 1
  }

  /// Returns whether an area with a key is present.
  public func contains(_ key: UInt32) -> Bool { store.contains(key) }

  /// Returns the distance from a place to the boundary of the area with a key.
  ///
  /// - Precondition: An area with the key is present.
  public func signedDistance(_ key: UInt32, to place: Coordinate) -> SignedDistance {
    store.signedDistance(key, to: place)
  }
}

extension [UInt32] {
  /// Returns the position of a key in ascending order, or its insertion position.
  fileprivate func position(of key: UInt32) -> Int {
    var low = 0, high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
