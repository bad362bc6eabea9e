import HeapModule

/// A multiset of numbers with access to its minimum.
///
/// Adding and removing cost O(log n) in the number of different numbers, on average over many.
struct CountedMinimum<Number: Hashable & Comparable & Sendable>: Sendable {
  private var counts: [Number: Int] = [:]
  /// The present numbers, and some removed ones that are dropped when they become the minimum.
  private var heap = Heap<Number>()

  /// The minimum; `nil` where the set is empty.
  var minimum: Number? { heap.min }

  mutating func add(_ number: Number) {
    if counts[number, default: 0] == 0 { heap.insert(number) }
    counts[number, default: 0] += 1
  }

  /// Removes a number. Traps on an absent number (programmer error).
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
