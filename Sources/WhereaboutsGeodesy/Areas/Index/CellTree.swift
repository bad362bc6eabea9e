/// A tree of lists of areas by cell, in one array of words.
///
/// A directory holds the cells of the highest level. Each cell of the two highest levels is a node of 72
/// words. The node has its own list (3 words), an unused word, and the positions of 64 child nodes, 0 for
/// none. The last 4 words are unused. A cell of the level above the lowest is a node of 6 words. The node has
/// its own list, a bit for each child cell with a list (2 words), and the position of the children's lists.
/// The lists are packed, 3 words each.
///
/// An empty list is 0 words. A list with one entry is the entry itself. Any other list is the position, `Mark.list`
/// and count of a block. The block has the centers, then the radii, then the ascending keys; each part takes
/// `BlockSize` of the count.
struct CellTree {
  /// The marks in place of radii in a list's second word: their `inner` is greater than their `outer`.
  enum Mark {
    static var list: UInt32 { 1 }
  }

  static var nodeWords: Int { 72 }
  static var leafWords: Int { 6 }

  var pool = WordPool()
  var directory: [UInt32] = []
  /// The number of entries in the lists of each level.
  private(set) var entries: (Int, Int, Int, Int) = (0, 0, 0, 0)

  /// A cell of a level.
  struct Cell {
    var level: Int
    var zone: UInt32
    var row: Int
    var column: Int

    /// The cell's index among the 64 child cells of its parent.
    var position: Int { (row & 7) << 3 | column & 7 }
    var parent: Cell { Cell(level: level + 1, zone: zone, row: row >> 3, column: column >> 3) }
    /// The position of a cell of the highest level in the directory.
    @inline(__always)
    var directoryIndex: Int {
      Grid.directoryOffset(zone) + row * Grid.columns(3, zone: zone) + column
    }
  }
}

// MARK: Changes

extension CellTree {
  mutating func insert(_ entry: CellEntry, in cell: Cell) {
    count(1, at: cell.level)
    if cell.level == 0 {
      let leaf = findOrCreateNode(cell.parent)
      insert(entry, list: findOrCreateCell(cell.position, leaf: leaf))
    } else {
      insert(entry, list: findOrCreateNode(cell))
    }
  }

  mutating func remove(_ key: UInt32, from cell: Cell) {
    if cell.level == 0 {
      guard let leaf = node(cell.parent), let list = self.cell(cell.position, leaf: leaf) else { return }
      guard remove(key, list: list) else { return }
      count(-1, at: 0)
      guard pool.words[list + 1] == 0 else { return }
      removeCell(cell.position, leaf: leaf)
      removeEmptyNodes(cell.parent)
    } else {
      guard let node = node(cell), remove(key, list: node) else { return }
      count(-1, at: cell.level)
      if pool.words[node + 1] == 0 { removeEmptyNodes(cell) }
    }
    if entries == (0, 0, 0, 0) { self = CellTree() }
  }

  mutating func count(_ change: Int, at level: Int) {
    switch level {
    case 0: entries.0 += change
    case 1: entries.1 += change
    case 2: entries.2 += change
    default: entries.3 += change
    }
  }

  /// Returns the node of a cell above the lowest level; `nil` if there is none.
  func node(_ cell: Cell) -> Int? {
    guard !directory.isEmpty else { return nil }
    guard cell.level < 3 else {
      let found = directory[cell.directoryIndex]
      return found == 0 ? nil : Int(found)
    }
    guard let parent = node(cell.parent) else { return nil }
    let found = pool.words[parent + 4 + cell.position]
    return found == 0 ? nil : Int(found)
  }

  mutating func findOrCreateNode(_ cell: Cell) -> Int {
    if directory.isEmpty { directory = Array(repeating: 0, count: Grid.directorySize) }
    if cell.level == 3 {
      let index = cell.directoryIndex
      if directory[index] == 0 { directory[index] = UInt32(pool.allocate(Self.nodeWords)) }
      return Int(directory[index])
    }
    let slot = findOrCreateNode(cell.parent) + 4 + cell.position
    if pool.words[slot] == 0 {
      let made = pool.allocate(cell.level == 1 ? Self.leafWords : Self.nodeWords)
      pool.words[slot] = UInt32(made)
    }
    return Int(pool.words[slot])
  }

  /// Frees a node without lists and children, and then its parents likewise.
  private mutating func removeEmptyNodes(_ cell: Cell) {
    guard let node = node(cell), pool.words[node + 1] == 0 else { return }
    if cell.level == 1 {
      guard pool.words[node + 3] | pool.words[node + 4] == 0 else { return }
      pool.free(node, Self.leafWords)
    } else {
      guard pool.words[node + 4..<node + 68].allSatisfy({ $0 == 0 }) else { return }
      pool.free(node, Self.nodeWords)
    }
    if cell.level == 3 {
      directory[cell.directoryIndex] = 0
    } else if let parent = self.node(cell.parent) {
      pool.words[parent + 4 + cell.position] = 0
      removeEmptyNodes(cell.parent)
    }
  }
}

// MARK: Cells of the lowest level

extension CellTree {
  func mask(leaf: Int) -> UInt64 {
    UInt64(pool.words[leaf + 3]) | UInt64(pool.words[leaf + 4]) << 32
  }

  private mutating func setMask(_ mask: UInt64, leaf: Int) {
    pool.words[leaf + 3] = UInt32(truncatingIfNeeded: mask)
    pool.words[leaf + 4] = UInt32(truncatingIfNeeded: mask >> 32)
  }

  /// Returns the position of a cell's list; `nil` if the cell has none.
  func cell(_ position: Int, leaf: Int) -> Int? {
    let mask = mask(leaf: leaf), bit = UInt64(1) << UInt64(position)
    guard mask & bit != 0 else { return nil }
    return Int(pool.words[leaf + 5]) + 3 * (mask & (bit - 1)).nonzeroBitCount
  }

  private mutating func findOrCreateCell(_ position: Int, leaf: Int) -> Int {
    if let found = cell(position, leaf: leaf) { return found }
    let mask = mask(leaf: leaf), bit = UInt64(1) << UInt64(position)
    let count = mask.nonzeroBitCount, rank = (mask & (bit - 1)).nonzeroBitCount
    var cells = Int(pool.words[leaf + 5])
    if BlockSize.of(count + 1) != BlockSize.of(count) {
      cells = pool.moved(cells, count * 3, from: 3 * BlockSize.of(count), to: 3 * BlockSize.of(count + 1))
      pool.words[leaf + 5] = UInt32(cells)
    }
    pool.shift(cells + 3 * rank, (count - rank) * 3, by: 3)
    for word in 0..<3 { pool.words[cells + 3 * rank + word] = 0 }
    setMask(mask | bit, leaf: leaf)
    return cells + 3 * rank
  }

  private mutating func removeCell(_ position: Int, leaf: Int) {
    let mask = mask(leaf: leaf), bit = UInt64(1) << UInt64(position)
    let count = mask.nonzeroBitCount, rank = (mask & (bit - 1)).nonzeroBitCount
    let cells = Int(pool.words[leaf + 5])
    pool.shift(cells + 3 * (rank + 1), (count - rank - 1) * 3, by: -3)
    setMask(mask & ~bit, leaf: leaf)
    if BlockSize.of(count - 1) != BlockSize.of(count) {
      let moved = pool.moved(
        cells, (count - 1) * 3, from: 3 * BlockSize.of(count), to: 3 * BlockSize.of(count - 1))
      pool.words[leaf + 5] = UInt32(moved)
    }
  }
}
