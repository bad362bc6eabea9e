import WhereaboutsModel

/// A table that gives each pending request a slot: a small number that indexes arrays while the request is pending.
///
/// A hash table from id to slot, by open addressing with linear probing. Removing an entry moves later entries back,
/// so lookups never step over removed entries. The hash multiplies ids by 2⁶⁴ divided by the golden ratio, which
/// spreads ids that count upwards about evenly. The hash is no defence against ids chosen to collide; here, the
/// process counts the ids itself.
///
/// Standard dictionaries guard against chosen keys and cost several times as much, which matters where one fix ends
/// many requests.
///
/// - Source: Knuth, *The Art of Computer Programming* 3 (2nd ed.), section 6.4: algorithms L and R, and the
///   multiplicative scheme.
struct SlotTable: Sendable {
  /// Slots by the hash of their id; at most half of the cells are in use.
  private var cells: [UInt32] = []
  /// 64 minus the binary logarithm of the number of cells.
  private var shift: UInt64 = 64
  /// The id of each slot; a free slot keeps its last id.
  private var ids: [UInt64] = []
  /// The free slots, used from the end.
  private var free: [UInt32] = []

  private static let vacant = UInt32.max
  private static let smallest = 16

  /// The number of ids that have a slot.
  var count: Int { ids.count - free.count }

  /// Returns the slot of an id, or `nil` where the id has none.
  func slot(of id: RequestID) -> Int? {
    cell(of: id.number).map { Int(cells[$0]) }
  }

  /// Gives an id a free slot, or else the next number. Returns `nil` where the id has a slot already.
  mutating func insert(_ id: RequestID) -> Int? {
    if 2 * (count + 1) > cells.count { grow() }
    var cell = home(of: id.number)
    while cells[cell] != Self.vacant {
      if ids[Int(cells[cell])] == id.number { return nil }
      cell = next(after: cell)
    }
    if let slot = free.popLast() {
      ids[Int(slot)] = id.number
      cells[cell] = slot
    } else {
      cells[cell] = UInt32(ids.count)
      ids.append(id.number)
    }
    return Int(cells[cell])
  }

  /// Frees an id's slot for another id; returns `nil` where the id has none.
  mutating func remove(_ id: RequestID) -> Int? {
    guard var hole = cell(of: id.number) else { return nil }
    let slot = cells[hole]
    var probe = next(after: hole)
    while cells[probe] != Self.vacant {
      // An entry whose probe sequence passed the hole may move back into it.
      let home = home(of: ids[Int(cells[probe])])
      if distance(from: home, to: probe) >= distance(from: hole, to: probe) {
        cells[hole] = cells[probe]
        hole = probe
      }
      probe = next(after: probe)
    }
    cells[hole] = Self.vacant
    free.append(slot)
    return Int(slot)
  }

  private func cell(of number: UInt64) -> Int? {
    guard !cells.isEmpty else { return nil }
    var cell = home(of: number)
    while cells[cell] != Self.vacant {
      if ids[Int(cells[cell])] == number { return cell }
      cell = next(after: cell)
    }
    return nil
  }

  private func home(of number: UInt64) -> Int { Int((number &* 0x9E37_79B9_7F4A_7C15) >> shift) }

  private func next(after cell: Int) -> Int { (cell + 1) & (cells.count - 1) }

  private func distance(from: Int, to: Int) -> Int { (to - from) & (cells.count - 1) }

  private mutating func grow() {
    let old = cells
    let size = max(Self.smallest, 2 * old.count)
    cells = [UInt32](repeating: Self.vacant, count: size)
    shift = UInt64(64 - size.trailingZeroBitCount)
    for slot in old where slot != Self.vacant {
      var cell = home(of: ids[Int(slot)])
      while cells[cell] != Self.vacant { cell = next(after: cell) }
      cells[cell] = slot
    }
  }
}
