/// The entries of one cell, in memory.
struct CellList {
  /// The centers of the entries, the first at 0, followed by their radii and their keys, each `size` words on.
  let words: UnsafePointer<UInt32>
  let size, count: Int

  /// Creates the list at a position of a pool.
  @inline(__always)
  init(_ pool: UnsafePointer<UInt32>, at list: Int) {
    if pool[list + 1] == CellTree.Mark.list {
      words = pool + Int(pool[list])
      count = Int(pool[list + 2])
      size = BlockSize.of(count)
    } else {
      words = pool + list
      count = 1
      size = 1
    }
  }

  @inline(__always)
  func center(_ index: Int) -> UInt32 { words[index] }
  @inline(__always)
  func radii(_ index: Int) -> UInt32 { words[size + index] }
  @inline(__always)
  func key(_ index: Int) -> UInt32 { words[2 * size + index] }

  /// Calls a closure with the key of each entry that can contain a point, and whether that is certain.
  @inline(__always)
  func search(around point: CellPoint, _ body: (UInt32, Bool) -> Void) {
    if count <= 2 { return searchFew(around: point, body) }
    // A block has room for whole vectors: words past the count are read and then ignored.
    var index = 0
    while index < count {
      let radii = vector(size + index), d² = point.distanceSquared(vector(index))
      let outer = CellPoint.numbers(radii &>> 16), inner = CellPoint.numbers(radii & 0xFFFF)
      let isNear = (d² .<= outer * outer) .| (radii .>= SIMD4(repeating: CellEntry.undecided))
      var near = Self.bits(isNear)
      if near != 0 {
        // Near a pole the plane is useless, and squares can be negative.
        let certain = Self.bits((d² .< inner * inner) .& (inner .> 0))
        if count - index < 4 { near &= (1 &<< UInt32(truncatingIfNeeded: count - index)) - 1 }
        while near != 0 {
          let lane = near.trailingZeroBitCount
          body(words[2 * size + index + lane], certain & (near & (0 &- near)) != 0)
          near &= near - 1
        }
      }
      index += 4
    }
  }

  /// Calls a closure with the key of each entry that a distance from a point does not exclude.
  @inline(__always)
  func search(within reach: CellReach, around point: CellPoint, _ body: (UInt32) -> Void) {
    if count <= 2 {
      for index in 0..<count
      where !reach.excludes(radii(index), distanceSquared: point.distanceSquared(center(index))) {
        body(key(index))
      }
      return
    }
    var index = 0
    while index < count {
      var near = Self.bits(
        reach.admits(vector(size + index), distanceSquared: point.distanceSquared(vector(index))))
      if near != 0 {
        if count - index < 4 { near &= (1 &<< UInt32(truncatingIfNeeded: count - index)) - 1 }
        while near != 0 {
          body(key(index + near.trailingZeroBitCount))
          near &= near - 1
        }
      }
      index += 4
    }
  }

  @inline(__always)
  private func searchFew(around point: CellPoint, _ body: (UInt32, Bool) -> Void) {
    for index in 0..<count {
      let d² = point.distanceSquared(words[index]), radii = words[size + index]
      let outer = Float(Int32(truncatingIfNeeded: radii >> 16))
      guard d² <= outer * outer || radii >= CellEntry.undecided else { continue }
      let inner = Float(Int32(truncatingIfNeeded: radii & 0xFFFF))
      body(words[2 * size + index], inner > 0 && d² < inner * inner)
    }
  }

  /// Returns a mask with a bit for each lane.
  @inline(__always)
  private static func bits(_ mask: SIMDMask<SIMD4<Int32>>) -> UInt32 {
    // A mask has the same layout as a vector of integers: all bits of a lane are set, or none.
    let pairs = unsafeBitCast(mask, to: SIMD2<UInt64>.self) & SIMD2(0x2_0000_0001, 0x8_0000_0004)
    let both = pairs.x | pairs.y
    return UInt32(truncatingIfNeeded: both | both >> 32)
  }

  /// Returns four words of a block of more than two entries, whose size is a multiple of four (``BlockSize``).
  @inline(__always)
  private func vector(_ index: Int) -> SIMD4<UInt32> {
    UnsafeRawPointer(words + index).loadUnaligned(as: SIMD4<UInt32>.self)
  }
}

extension CellTree {
  /// Returns the positions of the lists for the cells of a place, by level; 0 for no list.
  ///
  /// The words are read without a check of bounds. Only this type writes positions, and never one outside of the
  /// pool.
  @inline(__always)
  func lists(at grid: GridPlace, zone: UInt32) -> SIMD4<UInt32> {
    lists(row: Int(grid.y >> Grid.bits), column: Int(grid.x >> (Grid.bits + zone)), zone: zone)
  }

  /// Returns the positions of the lists for a cell of the lowest level and the cells above it, by level; 0
  /// for no list.
  @inline(__always)
  func lists(row: Int, column: Int, zone: UInt32) -> SIMD4<UInt32> {
    var lists = SIMD4<UInt32>()
    guard !directory.isEmpty else { return lists }
    let index = Cell(level: 3, zone: zone, row: row >> 9, column: column >> 9).directoryIndex
    directory.withUnsafeBufferPointer { directory in
      pool.words.withUnsafeBufferPointer { words in
        guard let pool = words.baseAddress else { return }
        var node = Int(directory[index])
        if node == 0 { return }
        if entries.3 > 0, pool[node + 1] != 0 { lists[3] = UInt32(truncatingIfNeeded: node) }
        node = Int(pool[node + 4 + ((row >> 6) & 7) << 3 + (column >> 6) & 7])
        if node == 0 { return }
        if entries.2 > 0, pool[node + 1] != 0 { lists[2] = UInt32(truncatingIfNeeded: node) }
        node = Int(pool[node + 4 + ((row >> 3) & 7) << 3 + (column >> 3) & 7])
        if node == 0 { return }
        if pool[node + 1] != 0 { lists[1] = UInt32(truncatingIfNeeded: node) }
        let mask = UInt64(pool[node + 3]) | UInt64(pool[node + 4]) << 32
        let bit = UInt64(1) &<< UInt64(truncatingIfNeeded: (row & 7) << 3 | column & 7)
        guard mask & bit != 0 else { return }
        lists[0] = pool[node + 5] &+ 3 &* UInt32(truncatingIfNeeded: (mask & (bit - 1)).nonzeroBitCount)
      }
    }
    return lists
  }

  /// Calls a closure with each of the lists at some positions, with their level.
  @inline(__always)
  func each(_ lists: SIMD4<UInt32>, _ body: (CellList, Int) -> Void) {
    pool.words.withUnsafeBufferPointer { words in
      guard let pool = words.baseAddress else { return }
      if lists[0] != 0 { body(CellList(pool, at: Int(lists[0])), 0) }
      let high = lists.highHalf
      guard lists[1] | high.x | high.y != 0 else { return }
      for level in 1...3 where lists[level] != 0 { body(CellList(pool, at: Int(lists[level])), level) }
    }
  }
}
