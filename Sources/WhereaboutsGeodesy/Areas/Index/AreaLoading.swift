/// Many areas on their way into an index that is empty: their entries are put in order first, and then written cell after cell.
///
/// One by one each entry would wait for memory somewhere else, several times.
@usableFromInline
struct AreaLoading {
  /// An entry and where it belongs: code of the cell, center, radii and key.
  typealias Item = SIMD4<UInt32>

  /// Whether areas are held back; else they go in one by one.
  var isOpen: Bool
  var items: [Item] = []
  var isAscending = true
  /// Keys of areas that go in one by one afterwards.
  var rest: [UInt32] = []
  var lastKey: UInt32?

  init(isOpen: Bool) { self.isOpen = isOpen }

  /// Of the zones around the poles more than two share a node; there areas go one by one.
  static var zones: UInt32 { 6 }

  /// Row of the node that the cell is in, whether its zone is odd, column of the node, row and column in it: 11, 1, 12, 3 and 3 bits.
  @inline(__always)
  static func code(_ cell: CellTree.Cell) -> UInt32 {
    let node = (cell.row >> 3) << 13 | Int(cell.zone & 1) << 12 | cell.column >> 3
    return UInt32(truncatingIfNeeded: node << 6 | cell.position)
  }

  /// The node that a code's cell is in.
  static func node(_ code: UInt32) -> CellTree.Cell {
    let row = Int(code >> 19), parity = (code >> 18) & 1
    // The row's zone, from the side of the odd or the even one.
    let first = Grid.zone(ofRow: UInt32(row << 3))
    let zone = first & 1 == parity ? first : Grid.zone(ofRow: UInt32(row << 3 | 7))
    return CellTree.Cell(level: 1, zone: zone, row: row, column: Int(code >> 6) & 4095)
  }

  /// Puts items in order of their codes, and those of one cell in order of their keys.
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
          Self.spread(other, into: items, range, shift: 0, bits: 9)
          Self.spread(items, into: other, range, shift: 9, bits: 10)
        }
      }
    }
    items = other
  }

  /// Puts a range of items in order of some bits of their codes; those that are equal keep their order.
  private static func spread(
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
  /// Puts many areas in; into an empty index much faster than one by one.
  @inlinable
  public mutating func insert(contentsOf pairs: some Sequence<(UInt32, Area)>) {
    var loading = startLoading(pairs.underestimatedCount)
    for (key, area) in pairs { load(area, as: key, &loading) }
    finish(&loading)
  }

  @usableFromInline
  mutating func startLoading(_ count: Int) -> AreaLoading {
    var loading = AreaLoading(isOpen: self.count == 0)
    if loading.isOpen {
      store.reserve(count)
      loading.items.reserveCapacity(3 * count)
    }
    return loading
  }

  @usableFromInline
  mutating func load(_ area: Area, as key: UInt32, _ loading: inout AreaLoading) {
    // A key that comes again takes the place of what is there, which therefore has to be there.
    if loading.isOpen, store.contains(key) { finish(&loading) }
    guard loading.isOpen else { return insert(area, as: key) }
    store.insert(area, as: key)
    let footprint = store.footprint(key)
    guard footprint.level == 0, footprint.isWithinZones(below: AreaLoading.zones) else {
      return loading.rest.append(key)
    }
    count += 1
    if let last = loading.lastKey, last > key { loading.isAscending = false }
    loading.lastKey = key
    footprint.forEach { cell, entry in
      loading.items.append(SIMD4(AreaLoading.code(cell), entry.center, entry.radii, key))
    }
  }

  @usableFromInline
  mutating func finish(_ loading: inout AreaLoading) {
    guard loading.isOpen else { return }
    loading.isOpen = false
    loading.sort()
    tree.load(loading.items)
    loading.items = []
    for key in loading.rest { place(key, store.footprint(key)) }
    loading.rest = []
  }
}
