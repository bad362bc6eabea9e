import HeapModule

/// The live subscriptions of all kinds.
///
/// A fix is offered to each of those that want fixes, so it costs their number; the others cost nothing. Finding one
/// costs O(log n), adding one O(1), removing one O(n) of a plain move.
struct SubscriptionBook: Sendable {
  /// A subscription that was taken out.
  struct Ended: Sendable {
    let id: SubscriptionID
    /// What it needed of the source; `nil` where that was nothing.
    let need: Demand?
    /// As what it needed it.
    let party: NeedBooks.Party
  }

  private var fixes = Followers<FixFollower>()
  private var significant = Followers<SignificantChangeFilter>()
  private var visits = Followers<StayDetector>()
  private var accepted = Followers<AcceptanceGate>()
  private var headings = Followers<HeadingFilter>()
  private var motions = Followers<MotionFollower>()
  var trackers = TrackerBook()
  private var deadlines = Heap<Deadline>()

  private struct Deadline: Comparable, Sendable {
    var instant: Instant
    var id: SubscriptionID

    static func < (left: Self, right: Self) -> Bool { (left.instant, left.id) < (right.instant, right.id) }
  }

  /// All of them, in the order they were made.
  var ids: [SubscriptionID] {
    (fixes.ids + significant.ids + visits.ids + accepted.ids + headings.ids + motions.ids + trackers.ids)
      .sorted()
  }
  /// Those that want headings, in the order they were made.
  var headingIDs: [SubscriptionID] { headings.ids }

  /// How many ends to come are kept, those of subscriptions that are over among them.
  var endsKept: Int { deadlines.count }

  mutating func add(_ id: SubscriptionID, _ terms: SubscriptionTerms, at now: Instant) {
    switch terms {
    case .fixes(let wanted):
      fixes.add(id, FixFollower(wanted), terms)
      if let duration = wanted.duration {
        deadlines.insert(Deadline(instant: now.advanced(by: duration), id: id))
      }
    case .significantChanges(let wanted): significant.add(id, SignificantChangeFilter(wanted), terms)
    case .visits(let wanted): visits.add(id, StayDetector(wanted), terms)
    case .accepted(let wanted): accepted.add(id, AcceptanceGate(wanted), terms)
    case .headings(let wanted): headings.add(id, HeadingFilter(wanted), terms)
    case .motions: motions.add(id, MotionFollower(), terms)
    case .track(let wanted): trackers.add(id, wanted)
    }
  }

  mutating func remove(_ id: SubscriptionID) -> Ended? {
    if let tracker = trackers.remove(id) {
      return Ended(id: id, need: tracker.isActive ? tracker.terms.need : nil, party: .trackers)
    }
    let terms =
      fixes.remove(id) ?? significant.remove(id) ?? visits.remove(id) ?? headings.remove(id)
      ?? motions.remove(id) ?? accepted.remove(id)
    forgetEnded()
    return terms.map { Ended(id: id, need: $0.need, party: $0.party) }
  }

  /// Keeps the ends to come in proportion to the subscriptions, whatever comes and goes.
  private mutating func forgetEnded() {
    guard deadlines.count > 2 * fixes.count + 64 else { return }
    deadlines = Heap(deadlines.unordered.filter { fixes.contains($0.id) })
  }

  mutating func removeAll() -> [Ended] { ids.compactMap { remove($0) } }

  // MARK: Time

  /// The earliest end of a live subscription, or when a tracker wants to look at its signal, or when the best fix of
  /// those held is kept.
  mutating func nextDeadline() -> Instant? {
    Self.earlier(Self.earlier(nextEnd(), trackers.nextDeadline()), nextKeeping())
  }

  private static func earlier(_ one: Instant?, _ another: Instant?) -> Instant? {
    guard let one, let another else { return one ?? another }
    return min(one, another)
  }

  private func nextKeeping() -> Instant? {
    var next: Instant?
    accepted.forEachValue { gate in
      if let deadline = gate.deadline, next.map({ deadline < $0 }) ?? true { next = deadline }
    }
    return next
  }

  /// Keeps the best of the fixes that have been held for long enough.
  mutating func keepDue(at now: Instant, tell: (SubscriptionID, SubscriptionEvent) -> Void) {
    accepted.forEach { id, gate in
      if let kept = gate.takeDue(at: now) { tell(id, .accepted(kept)) }
    }
  }

  /// Keeps the best of the fixes that are held, since none will come any more.
  mutating func keepHeld(at now: Instant, tell: (SubscriptionID, SubscriptionEvent) -> Void) {
    accepted.forEach { id, gate in
      if let kept = gate.keepBest(at: now) { tell(id, .accepted(kept)) }
    }
  }

