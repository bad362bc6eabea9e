extension CellTree {
  mutating func insert(_ entry: CellEntry, list: Int) {
    let radii = pool.words[list + 1]
    if radii == 0 { return setEntry(entry, list: list) }
    if radii != Mark.list {
      // A list with one entry becomes a block of two.
      let single = CellEntry(center: pool.words[list], radii: radii, key: pool.words[list + 2])
      let (first, second) = single.key < entry.key ? (single, entry) : (entry, single)
      let block = pool.allocate(3 * BlockSize.of(2))
      setEntry(first, block: block, size: BlockSize.of(2), at: 0)
      setEntry(second, block: block, size: BlockSize.of(2), at: 1)
      return setEntry(CellEntry(center: UInt32(block), radii: Mark.list, key: 2), list: list)
    }
    var block = Int(pool.words[list])
    let count = Int(pool.words[list + 2])
    let size = BlockSize.of(count), newSize = BlockSize.of(count + 1)
    if newSize != size {
      block = resized(block, count: count, from: size, to: newSize)
      pool.words[list] = UInt32(block)
    }
    let index = position(of: entry.key, block: block, size: newSize, count: count)
    for part in 0..<3 { pool.shift(block + part * newSize + index, count - index, by: 1) }
    setEntry(entry, block: block, size: newSize, at: index)
    pool.words[list + 2] = UInt32(count + 1)
  }

  /// Removes the entry of a key, and returns whether there was one.
  mutating func remove(_ key: UInt32, list: Int) -> Bool {
    let radii = pool.words[list + 1]
    if radii == 0 { return false }
    if radii != Mark.list {
      guard pool.words[list + 2] == key else { return false }
      setEntry(CellEntry(center: 0, radii: 0, key: 0), list: list)
      return true
    }
    let block = Int(pool.words[list]), count = Int(pool.words[list + 2])
    let size = BlockSize.of(count)
    let index = position(of: key, block: block, size: size, count: count)
    guard index < count, pool.words[block + 2 * size + index] == key else { return false }
    for part in 0..<3 { pool.shift(block + part * size + index + 1, count - index - 1, by: -1) }
    if count == 2 {
      let rest = entry(block: block, size: size, at: 0)
      pool.free(block, 3 * size)
      setEntry(rest, list: list)
      return true
    }
    let newSize = BlockSize.of(count - 1)
    if newSize != size {
      pool.words[list] = UInt32(resized(block, count: count - 1, from: size, to: newSize))
    }
    pool.words[list + 2] = UInt32(count - 1)
    return true
  }

  private mutating func setEntry(_ entry: CellEntry, list: Int) {
    pool.words[list] = entry.center
    pool.words[list + 1] = entry.radii
    pool.words[list + 2] = entry.key
  }

  private mutating func setEntry(_ entry: CellEntry, block: Int, size: Int, at index: Int) {
    pool.words[block + index] = entry.center
    pool.words[block + size + index] = entry.radii
    pool.words[block + 2 * size + index] = entry.key
  }

  private func entry(block: Int, size: Int, at index: Int) -> CellEntry {
    CellEntry(
      center: pool.words[block + index], radii: pool.words[block + size + index],
      key: pool.words[block + 2 * size + index])
  }

  private mutating func resized(_ block: Int, count: Int, from size: Int, to newSize: Int) -> Int {
    let new = pool.allocate(3 * newSize)
    for part in 0..<3 { pool.copy(block + part * size, count, to: new + part * newSize) }
    pool.free(block, 3 * size)
    return new
  }

  /// Returns the position of a key, or its insertion position.
  private func position(of key: UInt32, block: Int, size: Int, count: Int) -> Int {
    var low = 0, high = count
    let keys = block + 2 * size
    // Keys mostly arrive in ascending order.
    if count > 0, pool.words[keys + count - 1] < key { return count }
    while low < high {
      let middle = (low + high) >> 1
      if pool.words[keys + middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
