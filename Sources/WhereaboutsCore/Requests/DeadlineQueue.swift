import HeapModule

/// The deadlines of pending requests, and of some that have ended since: those are dropped when they surface.
///
/// Which are which only the owner knows; every question asks it.
struct DeadlineQueue: Sendable {
  /// When a request ends for lack of an answer.
  struct Deadline: Comparable, Sendable {
    let instant: Instant
    let id: RequestID
    let slot: UInt32

    /// Which comes first; of equal ones, that of the request made first.
    static func < (left: Self, right: Self) -> Bool {
      left.instant != right.instant ? left.instant < right.instant : left.id < right.id
    }
  }

  private var heap = Heap<Deadline>()

  mutating func insert(_ deadline: Deadline) {
    heap.insert(deadline)
  }

  /// The earliest live deadline.
  mutating func next(isLive: (Deadline) -> Bool) -> Instant? {
    while let next = heap.min {
      if isLive(next) { return next.instant }
      heap.removeMin()
    }
    return nil
  }

  /// Takes out every live deadline that has come, the earliest first.
  ///
  /// One by one costs O(log n) each; where that has taken out a good part of all and there are more, the rest are
  /// parted and sorted in one go, which is several times cheaper.
  mutating func takeDue(at now: Instant, isLive: (Deadline) -> Bool) -> [Deadline] {
    var due: [Deadline] = [], taken = 0
    while let next = heap.min, next.instant <= now {
      guard taken < 32 + heap.count / 8 else {
        due.append(contentsOf: takeAllDue(at: now, isLive: isLive))
        break
      }
      heap.removeMin()
      taken += 1
      if isLive(next) { due.append(next) }
    }
    return due
  }

  private mutating func takeAllDue(at now: Instant, isLive: (Deadline) -> Bool) -> [Deadline] {
    var due: [Deadline] = [], later: [Deadline] = []
    for deadline in heap.unordered where isLive(deadline) {
      if deadline.instant <= now { due.append(deadline) } else { later.append(deadline) }
    }
    heap = Heap(later)
    due.sortByNumber { $0.id.number }
    // Shifted so that the order of unsigned numbers is that of signed ones.
    due.sortByNumber { UInt64(bitPattern: $0.instant.nanoseconds) ^ (1 << 63) }
    return due
  }

  /// Keeps the queue in proportion to how many deadlines can be live, whatever is added and cancelled.
  mutating func forgetEnded(liveAtMost count: Int, isLive: (Deadline) -> Bool) {
    guard heap.count > 2 * count + 64 else { return }
    heap = Heap(heap.unordered.filter(isLive))
  }
}
