extension CellTree {
  /// Writes many entries of still empty cells of the lowest level, in order of codes and then keys.
  mutating func load(_ items: [AreaLoading.Item]) {
    guard !items.isEmpty else { return }
    var leaves: [Int] = [], words = 0
    items.withUnsafeBufferPointer { items in
      Self.eachLeaf(items) { range in
        var cells = 0
        Self.eachCell(items, range) { cell in
          cells += 1
          if cell.count > 1 { words += 3 * BlockSize.of(cell.count) }
        }
        words += 3 * BlockSize.of(cells)
        leaves.append(findOrCreateNode(AreaLoading.node(items[range.lowerBound].x)))
      }
      count(items.count, at: 0)
      let start = pool.grow(by: words)
      var writer = CellWriter(next: start), leaf = leaves.makeIterator()
      pool.words.withUnsafeMutableBufferPointer { words in
        Self.eachLeaf(items) { range in
          if let leaf = leaf.next() { writer.write(items, range, leaf: leaf, to: words) }
        }
      }
    }
  }

  @inline(__always)
  fileprivate static func eachLeaf(
    _ items: UnsafeBufferPointer<AreaLoading.Item>, _ body: (Range<Int>) -> Void
  ) {
    eachRun(items, 0..<items.count, shift: 6, body)
  }

  @inline(__always)
  fileprivate static func eachCell(
    _ items: UnsafeBufferPointer<AreaLoading.Item>, _ range: Range<Int>, _ body: (Range<Int>) -> Void
  ) {
    eachRun(items, range, shift: 0, body)
  }

  /// Passes each run of items whose codes are equal without their lowest bits.
  ///
  /// - Parameter shift: the number of those bits.
  @inline(__always)
  private static func eachRun(
    _ items: UnsafeBufferPointer<AreaLoading.Item>, _ range: Range<Int>, shift: UInt32,
    _ body: (Range<Int>) -> Void
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      let code = items[start].x >> shift
      var end = start + 1
      while end < range.upperBound, items[end].x >> shift == code { end += 1 }
      body(start..<end)
      start = end
    }
  }
}

/// A writer of lists into words reserved for them.
private struct CellWriter {
  /// The first free word.
  var next: Int

  mutating func write(
    _ items: UnsafeBufferPointer<AreaLoading.Item>, _ range: Range<Int>, leaf: Int,
    to words: UnsafeMutableBufferPointer<UInt32>
  ) {
    var mask: UInt64 = 0
    CellTree.eachCell(items, range) { mask |= 1 << UInt64(items[$0.lowerBound].x & 63) }
    let cells = next
    words[leaf + 3] = UInt32(truncatingIfNeeded: mask)
    words[leaf + 4] = UInt32(truncatingIfNeeded: mask >> 32)
    words[leaf + 5] = UInt32(cells)
    next += 3 * BlockSize.of(mask.nonzeroBitCount)
    var list = cells
    CellTree.eachCell(items, range) { cell in
      let first = items[cell.lowerBound]
      if cell.count == 1 {
        (words[list], words[list + 1], words[list + 2]) = (first.y, first.z, first.w)
      } else {
        let size = BlockSize.of(cell.count)
        (words[list], words[list + 1], words[list + 2]) = (
          UInt32(next), CellTree.Mark.list, UInt32(cell.count)
        )
        for (offset, item) in items[cell].enumerated() {
          words[next + offset] = item.y
          words[next + size + offset] = item.z
          words[next + 2 * size + offset] = item.w
        }
        next += 3 * size
      }
      list += 3
    }
  }
}
