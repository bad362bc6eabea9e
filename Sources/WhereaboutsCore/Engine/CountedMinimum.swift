import HeapModule

/// Numbers that come and go, each any number of times, and the least of those there are.
///
/// Adding and taking away cost O(log n) in how many different numbers there are, on average over many.
struct CountedMinimum<Number: Hashable & Comparable & Sendable>: Sendable {
  private var counts: [Number: Int] = [:]
  /// Every number there is, and some that there are no more: those are dropped when they surface.
  private var heap = Heap<Number>()

  /// The least of all; `nil` where there are none.
  var least: Number? { heap.min }

  mutating func add(_ number: Number) {
    if counts[number, default: 0] == 0 { heap.insert(number) }
    counts[number, default: 0] += 1
  }

  /// Takes one away. It is ours to trap on one that isn't there.
  mutating func remove(_ number: Number) {
    guard let count = counts[number] else { preconditionFailure("a number was taken away that isn't there") }
    guard count == 1 else {
      counts[number] = count - 1
      return
    }
    counts[number] = nil
    while let least = heap.min, counts[least] == nil { heap.removeMin() }
    if heap.count > 2 * counts.count + 64 { heap = Heap(counts.keys) }
  }
}
