extension AreaIndex {
  /// The keys of the areas that contain each of some places: as `containing(_:into:)`, cheaper where the places are far from each other.
  ///
  /// What one place waits for in memory the next ones wait for at the same time. It gains with many areas and devices, and with
  /// some tens of places or more.
  ///
  /// - Parameter body: called with each place's index and the keys, ascending, in the order of the places.
  public func containing(_ places: [Coordinate], _ body: (Int, [UInt32]) -> Void) {
    var keys: [UInt32] = []
    withUnsafeTemporaryAllocation(of: BatchPlace.self, capacity: Self.batch) { batch in
      for first in stride(from: 0, to: places.count, by: Self.batch) {
        let count = min(Self.batch, places.count - first)
        for index in 0..<count {
          let place = places[first + index]
          let grid = GridPlace(place), zone = Grid.zone(ofRow: grid.y >> Grid.bits)
          batch.initializeElement(
            at: index,
            to: BatchPlace(place: place, grid: grid, zone: zone, lists: tree.lists(at: grid, zone: zone)))
        }
        let batch = UnsafeBufferPointer(rebasing: batch[..<count])
        // What was touched is of no interest; that it is used keeps the compiler from leaving the touching out.
        if tree.touch(batch) == .max { keys.reserveCapacity(16) }
        for (index, one) in batch.enumerated() {
          if !keys.isEmpty { keys.removeAll(keepingCapacity: true) }
          if one.lists != SIMD4() || !everywhere.isEmpty {
            search(one.lists, CellProbe(one.grid, zone: one.zone), one.place, into: &keys)
          }
          body(first + index, keys)
        }
      }
    }
  }

  /// How many misses the processor waits for at a time, and more, so that it never runs out of them.
  private static var batch: Int { 32 }
}

/// A place of a batch, and the lists that it has.
struct BatchPlace {
  let place: Coordinate
  let grid: GridPlace
  let zone: UInt32
  let lists: SIMD4<UInt32>
}

extension CellTree {
  /// Reads a word of everything that the search of some places will need.
  fileprivate func touch(_ batch: UnsafeBufferPointer<BatchPlace>) -> UInt64 {
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
