import WhereaboutsModel
import HeapModule

/// The deadlines of pending requests, and of some that have ended since, which are dropped when they surface.
///
/// Only the owner knows which requests are live, so each method asks it.
struct DeadlineQueue: Sendable {
  /// The instant at which a request times out.
  struct Deadline: Comparable, Sendable {
    let instant: Instant
    let id: RequestID
    let slot: UInt32

    /// Returns whether the left deadline comes first; of equal ones, that of the request made first.
    static func < (left: Self, right: Self) -> Bool {
      left.instant != right.instant ? left.instant < right.instant : left.id < right.id
    }
  }

  private var heap = Heap<Deadline>()

  mutating func insert(_ deadline: Deadline) {
    heap.insert(deadline)
  }

  /// Returns the earliest live deadline.
  mutating func next(isLive: (Deadline) -> Bool) -> Instant? {
    while let next = heap.min {
      if isLive(next) { return next.instant }
      heap.removeMin()
    }
    return nil
  }

  /// Removes every live deadline that has passed, the earliest first.
  ///
  /// Removing one by one costs O(log n) each. After a good part of the queue, the rest are partitioned and sorted at
  /// once, which is several times cheaper.
  mutating func removeDue(at now: Instant, isLive: (Deadline) -> Bool) -> [Deadline] {
    var due: [Deadline] = [], taken = 0
    while let next = heap.min, next.instant <= now {
      guard taken < 32 + heap.count / 8 else {
        due.append(contentsOf: removeAllDue(at: now, isLive: isLive))
        break
      }
      heap.removeMin()
      taken += 1
      if isLive(next) { due.append(next) }
    }
    return due
  }

  private mutating func removeAllDue(at now: Instant, isLive: (Deadline) -> Bool) -> [Deadline] {
    var due: [Deadline] = [], later: [Deadline] = []
    for deadline in heap.unordered where isLive(deadline) {
      if deadline.instant <= now { due.append(deadline) } else { later.append(deadline) }
    }
    heap = Heap(later)
    due.sortByNumber { $0.id.number }
    // The shift makes the order of unsigned numbers that of signed ones.
    due.sortByNumber { UInt64(bitPattern: $0.instant.nanoseconds) ^ (1 << 63) }
    return due
  }

  /// Limits the queue in proportion to the number of live deadlines, after any additions and cancellations.
  mutating func removeEnded(liveAtMost count: Int, isLive: (Deadline) -> Bool) {
    guard heap.count > 2 * count + 64 else { return }
    heap = Heap(heap.unordered.filter(isLive))
  }
}
