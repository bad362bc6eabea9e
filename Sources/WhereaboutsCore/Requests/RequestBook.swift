import HeapModule

/// Every one-shot request that has not ended, indexed by what can end it.
///
/// A fix is held against each *level* that someone waits for, not against each request: all requests of one level are
/// reached together. Time is held against the earliest deadline. So a fix costs the number of levels plus what it
/// ends, and adding or ending a request O(log n).
struct RequestBook: Sendable {
  private struct Pending: Sendable {
    var terms: RequestTerms
    var deadline: Instant?
  }

  private struct Deadline: Comparable, Sendable {
    var instant: Instant
    var id: RequestID

    static func < (left: Self, right: Self) -> Bool {
      (left.instant, left.id) < (right.instant, right.id)
    }
  }

  private var pending: [RequestID: Pending] = [:]
  private var waitingByLevel: [(level: AccuracyLevel, ids: Set<RequestID>)] = []
  /// Deadlines of pending requests, and of some that have ended since: those are dropped when they surface.
  private var deadlines = Heap<Deadline>()

  var isEmpty: Bool { pending.isEmpty }

  /// Takes a request in.
  ///
  /// - Returns: its terms were not known before; an id used twice is ours to trap on.
  mutating func add(_ id: RequestID, _ terms: RequestTerms, at now: Instant) {
    let deadline = terms.timeout.map { now.advanced(by: $0) }
    let replaced = pending.updateValue(Pending(terms: terms, deadline: deadline), forKey: id)
    precondition(replaced == nil, "request \(id.number) was made twice")
    if let index = waitingByLevel.firstIndex(where: { $0.level == terms.level }) {
      waitingByLevel[index].ids.insert(id)
    } else {
      waitingByLevel.append((terms.level, [id]))
    }
    if let deadline { deadlines.insert(Deadline(instant: deadline, id: id)) }
  }

  /// Takes a request out; `nil` where it has ended before or never was.
  mutating func remove(_ id: RequestID) -> RequestTerms? {
    guard let terms = pending.removeValue(forKey: id)?.terms else { return nil }
    if let index = waitingByLevel.firstIndex(where: { $0.level == terms.level }) {
      waitingByLevel[index].ids.remove(id)
      if waitingByLevel[index].ids.isEmpty { waitingByLevel.remove(at: index) }
    }
    forgetEndedDeadlines()
    return terms
  }

  /// Takes out every request whose level a fix of that accuracy and age reaches, in the order they were made.
  mutating func takeReached(accuracy: Double, age: Duration) -> [(RequestID, RequestTerms)] {
    guard waitingByLevel.contains(where: { $0.level.isReached(byAccuracy: accuracy, age: age) }) else {
      return []
    }
    var reached: [RequestID] = []
    for (level, ids) in waitingByLevel where level.isReached(byAccuracy: accuracy, age: age) {
      reached.append(contentsOf: ids)
    }
    return take(reached.sorted())
  }

  /// Takes out every request whose deadline has come, the earliest first.
  mutating func takeDue(at now: Instant) -> [(RequestID, RequestTerms)] {
    var due: [RequestID] = []
    while let next = deadlines.min, next.instant <= now {
      deadlines.removeMin()
      if pending[next.id] != nil { due.append(next.id) }
    }
    return take(due)
  }

  /// Takes out every request, in the order they were made.
  mutating func takeAll() -> [(RequestID, RequestTerms)] {
    take(pending.keys.sorted())
  }

  /// The earliest deadline of a pending request.
  mutating func nextDeadline() -> Instant? {
    while let next = deadlines.min {
      if pending[next.id] != nil { return next.instant }
      deadlines.removeMin()
    }
    return nil
  }

  private mutating func take(_ ids: [RequestID]) -> [(RequestID, RequestTerms)] {
    ids.compactMap { id in remove(id).map { (id, $0) } }
  }

  /// Keeps the heap in proportion to what is pending, whatever is added and cancelled.
  private mutating func forgetEndedDeadlines() {
    guard deadlines.count > 2 * pending.count + 64 else { return }
    deadlines = Heap(deadlines.unordered.filter { pending[$0.id] != nil })
  }
}
