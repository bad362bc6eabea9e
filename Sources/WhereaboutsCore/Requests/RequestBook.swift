/// Every one-shot request that has not ended, indexed by what can end it.
///
/// A fix is held against each *level* that someone waits for, not against each request: all requests of one level are
/// reached together. Time is held against the earliest deadline, calm against each settling time that someone asked
/// for. So a fix costs the number of levels and settling times plus what it ends; adding a request costs O(log n) and
/// ending one O(1), on average over many.
struct RequestBook: Sendable {
  /// A request that was taken out. What it asked for can be looked up until the next one is taken in: terms are large,
  /// and one fix may end very many.
  struct Ended: Sendable {
    let id: RequestID
    fileprivate let slot: UInt32
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

  private var table = SlotTable()
  /// By slot; free ones hold their last.
  private var pending: [Pending] = []
  private var byLevel = SlotLists<LevelKey>()
  private var bySettlingTime = SlotLists<Duration>()
  private var deadlines = DeadlineQueue()
  /// Requests whose timeout waits for permission, and some that have ended since.
  private var waiting: [Ended] = []

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
      waiting.append(Ended(id: id, slot: UInt32(slot)))
    }
  }

  /// Permission was settled: every timeout that waited for it begins now.
  mutating func startWaitingDeadlines(at now: Instant) {
    for request in waiting {
      let slot = Int(request.slot)
      guard pending[slot].id == request.id, pending[slot].waitsForPermission,
        let timeout = pending[slot].terms.timeout
      else { continue }
      let deadline = now.advanced(by: timeout)
      pending[slot].waitsForPermission = false
      pending[slot].deadline = deadline
      deadlines.insert(.init(instant: deadline, id: request.id, slot: request.slot))
    }
    waiting = []
  }

  /// Takes a request out; `nil` where it has ended before or never was.
  mutating func remove(_ id: RequestID) -> Ended? {
    guard let slot = table.remove(id) else { return nil }
    end(slot)
    forgetEnded()
    return Ended(id: id, slot: UInt32(slot))
  }

  /// What a request asked for that was just taken out.
  func terms(of ended: Ended) -> RequestTerms { pending[Int(ended.slot)].terms }

  /// What it needed of the source.
  func need(of ended: Ended) -> Demand { pending[Int(ended.slot)].terms.need }

  /// Takes out every request whose level a fix of that accuracy and age reaches, in the order they were made.
  mutating func takeReached(accuracy: Double, age: Duration) -> [Ended] {
    var reached: [Ended] = []
    for list in byLevel.heads where list.key.level.isReached(byAccuracy: accuracy, age: age) {
      collect(from: list.first, of: byLevel, into: &reached)
    }
    return take(&reached)
  }

  /// Takes out every request that has been open, and its fixes calm, for as long as it asked, in the order they were
  /// made.
  mutating func takeSettled(calmSince: Instant, at now: Instant) -> [Ended] {
    var settled: [Ended] = []
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
    return take(due.map { Ended(id: $0.id, slot: $0.slot) })
  }

  /// Takes out every request, in the order they were made.
  mutating func takeAll() -> [Ended] {
    var all: [Ended] = []
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
    from first: Int, of lists: SlotLists<Key>, into collected: inout [Ended],
    while isWanted: (Pending) -> Bool = { _ in true }
  ) {
    var next: Int? = first
    while let slot = next, isWanted(pending[slot]) {
      collected.append(Ended(id: pending[slot].id, slot: UInt32(slot)))
      next = lists.next(after: slot)
    }
  }

  private mutating func take(_ collected: inout [Ended]) -> [Ended] {
    guard !collected.isEmpty else { return [] }
    collected.sortByNumber { $0.id.number }
    return take(collected)
  }

  private mutating func take(_ collected: [Ended]) -> [Ended] {
    var ended = collected
    ended.removeAll { request in
      guard table.remove(request.id) != nil else { return true }
      end(Int(request.slot))
      return false
    }
    forgetEnded()
    return ended
  }

  private mutating func end(_ slot: Int) {
    byLevel.remove(slot)
    bySettlingTime.remove(slot)
    pending[slot].deadline = nil
    pending[slot].waitsForPermission = false
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
