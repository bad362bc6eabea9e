import WhereaboutsModel
import HeapModule

/// The live subscriptions of all kinds.
///
/// A fix is offered to each subscription to fixes, so a fix costs their number; other kinds cost nothing. Finding a
/// subscription costs O(log n), adding one O(1), removing one O(n) of a plain move.
struct SubscriptionRegistry: Sendable {
  /// A body that receives an event, and owns it: a copy of an event is large.
  typealias EventHandler = (SubscriptionID, consuming SubscriptionEvent) -> Void

  /// A subscription that was removed.
  struct Ended: Sendable {
    let id: SubscriptionID
    /// Its demand on the source; `nil` where there was none.
    let need: Demand?
    /// The consumer class this demand is counted under.
    let consumerClass: NeedRegistry.ConsumerClass
  }

  private var fixes = SubscriptionTable<FixSubscriber>()
  private var significant = SubscriptionTable<SignificantChangeFilter>()
  private var visits = SubscriptionTable<StayDetector>()
  private var accepted = SubscriptionTable<AcceptanceGate>()
  private var headings = SubscriptionTable<HeadingFilter>()
  private var motions = SubscriptionTable<MotionSubscriber>()
  var trackers = TrackerRegistry()
  private var deadlines = Heap<Deadline>()

  private struct Deadline: Comparable, Sendable {
    var instant: Instant
    var id: SubscriptionID

    static func < (left: Self, right: Self) -> Bool { (left.instant, left.id) < (right.instant, right.id) }
  }

  /// The ids of all subscriptions, in the order they were made.
  var ids: [SubscriptionID] {
    (fixes.ids + significant.ids + visits.ids + accepted.ids + headings.ids + motions.ids + trackers.ids)
      .sorted()
  }
  /// The ids of the heading subscriptions, in the order they were made.
  var headingIDs: [SubscriptionID] { headings.ids }

  /// The number of queued deadlines, including those of ended subscriptions.
  var queuedDeadlineCount: Int { deadlines.count }

  mutating func add(_ id: SubscriptionID, _ terms: SubscriptionTerms, at now: Instant) {
    switch terms {
    case .fixes(let wanted):
      fixes.add(id, FixSubscriber(wanted), terms)
      if let duration = wanted.duration {
        deadlines.insert(Deadline(instant: now.advanced(by: duration), id: id))
      }
    case .significantChanges(let wanted): significant.add(id, SignificantChangeFilter(wanted), terms)
    case .visits(let wanted): visits.add(id, StayDetector(wanted), terms)
    case .accepted(let wanted): accepted.add(id, AcceptanceGate(wanted), terms)
    case .headings(let wanted): headings.add(id, HeadingFilter(wanted), terms)
    case .motions: motions.add(id, MotionSubscriber(), terms)
    case .track(let wanted): trackers.add(id, wanted)
    }
  }

  mutating func remove(_ id: SubscriptionID) -> Ended? {
    if let tracker = trackers.remove(id) {
      return Ended(id: id, need: tracker.isActive ? tracker.terms.need : nil, consumerClass: .trackers)
    }
    let terms =
      fixes.remove(id) ?? significant.remove(id) ?? visits.remove(id) ?? headings.remove(id)
      ?? motions.remove(id) ?? accepted.remove(id)
    removeStaleDeadlines()
    return terms.map { Ended(id: id, need: $0.need, consumerClass: $0.consumerClass) }
  }

  /// Limits the queued deadlines in proportion to the subscriptions.
  private mutating func removeStaleDeadlines() {
    guard deadlines.count > 2 * fixes.count + 64 else { return }
    deadlines = Heap(deadlines.unordered.filter { fixes.contains($0.id) })
  }

  mutating func removeAll() -> [Ended] { ids.compactMap { remove($0) } }

  // MARK: Time

  /// Returns the earliest deadline: the end of a subscription, the check of a tracker's signal, or the end of a wait
  /// for a better fix.
  mutating func nextDeadline() -> Instant? {
    Self.earlier(Self.earlier(nextEnd(), trackers.nextDeadline()), nextAcceptanceDeadline())
  }

  private static func earlier(_ one: Instant?, _ another: Instant?) -> Instant? {
    guard let one, let another else { return one ?? another }
    return min(one, another)
  }

  private func nextAcceptanceDeadline() -> Instant? {
    var next: Instant?
    accepted.forEachValue { gate in
      if let deadline = gate.deadline, next.map({ deadline < $0 }) ?? true { next = deadline }
    }
    return next
  }

  /// Accepts the best of the fixes that have been held for long enough.
  mutating func acceptDue(at now: Instant, notify: EventHandler) {
    accepted.forEach { id, gate in
      if let kept = gate.acceptDue(at: now) { notify(id, .accepted(kept)) }
    }
  }

