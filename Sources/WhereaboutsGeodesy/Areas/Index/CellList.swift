/// The entries of one cell, where they lie in memory.
struct CellList {
  /// Their centers, the first at 0; then their radii and their keys, each `size` words on.
  let words: UnsafePointer<UInt32>
  let size, count: Int

  /// The list that stands at a place of a pool.
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
    for index in 0..<count {
      let d² = point.distanceSquared(words[index]), radii = words[size + index]
      let outer = Float(Int32(truncatingIfNeeded: radii >> 16))
      guard d² <= outer * outer || radii >> 16 == CellEntry.everywhere else { continue }
      let inner = Float(Int32(truncatingIfNeeded: radii & 0xFFFF))
      body(words[2 * size + index], d² < inner * inner)
    }
  }
}

extension CellTree {
  /// Calls a closure with each list that a place's cells have, from the highest level down, and with the place in the plane of its cell.
  ///
  /// The words are read without a check of bounds: whatever place there is in them was put there by this type, which
  /// never leaves one that points outside of the pool.
  @inline(__always)
  func eachList(at probe: CellProbe, _ body: (CellList, Int, CellPoint) -> Void) {
    guard !directory.isEmpty else { return }
    let row = Int(probe.grid.y >> Grid.bits), column = probe.column
    let index = Cell(level: 3, zone: probe.zone, row: row >> 9, column: column >> 9).directoryIndex
    pool.words.withUnsafeBufferPointer { words in
      guard let pool = words.baseAddress else { return }
      var node = Int(directory[index])
      if node == 0 { return }
      if entries.3 > 0, pool[node + 1] != 0 { body(CellList(pool, at: node), 3, probe.point(at: 3)) }
      node = Int(pool[node + 4 + ((row >> 6) & 7) << 3 + (column >> 6) & 7])
      if node == 0 { return }
      if entries.2 > 0, pool[node + 1] != 0 { body(CellList(pool, at: node), 2, probe.point(at: 2)) }
      node = Int(pool[node + 4 + ((row >> 3) & 7) << 3 + (column >> 3) & 7])
      if node == 0 { return }
      if pool[node + 1] != 0 { body(CellList(pool, at: node), 1, probe.point(at: 1)) }
      let mask = UInt64(pool[node + 3]) | UInt64(pool[node + 4]) << 32
      let bit = UInt64(1) << UInt64((row & 7) << 3 | column & 7)
      guard mask & bit != 0 else { return }
      let cell = Int(pool[node + 5]) + 3 * (mask & (bit - 1)).nonzeroBitCount
      body(CellList(pool, at: cell), 0, probe.point(at: 0))
    }
  }
}
