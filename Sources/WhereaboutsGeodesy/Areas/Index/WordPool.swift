/// A pool of blocks of words in one array, which reuses freed blocks.
struct WordPool {
  /// The words. The first ones are unused, so that 0 means no block.
  var words: [UInt32] = [0, 0, 0, 0]
  /// The first free block of each size, by `index(of:)`; its first word is the next free block.
  private var free: [UInt32] = []
  /// The number of words in blocks that are in use.
  private(set) var used = 0

  /// Returns a new block of zeros.
  mutating func allocate(_ size: Int) -> Int {
    used += size
    let list = index(of: size)
    if list < free.count, free[list] != 0 {
      let block = Int(free[list])
      free[list] = words[block]
      words.withUnsafeMutableBufferPointer { words in
        for offset in block..<block + size { words[offset] = 0 }
      }
      return block
    }
    let block = words.count
    words.append(contentsOf: repeatElement(0, count: size))
    return block
  }

  /// Appends zeros, from which blocks can be cut and freed one by one.
  mutating func grow(by count: Int) -> Int {
    used += count
    let start = words.count
    words.append(contentsOf: repeatElement(0, count: count))
    return start
  }

  mutating func free(_ block: Int, _ size: Int) {
    guard size > 0 else { return }
    used -= size
    let list = index(of: size)
    while free.count <= list { free.append(0) }
    words[block] = free[list]
    free[list] = UInt32(block)
  }

  /// Sizes are 3 times that of a `BlockSize`.
  private func index(of size: Int) -> Int {
    size <= 6 ? size / 3 : 2 + size / 12
  }

  /// Moves the first words of a block into a new block and frees the old one.
  mutating func moved(_ block: Int, _ count: Int, from size: Int, to newSize: Int) -> Int {
    let new = newSize == 0 ? 0 : allocate(newSize)
    copy(block, count, to: new)
    free(block, size)
    return new
  }

  mutating func copy(_ source: Int, _ count: Int, to target: Int) {
    words.withUnsafeMutableBufferPointer { words in
      for offset in 0..<count { words[target + offset] = words[source + offset] }
    }
  }

  /// Moves words up or down within overlapping ranges.
  mutating func shift(_ start: Int, _ count: Int, by distance: Int) {
    guard count > 0 else { return }
    words.withUnsafeMutableBufferPointer { words in
      if distance > 0 {
        var offset = start + count - 1
        while offset >= start {
          words[offset + distance] = words[offset]
          offset -= 1
        }
      } else {
        for offset in start..<start + count { words[offset + distance] = words[offset] }
      }
    }
  }
}

/// Block sizes by number of entries: exactly as many up to 2, whole vectors of four from 3 on. Above 16 a
/// block has room for at most a quarter more.
enum BlockSize {
  @inline(__always)
  static func of(_ count: Int) -> Int {
    guard count > 2 else { return count }
    guard count > 16 else { return (count + 3) & ~3 }
    let step = 1 << (61 - (count - 1).leadingZeroBitCount)
    return (count + step - 1) & ~(step - 1)
  }
}
