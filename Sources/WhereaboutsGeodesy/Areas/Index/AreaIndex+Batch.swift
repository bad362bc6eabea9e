extension AreaIndex {
  /// Finds the areas that contain each of some places; cheaper than `containing(_:into:)` for places far from each
  /// other.
  ///
  /// The memory accesses of several places overlap. The gain needs many areas and devices, and some tens of places or
  /// more.
  ///
  /// - Parameters:
  ///   - places: the places, in any order.
  ///   - body: called with each place's index and the ascending keys, in the order of the places.
  public func containing(_ places: [Coordinate], _ body: (Int, [UInt32]) -> Void) {
    var keys: [UInt32] = []
    withUnsafeTemporaryAllocation(of: BatchPlace.self, capacity: Self.batchSize) { batch in
      for first in stride(from: 0, to: places.count, by: Self.batchSize) {
        let count = min(Self.batchSize, places.count - first)
        for index in 0..<count {
          let place = places[first + index]
          let grid = GridPlace(place), zone = Grid.zone(ofRow: grid.y >> Grid.bits)
          batch.initializeElement(
            at: index,
            to: BatchPlace(place: place, grid: grid, zone: zone, lists: tree.lists(at: grid, zone: zone)))
        }
        let batch = UnsafeBufferPointer(rebasing: batch[..<count])
        // The result is of no interest; its use keeps the compiler from removing the memory reads.
        if tree.prefetch(batch) == .max { keys.reserveCapacity(16) }
        for (index, one) in batch.enumerated() {
          if !keys.isEmpty { keys.removeAll(keepingCapacity: true) }
          if one.lists != SIMD4() || !oversizedKeys.isEmpty {
            search(one.lists, CellProbe(one.grid, zone: one.zone), one.place, into: &keys)
          }
          body(first + index, keys)
        }
      }
    }
  }

  /// The batch size: more than the cache misses a processor handles at once, so that its queue never runs empty.
  private static var batchSize: Int { 32 }
}

/// A place of a batch with its lists.
struct BatchPlace {
  let place: Coordinate
  let grid: GridPlace
  let zone: UInt32
  let lists: SIMD4<UInt32>
}

extension CellTree {
  /// Reads one word of all data that the search for some places needs.
  fileprivate func prefetch(_ batch: UnsafeBufferPointer<BatchPlace>) -> UInt64 {
    pool.words.withUnsafeBufferPointer { words in
      guard let pool = words.baseAddress else { return 0 }
      var sum: UInt64 = 0
      for one in batch where one.lists[0] != 0 { sum &+= UInt64(pool[Int(one.lists[0]) + 1]) }
      for one in batch where one.lists[0] != 0 {
        let list = CellList(pool, at: Int(one.lists[0]))
        for line in stride(from: 0, to: min(3 * list.size, 128), by: 16) {
          sum &+= UInt64(list.words[line])
        }
      }
      return sum
    }
  }
}
