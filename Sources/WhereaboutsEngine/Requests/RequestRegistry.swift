import WhereaboutsModel

/// The one-shot requests that have not ended, indexed by the events that can end them.
///
/// A fix is compared with each pending *level*, not with each request: all requests of one level are reached
/// together. Time is compared with the earliest deadline, and settling with each requested settling time. So a fix
/// costs the number of levels and settling times plus the requests it ends. Adding a request costs O(log n) and
/// ending one O(1), on average over many.
struct RequestRegistry: Sendable {
  /// A request that was removed. Its terms are available until the next one is added: terms are large, and one fix may
  /// end very many.
  struct Ended: Sendable {
    let id: RequestID
    fileprivate let slot: UInt32
  }

  private struct Pending: Sendable {
    var id: RequestID
    var terms: RequestTerms
    var opened: Instant
    /// `nil` also where the timeout has not begun, and once the request has ended.
    var deadline: Instant?
    /// Whether the timeout begins when the authorization is settled.
    var waitsForAuthorization: Bool
  }

  /// The key of a level; levels are equal if the same fixes reach them, with any names.
  private struct LevelKey: Hashable, Sendable {
    let level: AccuracyLevel

    static func == (left: Self, right: Self) -> Bool {
      left.level.worstAccuracy == right.level.worstAccuracy && left.level.maxAge == right.level.maxAge
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(level.worstAccuracy)
      hasher.combine(level.maxAge)
    }
  }

  private var table = SlotTable()
  /// The requests by slot; a free slot keeps its last request.
  private var pending: [Pending] = []
  private var byLevel = SlotLists<LevelKey>()
  private var bySettlingTime = SlotLists<Duration>()
  private var deadlines = DeadlineQueue()
  /// The requests whose timeout waits for authorization, and some that have ended since.
  private var awaitingAuthorization: [Ended] = []

  var isEmpty: Bool { table.count == 0 }
  var count: Int { table.count }

  func contains(_ id: RequestID) -> Bool { table.slot(of: id) != nil }

  /// Adds a request. Traps on an id used twice (programmer error).
  ///
  /// - Parameter deadlineStarts: whether its timeout begins now; else with ``startWaitingDeadlines(at:)``.
  mutating func add(_ id: RequestID, _ terms: RequestTerms, at now: Instant, deadlineStarts: Bool) {
    guard let slot = table.insert(id) else { preconditionFailure("request \(id.number) was made twice") }
    let waits = !deadlineStarts && terms.timeout != nil
    let deadline = deadlineStarts ? terms.timeout.map { now.advanced(by: $0) } : nil
    let new = Pending(id: id, terms: terms, opened: now, deadline: deadline, waitsForAuthorization: waits)
    if slot == pending.count { pending.append(new) } else { pending[slot] = new }
    byLevel.append(slot, to: LevelKey(level: terms.level))
    if let settle = terms.settle { bySettlingTime.append(slot, to: settle) }
    if let deadline {
      deadlines.insert(.init(instant: deadline, id: id, slot: UInt32(slot)))
    } else if waits {
      awaitingAuthorization.append(Ended(id: id, slot: UInt32(slot)))
    }
  }

  /// Starts every timeout that waited for the authorization.
  mutating func startWaitingDeadlines(at now: Instant) {
    for request in awaitingAuthorization {
      let slot = Int(request.slot)
      guard pending[slot].id == request.id, pending[slot].waitsForAuthorization,
        let timeout = pending[slot].terms.timeout
      else { continue }
      let deadline = now.advanced(by: timeout)
      pending[slot].waitsForAuthorization = false
      pending[slot].deadline = deadline
      deadlines.insert(.init(instant: deadline, id: request.id, slot: request.slot))
    }
    awaitingAuthorization = []
  }

  /// Removes a request; returns `nil` where it has ended before or never was.
  mutating func remove(_ id: RequestID) -> Ended? {
    guard let slot = table.remove(id) else { return nil }
    releaseSlot(slot)
    removeStaleEntries()
    return Ended(id: id, slot: UInt32(slot))
  }