  /// The device is elsewhere than the fixes held say.
  mutating func dropHeld() {
    accepted.forEach { _, gate in gate.dropHeld() }
  }

  private mutating func nextEnd() -> Instant? {
    while let next = deadlines.min {
      if fixes.contains(next.id) { return next.instant }
      deadlines.removeMin()
    }
    return nil
  }

  /// Takes out every subscription whose time is over, the earliest first.
  mutating func takeDue(at now: Instant) -> [Ended] {
    var due: [Ended] = []
    while let next = nextEnd(), next <= now, let id = deadlines.popMin()?.id {
      if let ended = remove(id) { due.append(ended) }
    }
    return due
  }

  // MARK: What comes

  /// Offers a fix to those that want fixes, then to those that want large moves, then to those that want visits.
  ///
  /// - Parameter isOver: called after an event with a subscription that has got as many as it asked for.
  mutating func offer(
    _ timed: TimedFix, tell: (SubscriptionID, SubscriptionEvent) -> Void, isOver: (SubscriptionID) -> Void
  ) {
    fixes.forEach { id, follower in
      guard follower.take(timed) else { return }
      tell(id, .fix(timed.fix))
      if follower.isOver { isOver(id) }
    }
    significant.forEach { id, filter in
      if filter.take(timed) { tell(id, .fix(timed.fix)) }
    }
    visits.forEach { id, detector in
      for visit in detector.take(timed) { tell(id, .visit(visit)) }
    }
  }

  /// Offers a fix to those that keep some.
  mutating func offer(
    _ timed: TimedFix, at now: Instant, tell: (SubscriptionID, SubscriptionEvent) -> Void,
    passOver: (SubscriptionID, NotKept) -> Void
  ) {
    accepted.forEach { id, gate in
      switch gate.take(timed, at: now) {
      case .kept(let kept): tell(id, .accepted(kept))
      case .notKept(let reason): passOver(id, reason)
      }
    }
  }

  /// Gives the last fix to one that has just come and asked for it.
  mutating func offer(last timed: TimedFix, to id: SubscriptionID, at now: Instant) -> Bool {
    fixes.update(id) { follower in
      guard let limit = follower.terms.lastFixUpTo, timed.age(at: now) <= limit else { return false }
      return follower.take(timed)
    } ?? false
  }

  /// Whether one has got as many as it asked for.
  mutating func hasEnough(_ id: SubscriptionID) -> Bool { fixes.update(id, \.isOver) ?? false }

  /// Offers a heading to those that want headings.
  mutating func offer(_ heading: Heading, tell: (SubscriptionID, SubscriptionEvent) -> Void) {
    headings.forEach { id, filter in
      switch filter.take(heading) {
      case .told: tell(id, .heading(heading))
      case .unusable: tell(id, .headingUnusable)
      case .held, .stillUnusable: break
      }
    }
  }

  /// Whether anybody wants to know how the device moves.
  var followsMotion: Bool { motions.count > 0 }

  /// Each of those that want to know how the device moves.
  func forEachMotionFollower(_ body: (SubscriptionID) -> Void) {
    for id in motions.ids { body(id) }
  }

  /// The source's time went back for good: a stay that went on is over, as far as can be known.
  mutating func restartTimeline(tell: (SubscriptionID, SubscriptionEvent) -> Void) {
    visits.forEach { id, detector in
      if let visit = detector.restart() { tell(id, .visit(visit)) }
    }
    trackers.breakOff(restartsTime: true, tell: tell)
  }

  /// What was known of places is not known any more.
  mutating func forgetPlaces() {
    visits.forEach { _, detector in detector.restart() }
    accepted.forEach { _, gate in gate.forget() }
    trackers.forgetPlaces()
  }
}

/// Somebody who wants to know how the device moves. All are told the same, so there is nothing to remember.
struct MotionFollower: Sendable {}

/// A fix filter that also counts.
struct FixFollower: Sendable {
  let terms: FixTerms
  private var filter: FixFilter
  private var left: Int?

  init(_ terms: FixTerms) {
    self.terms = terms
    filter = FixFilter(terms)
    left = terms.maximumCount
  }

  /// Whether it has got as many as it asked for.
  var isOver: Bool { left == 0 }

  mutating func take(_ timed: TimedFix) -> Bool {
    guard !isOver, filter.take(timed) else { return false }
    if let left { self.left = left - 1 }
    return true
  }
}
