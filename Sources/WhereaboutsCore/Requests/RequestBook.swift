/// Every one-shot request that has not ended, indexed by what can end it.
///
/// A fix is held against each *level* that someone waits for, not against each request: all requests of one level are
/// reached together. Time is held against the earliest deadline, calm against each settling time that someone asked
/// for. So a fix costs the number of levels and settling times plus what it ends; adding a request costs O(log n) and
/// ending one O(1), on average over many.
struct RequestBook: Sendable {
  /// A request that was taken out.
  struct Ended: Sendable {
    let id: RequestID
    let terms: RequestTerms
    let opened: Instant
  }

  private struct Pending: Sendable {
    var id: RequestID
    var terms: RequestTerms
    var opened: Instant
    /// `nil` too where it has not begun, and once the request has ended.
    var deadline: Instant?
    /// The timeout begins when permission is settled.
    var waitsForPermission: Bool
  }

  /// Levels are alike where the same fixes reach them, whatever they are called.
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

  /// A request's id and where it is kept.
  private struct Ticket: Sendable {
    let id: RequestID
    let slot: UInt32
  }

  private var table = SlotTable()
  /// By slot; free ones hold their last.
  private var pending: [Pending] = []
  private var byLevel = SlotLists<LevelKey>()
  private var bySettlingTime = SlotLists<Duration>()
  private var deadlines = DeadlineQueue()
  /// Requests whose timeout waits for permission, and some that have ended since.
  private var waiting: [Ticket] = []

  var isEmpty: Bool { table.count == 0 }
  var count: Int { table.count }

  func contains(_ id: RequestID) -> Bool { table.slot(of: id) != nil }

  /// Takes a request in. An id used twice is ours to trap on.
  ///
  /// - Parameter deadlineStarts: whether its timeout begins now; else with ``startWaitingDeadlines(at:)``.
  mutating func add(_ id: RequestID, _ terms: RequestTerms, at now: Instant, deadlineStarts: Bool) {
    guard let slot = table.insert(id) else { preconditionFailure("request \(id.number) was made twice") }
    let waits = !deadlineStarts && terms.timeout != nil
    let deadline = deadlineStarts ? terms.timeout.map { now.advanced(by: $0) } : nil
    let new = Pending(id: id, terms: terms, opened: now, deadline: deadline, waitsForPermission: waits)
    if slot == pending.count { pending.append(new) } else { pending[slot] = new }
    byLevel.append(slot, to: LevelKey(level: terms.level))
    if let settle = terms.settle { bySettlingTime.append(slot, to: settle) }
    if let deadline {
      deadlines.insert(.init(instant: deadline, id: id, slot: UInt32(slot)))
    } else if waits {
      waiting.append(Ticket(id: id, slot: UInt32(slot)))
    }
  }

  /// Permission was settled: every timeout that waited for it begins now.
  mutating func startWaitingDeadlines(at now: Instant) {
    for ticket in waiting {
      let slot = Int(ticket.slot)
      guard pending[slot].id == ticket.id, pending[slot].waitsForPermission,
        let timeout = pending[slot].terms.timeout
      else { continue }
      let deadline = now.advanced(by: timeout)
      pending[slot].waitsForPermission = false
      pending[slot].deadline = deadline
      deadlines.insert(.init(instant: deadline, id: ticket.id, slot: ticket.slot))
    }
    waiting = []
  }

  /// Takes a request out; `nil` where it has ended before or never was.
  mutating func remove(_ id: RequestID) -> Ended? {
    guard let slot = table.remove(id) else { return nil }
    let ended = end(slot)
    forgetEnded()
    return ended
  }

  /// Takes out every request whose level a fix of that accuracy and age reaches, in the order they were made.
  mutating func takeReached(accuracy: Double, age: Duration) -> [Ended] {
    var reached: [Ticket] = []
    for list in byLevel.heads where list.key.level.isReached(byAccuracy: accuracy, age: age) {
      collect(from: list.first, of: byLevel, into: &reached)
    }
    return take(&reached)
  }

  /// Takes out every request that has been open, and its fixes calm, for as long as it asked, in the order they were
  /// made.
  mutating func takeSettled(calmSince: Instant, at now: Instant) -> [Ended] {
    var settled: [Ticket] = []
    let calm = now.since(calmSince)
    for list in bySettlingTime.heads where calm >= list.key {
      // Each list is in the order in which its requests were opened.
      collect(from: list.first, of: bySettlingTime, into: &settled) { now.since($0.opened) >= list.key }
    }
    return take(&settled)
  }

  /// Takes out every request whose deadline has come, the earliest first; of equal ones, that made first.
  mutating func takeDue(at now: Instant) -> [Ended] {
    let due = deadlines.takeDue(at: now) { [pending] in Self.isLive($0, in: pending) }
    return take(due.map { Ticket(id: $0.id, slot: $0.slot) })
  }

  /// Takes out every request, in the order they were made.
  mutating func takeAll() -> [Ended] {
    var all: [Ticket] = []
    for list in byLevel.heads { collect(from: list.first, of: byLevel, into: &all) }
    return take(&all)
  }

  /// The earliest deadline of a pending request.
  mutating func nextDeadline() -> Instant? {
    deadlines.next { [pending] in Self.isLive($0, in: pending) }
  }

  // MARK: Taking out

  /// Collects a slot and those behind it in its list, up to the first that is not wanted.
  private func collect<Key>(
    from first: Int, of lists: SlotLists<Key>, into tickets: inout [Ticket],
    while isWanted: (Pending) -> Bool = { _ in true }
  ) {
    var next: Int? = first
    while let slot = next, isWanted(pending[slot]) {
      tickets.append(Ticket(id: pending[slot].id, slot: UInt32(slot)))
      next = lists.next(after: slot)
    }
  }

  private mutating func take(_ tickets: inout [Ticket]) -> [Ended] {
    guard !tickets.isEmpty else { return [] }
    tickets.sortByNumber { $0.id.number }
    return take(tickets)
  }

  private mutating func take(_ tickets: [Ticket]) -> [Ended] {
    var ended: [Ended] = []
    ended.reserveCapacity(tickets.count)
    for ticket in tickets where table.remove(ticket.id) != nil { ended.append(end(Int(ticket.slot))) }
    forgetEnded()
    return ended
  }

  private mutating func end(_ slot: Int) -> Ended {
    byLevel.remove(slot)
    bySettlingTime.remove(slot)
    pending[slot].deadline = nil
    pending[slot].waitsForPermission = false
    return Ended(id: pending[slot].id, terms: pending[slot].terms, opened: pending[slot].opened)
  }

  /// Keeps what is kept beside the requests in proportion to them, whatever is added and cancelled.
  private mutating func forgetEnded() {
    deadlines.forgetEnded(liveAtMost: count) { [pending] in Self.isLive($0, in: pending) }
    if waiting.count > 2 * count + 64 {
      waiting.removeAll { [pending] in
        pending[Int($0.slot)].id != $0.id || !pending[Int($0.slot)].waitsForPermission
      }
    }
  }

  private static func isLive(_ deadline: DeadlineQueue.Deadline, in pending: [Pending]) -> Bool {
    let slot = Int(deadline.slot)
    return pending[slot].deadline == deadline.instant && pending[slot].id == deadline.id
  }
}