  /// Accepts the best held fixes, since no better ones can arrive.
  mutating func acceptHeld(at now: Instant, notify: EventHandler) {
    accepted.forEach { id, gate in
      if let kept = gate.acceptBest(at: now) { notify(id, .accepted(kept)) }
    }
  }

  /// Discards held fixes, because the device is elsewhere.
  mutating func discardHeld() {
    accepted.forEach { _, gate in gate.discardHeld() }
  }

  private mutating func nextEnd() -> Instant? {
    while let next = deadlines.min {
      if fixes.contains(next.id) { return next.instant }
      deadlines.removeMin()
    }
    return nil
  }

  /// Removes and returns every subscription whose duration has passed, the earliest first.
  mutating func removeDue(at now: Instant) -> [Ended] {
    var due: [Ended] = []
    while let next = nextEnd(), next <= now, let id = deadlines.popMin()?.id {
      if let ended = remove(id) { due.append(ended) }
    }
    return due
  }

  // MARK: Fixes and headings

  /// Offers a fix to subscriptions to fixes, then to significant changes, then to visits.
  ///
  /// - Parameter isOver: called after an event with a subscription that has reached its maximum count.
  mutating func offer(
    _ timed: TimedFix, notify: EventHandler, isOver: (SubscriptionID) -> Void
  ) {
    fixes.forEach { id, follower in
      guard follower.process(timed) else { return }
      notify(id, .fix(timed.fix))
      if follower.isComplete { isOver(id) }
    }
    significant.forEach { id, filter in
      if filter.process(timed) { notify(id, .fix(timed.fix)) }
    }
    visits.forEach { id, detector in
      for visit in detector.process(timed) { notify(id, .visit(visit)) }
    }
  }

  /// Offers a fix to subscriptions to accepted fixes.
  mutating func offer(
    _ timed: TimedFix, at now: Instant, notify: EventHandler,
    passOver: (SubscriptionID, Decision.NonAcceptance) -> Void
  ) {
    accepted.forEach { id, gate in
      switch gate.process(timed, at: now) {
      case .accepted(let kept): notify(id, .accepted(kept))
      case .notAccepted(let reason): passOver(id, reason)
      }
    }
  }

  /// Offers the last fix to a new subscription that asked for it.
  mutating func offerLastFix(_ timed: TimedFix, to id: SubscriptionID, at now: Instant) -> Bool {
    fixes.update(id) { follower in
      guard let limit = follower.terms.lastFixUpTo, timed.age(at: now) <= limit else { return false }
      return follower.process(timed)
    } ?? false
  }

  /// Returns whether a subscription has reached its maximum count.
  mutating func isComplete(_ id: SubscriptionID) -> Bool { fixes.update(id, \.isComplete) ?? false }

  /// Offers a heading to heading subscriptions.
  mutating func offer(_ heading: Heading, notify: EventHandler) {
    headings.forEach { id, filter in
      switch filter.process(heading) {
      case .reported: notify(id, .heading(heading))
      case .unusable: notify(id, .headingUnusable)
      case .suppressed, .stillUnusable: break
      }
    }
  }

  /// Whether there are motion subscriptions.
  var followsMotion: Bool { motions.count > 0 }

  /// Calls the closure with each motion subscription.
  func forEachMotionFollower(_ body: (SubscriptionID) -> Void) {
    for id in motions.ids { body(id) }
  }

  /// Restarts the timeline after the source's time went back for good: present stays end.
  mutating func restartTimeline(notify: EventHandler) {
    visits.forEach { id, detector in
      if let visit = detector.restartTimeline() { notify(id, .visit(visit)) }
    }
    trackers.endSegment(restartsTimeline: true, notify: notify)
  }

  /// Clears all known positions.
  mutating func clearPositions() {
    visits.forEach { _, detector in detector.restartTimeline() }
    accepted.forEach { _, gate in gate.reset() }
    trackers.clearPositions()
  }
}

/// A motion subscriber. All receive the same events, so a subscriber has no state.
struct MotionSubscriber: Sendable {}

/// A fix filter that also counts.
struct FixSubscriber: Sendable {
  let terms: FixTerms
  private var filter: FixFilter
  private var left: Int?

  init(_ terms: FixTerms) {
    self.terms = terms
    filter = FixFilter(terms)
    left = terms.maximumCount
  }

  /// Whether the subscriber has reached its maximum count.
  var isComplete: Bool { left == 0 }

  mutating func process(_ timed: TimedFix) -> Bool {
    guard !isComplete, filter.process(timed) else { return false }
    if let left { self.left = left - 1 }
    return true
  }
}
