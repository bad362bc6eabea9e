import HeapModule

/// Every one-shot request that has not ended, indexed by what can end it.
///
/// A fix is held against each *level* that someone waits for, not against each request: all requests of one level are
/// reached together. Time is held against the earliest deadline. So a fix costs the number of levels plus what it
/// ends, and adding or ending a request O(log n).
struct RequestBook: Sendable {
  /// A request that was taken out.
  struct Ended: Sendable {
    let id: RequestID
    let terms: RequestTerms
    let opened: Instant
  }

  private struct Pending: Sendable {
    var terms: RequestTerms
    var opened: Instant
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

  /// Requests whose timeout waits for permission.
  private var waitingForPermission: Set<RequestID> = []
  /// Requests that settle, by how long that takes, in the order they were made; some have ended since.
  private var settling: [(duration: Duration, ids: [RequestID])] = []

  var isEmpty: Bool { pending.isEmpty }
  var count: Int { pending.count }

  func contains(_ id: RequestID) -> Bool { pending[id] != nil }

  /// Takes a request in.
  ///
  /// - Returns: its terms were not known before; an id used twice is ours to trap on.
  mutating func add(_ id: RequestID, _ terms: RequestTerms, at now: Instant, deadlineStarts: Bool) {
    let deadline = deadlineStarts ? terms.timeout.map { now.advanced(by: $0) } : nil
    let replaced = pending.updateValue(
      Pending(terms: terms, opened: now, deadline: deadline), forKey: id)
    if !deadlineStarts, terms.timeout != nil { waitingForPermission.insert(id) }
    if let settle = terms.settle {
      if let index = settling.firstIndex(where: { $0.duration == settle }) {
        settling[index].ids.append(id)
      } else {
        settling.append((settle, [id]))
      }
    }
    precondition(replaced == nil, "request \(id.number) was made twice")
    if let index = waitingByLevel.firstIndex(where: { $0.level == terms.level }) {
      waitingByLevel[index].ids.insert(id)
    } else {
      waitingByLevel.append((terms.level, [id]))
    }
    if let deadline { deadlines.insert(Deadline(instant: deadline, id: id)) }
  }

  /// Takes a request out; `nil` where it has ended before or never was.
  mutating func remove(_ id: RequestID) -> Ended? {
    guard let ended = pending.removeValue(forKey: id) else { return nil }
    let terms = ended.terms
    waitingForPermission.remove(id)
    if let index = waitingByLevel.firstIndex(where: { $0.level == terms.level }) {
      waitingByLevel[index].ids.remove(id)
      if waitingByLevel[index].ids.isEmpty { waitingByLevel.remove(at: index) }
    }
    forgetEndedDeadlines()
    return Ended(id: id, terms: terms, opened: ended.opened)
  }

  /// Permission was settled: every timeout that waited for it begins now.
  mutating func startWaitingDeadlines(at now: Instant) {
    for id in waitingForPermission {
      guard let timeout = pending[id]?.terms.timeout else { continue }
      let deadline = now.advanced(by: timeout)
      pending[id]?.deadline = deadline
      deadlines.insert(Deadline(instant: deadline, id: id))
    }
    waitingForPermission = []
  }

  /// Takes out every request that has been open, and its fixes calm, for as long as it asked.
  mutating func takeSettled(calmSince: Instant, at now: Instant) -> [Ended] {
    var settled: [RequestID] = []
    for index in settling.indices.reversed() {
      settling[index].ids.removeAll { pending[$0] == nil }
      let duration = settling[index].duration
      settled += settling[index].ids.prefix {
        guard let opened = pending[$0]?.opened else { return true }
        return now.since(max(calmSince, opened)) >= duration
      }
      if settling[index].ids.isEmpty { settling.remove(at: index) }
    }
    return take(settled.sorted())
  }

  /// Takes out every request whose level a fix of that accuracy and age reaches, in the order they were made.
  mutating func takeReached(accuracy: Double, age: Duration) -> [Ended] {
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
  mutating func takeDue(at now: Instant) -> [Ended] {
    var due: [RequestID] = []
    while let next = deadlines.min, next.instant <= now {
      deadlines.removeMin()
      if pending[next.id] != nil { due.append(next.id) }
    }
    return take(due)
  }

  /// Takes out every request, in the order they were made.
  mutating func takeAll() -> [Ended] {
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

  private mutating func take(_ ids: [RequestID]) -> [Ended] {
    ids.compactMap { remove($0) }
  }

  /// Keeps the heap in proportion to what is pending, whatever is added and cancelled.
  private mutating func forgetEndedDeadlines() {
    guard deadlines.count > 2 * pending.count + 64 else { return }
    deadlines = Heap(deadlines.unordered.filter { pending[$0.id] != nil })
  }
}
