/// A bulk load of areas into an empty index: entries are sorted first, then written cell after cell.
///
/// Inserted one by one, each entry would wait several times for memory elsewhere.
@usableFromInline
struct AreaLoading {
  /// An entry and its position: code of the cell, center, radii and key.
  typealias Item = SIMD4<UInt32>

  /// Whether areas are held back; otherwise they are inserted one by one.
  var isBuffering: Bool
  var items: [Item] = []
  var isAscending = true
  /// The keys of areas to insert one by one afterwards.
  var deferredKeys: [UInt32] = []
  var lastKey: UInt32?

  init(isBuffering: Bool) { self.isBuffering = isBuffering }

  /// The number of zones for bulk loading. Around the poles more than two zones share a node, so areas there are
  /// inserted one by one.
  static var bulkZones: UInt32 { 6 }

  /// Returns the code of a cell. The fields are the node's row, whether its zone is odd, the node's column, and the
  /// cell's row and column in the node: 11, 1, 12, 3 and 3 bits.
  @inline(__always)
  static func code(_ cell: CellTree.Cell) -> UInt32 {
    let node = (cell.row >> 3) << 13 | Int(cell.zone & 1) << 12 | cell.column >> 3
    return UInt32(truncatingIfNeeded: node << 6 | cell.position)
  }

  /// Returns the node that holds a code's cell.
  static func node(_ code: UInt32) -> CellTree.Cell {
    let row = Int(code >> 19), parity = (code >> 18) & 1
    // The first and the last cell row of a node can be in two consecutive zones; the code's bit selects one
    // of them.
    let first = Grid.zone(ofRow: UInt32(row << 3))
    let zone = first & 1 == parity ? first : Grid.zone(ofRow: UInt32(row << 3 | 7))
    return CellTree.Cell(level: 1, zone: zone, row: row, column: Int(code >> 6) & 4095)
  }

  /// Sorts items by code, and items of one cell by key.
  mutating func sort() {
    if !isAscending { items.sort { $0.w < $1.w } }
    let count = items.count
    var starts = [Int](repeating: 0, count: 2049)
    for item in items { starts[Int(item.x >> 19) + 1] += 1 }
    for row in 0..<2048 { starts[row + 1] += starts[row] }
    var other = [Item](unsafeUninitializedCapacity: count) { other, initialized in
      var next = starts
      items.withUnsafeBufferPointer { items in
        for item in items {
          let row = Int(item.x >> 19)
          other.initializeElement(at: next[row], to: item)
          next[row] += 1
        }
      }
      initialized = count
    }
    other.withUnsafeMutableBufferPointer { other in
      items.withUnsafeMutableBufferPointer { items in
        for row in 0..<2048 where starts[row] < starts[row + 1] {
          let range = starts[row]..<starts[row + 1]
          Self.radixPass(other, into: items, range, shift: 0, bits: 9)
          Self.radixPass(items, into: other, range, shift: 9, bits: 10)
        }
      }
    }
    items = other
  }

  /// Sorts a range of items by some bits of their codes, stably.
  private static func radixPass(
    _ source: UnsafeMutableBufferPointer<Item>, into target: UnsafeMutableBufferPointer<Item>,
    _ range: Range<Int>, shift: UInt32, bits: UInt32
  ) {
    let mask = UInt32(1) << bits - 1
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 1 << Int(bits)) { next in
      next.initialize(repeating: 0)
      for index in range { next[Int((source[index].x >> shift) & mask)] += 1 }
      var sum = range.lowerBound
      for digit in next.indices { (next[digit], sum) = (sum, sum + next[digit]) }
      for index in range {
        let digit = Int((source[index].x >> shift) & mask)
        target[next[digit]] = source[index]
        next[digit] += 1
      }
    }
  }
}

extension AreaIndex {
  /// Inserts many areas, into an empty index much faster than one by one.
  @inlinable
  public mutating func insert(contentsOf pairs: some Sequence<(UInt32, Area)>) {
    var loading = startLoading(pairs.underestimatedCount)
    for (key, area) in pairs { load(area, as: key, &loading) }
    finishLoading(&loading)
  }

  @usableFromInline
  mutating func startLoading(_ count: Int) -> AreaLoading {
    var loading = AreaLoading(isBuffering: self.count == 0)
    if loading.isBuffering {
      store.reserve(count)
      loading.items.reserveCapacity(3 * count)
    }
    return loading
  }

  @usableFromInline
  mutating func load(_ area: Area, as key: UInt32, _ loading: inout AreaLoading) {
    // A repeated key replaces an existing area, which must be present by then.
    if loading.isBuffering, store.contains(key) { finishLoading(&loading) }
    guard loading.isBuffering else { return insert(area, as: key) }
    store.insert(area, as: key)
    let footprint = store.footprint(key)
    guard footprint.level == 0, footprint.isWithinZones(below: AreaLoading.bulkZones) else {
      return loading.deferredKeys.append(key)
    }
    count += 1
    if let last = loading.lastKey, last > key { loading.isAscending = false }
    loading.lastKey = key
    footprint.forEach { cell, entry in
      loading.items.append(SIMD4(AreaLoading.code(cell), entry.center, entry.radii, key))
    }
  }

  @usableFromInline
  mutating func finishLoading(_ loading: inout AreaLoading) {
    guard loading.isBuffering else { return }
    loading.isBuffering = false
    loading.sort()
    tree.load(loading.items)
    loading.items = []
    for key in loading.deferredKeys { addToCells(key, store.footprint(key)) }
    loading.deferredKeys = []
  }
}