  /// Returns the terms of a request that was just removed.
  func terms(of ended: Ended) -> RequestTerms { pending[Int(ended.slot)].terms }

  /// Returns the demand of a request that was just removed.
  func need(of ended: Ended) -> Demand { pending[Int(ended.slot)].terms.need }

  /// Removes and returns every request whose level a fix of that accuracy and age reaches, in the order they were
  /// made.
  mutating func removeReached(accuracy: Double, age: Duration) -> [Ended] {
    var reached: [Ended] = []
    for list in byLevel.heads where list.key.level.isReached(byAccuracy: accuracy, age: age) {
      collect(from: list.first, of: byLevel, into: &reached)
    }
    return removeSorted(&reached)
  }

  /// Removes and returns every request that has been open, with settled fixes, for its settling time, in the order
  /// they were made.
  mutating func removeSettled(calmSince: Instant, at now: Instant) -> [Ended] {
    var settled: [Ended] = []
    let calm = now.since(calmSince)
    for list in bySettlingTime.heads where calm >= list.key {
      // Each list is in the order in which its requests were opened.
      collect(from: list.first, of: bySettlingTime, into: &settled) { now.since($0.opened) >= list.key }
    }
    return removeSorted(&settled)
  }

  /// Removes and returns every request whose deadline has passed, the earliest first; of equal ones, that made first.
  mutating func removeDue(at now: Instant) -> [Ended] {
    let due = deadlines.removeDue(at: now) { [pending] in Self.isLive($0, in: pending) }
    return removeCollected(due.map { Ended(id: $0.id, slot: $0.slot) })
  }

  /// Removes and returns every request, in the order they were made.
  mutating func removeAll() -> [Ended] {
    var all: [Ended] = []
    for list in byLevel.heads { collect(from: list.first, of: byLevel, into: &all) }
    return removeSorted(&all)
  }

  /// Returns the earliest deadline of a pending request.
  mutating func nextDeadline() -> Instant? {
    deadlines.next { [pending] in Self.isLive($0, in: pending) }
  }

  // MARK: Taking out

  /// Collects a slot and those behind it in its list, up to the first that is not wanted.
  private func collect<Key>(
    from first: Int, of lists: SlotLists<Key>, into collected: inout [Ended],
    while isWanted: (Pending) -> Bool = { _ in true }
  ) {
    var next: Int? = first
    while let slot = next, isWanted(pending[slot]) {
      collected.append(Ended(id: pending[slot].id, slot: UInt32(slot)))
      next = lists.next(after: slot)
    }
  }

  private mutating func removeSorted(_ collected: inout [Ended]) -> [Ended] {
    guard !collected.isEmpty else { return [] }
    collected.sortByNumber { $0.id.number }
    return removeCollected(collected)
  }

  private mutating func removeCollected(_ collected: [Ended]) -> [Ended] {
    var ended = collected
    ended.removeAll { request in
      guard table.remove(request.id) != nil else { return true }
      releaseSlot(Int(request.slot))
      return false
    }
    removeStaleEntries()
    return ended
  }

  private mutating func releaseSlot(_ slot: Int) {
    byLevel.remove(slot)
    bySettlingTime.remove(slot)
    pending[slot].deadline = nil
    pending[slot].waitsForAuthorization = false
  }

  /// Limits the indices in proportion to the requests, after any additions and cancellations.
  private mutating func removeStaleEntries() {
    deadlines.removeEnded(liveAtMost: count) { [pending] in Self.isLive($0, in: pending) }
    if awaitingAuthorization.count > 2 * count + 64 {
      awaitingAuthorization.removeAll { [pending] in
        pending[Int($0.slot)].id != $0.id || !pending[Int($0.slot)].waitsForAuthorization
      }
    }
  }

  private static func isLive(_ deadline: DeadlineQueue.Deadline, in pending: [Pending]) -> Bool {
    let slot = Int(deadline.slot)
    return pending[slot].deadline == deadline.instant && pending[slot].id == deadline.id
  }
}
