/// Slots in lists: one list for each key, each in the order of appending.
///
/// The lists are threaded through one array that is indexed by slot. So appending and removing cost O(1) and allocate
/// nothing, however many keys there are. Iterating over the keys costs one step for each key that has slots.
struct SlotLists<Key: Hashable & Sendable>: Sendable {
  private struct Link: Sendable {
    var previous = none
    var next = none
    var list = none
  }

  private struct List: Sendable {
    var key: Key
    var first = none
    var last = none
    /// The index of this list in `inUse`.
    var position: Int
  }

  private static var none: Int32 { -1 }

  private var links: [Link] = []
  /// The lists; each keeps its index while it has slots.
  private var lists: [List] = []
  private var listOf: [Key: Int32] = [:]
  /// The lists that have slots.
  private var inUse: [Int32] = []
  private var free: [Int32] = []

  /// The keys that have slots, and the first slot of each.
  var heads: some Sequence<(key: Key, first: Int)> {
    inUse.lazy.map { (lists[Int($0)].key, Int(lists[Int($0)].first)) }
  }

  /// Whether there is no slot in any list.
  var isEmpty: Bool { inUse.isEmpty }

  /// Returns the slot behind another of the same list.
  func next(after slot: Int) -> Int? {
    let next = links[slot].next
    return next == Self.none ? nil : Int(next)
  }

  /// Appends a slot that is in no list to the list of a key.
  mutating func append(_ slot: Int, to key: Key) {
    while links.count <= slot { links.append(Link()) }
    let list = list(of: key), last = lists[Int(list)].last
    links[slot] = Link(previous: last, list: list)
    if last == Self.none {
      lists[Int(list)].first = Int32(slot)
    } else {
      links[Int(last)].next = Int32(slot)
    }
    lists[Int(list)].last = Int32(slot)
  }

  /// Removes a slot from its list, if it is in one.
  mutating func remove(_ slot: Int) {
    guard slot < links.count, links[slot].list != Self.none else { return }
    let link = links[slot]
    links[slot] = Link()
    if link.previous == Self.none {
      lists[Int(link.list)].first = link.next
    } else {
      links[Int(link.previous)].next = link.next
    }
    if link.next == Self.none {
      lists[Int(link.list)].last = link.previous
    } else {
      links[Int(link.next)].previous = link.previous
    }
    if link.previous == Self.none, link.next == Self.none { release(link.list) }
  }

  private func knownList(of key: Key) -> Int32? {
    // A few comparisons cost less than a hash.
    inUse.count <= 4 ? inUse.first { lists[Int($0)].key == key } : listOf[key]
  }

  private mutating func list(of key: Key) -> Int32 {
    if let known = knownList(of: key) { return known }
    let list = List(key: key, position: inUse.count)
    let index = free.popLast() ?? Int32(lists.count)
    if Int(index) < lists.count {
      lists[Int(index)] = list
    } else {
      lists.append(list)
    }
    listOf[key] = index
    inUse.append(index)
    return index
  }

  private mutating func release(_ list: Int32) {
    listOf[lists[Int(list)].key] = nil
    let position = lists[Int(list)].position, last = inUse.removeLast()
    if last != list {
      inUse[position] = last
      lists[Int(last)].position = position
    }
    free.append(list)
  }
}
