/// The live trackers, in the order they were made.
///
/// Whatever comes is offered to each, so it costs their number; of those there are few.
struct TrackerBook: Sendable {
  typealias Tell = (SubscriptionID, SubscriptionEvent) -> Void

  private var trackers = Followers<TrackFollower>()

  var ids: [SubscriptionID] { trackers.ids }

  mutating func add(_ id: SubscriptionID, _ terms: TrackTerms) {
    trackers.add(id, TrackFollower(terms), .track(terms))
  }

  /// - Returns: its terms, and whether it needed the source; `nil` where there is none.
  mutating func remove(_ id: SubscriptionID) -> (terms: SubscriptionTerms, isActive: Bool)? {
    guard let isActive = isActive(id), let terms = trackers.remove(id) else { return nil }
    return (terms, isActive)
  }

  /// Whether one needs the source; `nil` where there is none.
  func isActive(_ id: SubscriptionID) -> Bool? { trackers.read(id) { $0.isActive } }

  /// What one was made with.
  func terms(_ id: SubscriptionID) -> SubscriptionTerms? { trackers.read(id) { .track($0.terms) } }

  /// How things stand with one.
  func update(_ id: SubscriptionID) -> TrackUpdate? { trackers.read(id) { $0.update } }

  /// The earliest deadline of any.
  mutating func nextDeadline() -> Instant? {
    var next: Instant?
    trackers.forEach { _, tracker in
      if let deadline = tracker.deadline { next = min(next ?? deadline, deadline) }
    }
    return next
  }

  mutating func command(
    _ id: SubscriptionID, _ command: TrackCommand, at now: Moment, after last: TimedFix?,
    _ status: ServiceStatus, tell: Tell
  ) {
    trackers.update(id) { tracker in
      tracker.take(command, at: now, after: last, status) { tell(id, $0) }
    }
  }

  /// Stops one, or each that is not at rest.
  ///
  /// - Parameters:
  ///   - only: the one; `nil` for each.
  ///   - tellsPlaces: whether what is settled of the way may be told.
  /// - Returns: what was needed for those that were not at rest.
  mutating func stop(
    only: SubscriptionID? = nil, because cause: TrackPhaseCause, tellsPlaces: Bool = true, tell: Tell
  ) -> [Demand] {
    var needs: [Demand] = []
    func stop(_ id: SubscriptionID, _ tracker: inout TrackFollower) {
      if tracker.isActive { needs.append(.continuous(tracker.terms.need)) } else if only == nil { return }
      tracker.stop(because: cause, tellsPlaces: tellsPlaces) { tell(id, $0) }
    }
    if let only {
      trackers.update(only) { stop(only, &$0) }
    } else {
      trackers.forEach { stop($0, &$1) }
    }
    return needs
  }

  // MARK: What comes

  mutating func offer(_ timed: TimedFix, motion: Motion, at now: Moment, tell: Tell) {
    trackers.forEach { id, tracker in tracker.take(timed, motion: motion, at: now) { tell(id, $0) } }
  }

  mutating func offer(late fix: Fix, at now: Instant, tell: Tell) {
    trackers.forEach { id, tracker in tracker.take(late: fix, at: now) { tell(id, $0) } }
  }

  /// What comes next does not continue what came before.
  mutating func breakOff(restartsTime: Bool, tell: Tell) {
    trackers.forEach { id, tracker in tracker.breakOff(restartsTime: restartsTime) { tell(id, $0) } }
  }

  mutating func forgetPlaces() {
    trackers.forEach { _, tracker in tracker.forgetPlaces() }
  }

  // MARK: Signal

  mutating func permit(_ isAllowed: Bool, at now: Instant, tell: Tell) {
    trackers.forEach { id, tracker in tracker.permit(isAllowed, at: now) { tell(id, $0) } }
  }

  mutating func hear(at now: Instant) {
    trackers.forEach { _, tracker in tracker.hear(at: now) }
  }

  mutating func excuseSilence(at now: Instant, tell: Tell) {
    trackers.forEach { id, tracker in tracker.excuseSilence(at: now) { tell(id, $0) } }
  }

  mutating func noteRestart(at now: Instant) {
    trackers.forEach { _, tracker in tracker.noteRestart(at: now) }
  }

  /// Looks at what is due.
  ///
  /// - Returns: for how long the source has been silent, where it is to be stopped and started.
  mutating func wake(at now: Instant, tell: Tell) -> Duration? {
    var longest: Duration?
    trackers.forEach { id, tracker in
      guard let silence = tracker.wake(at: now, tell: { tell(id, $0) }) else { return }
      longest = max(longest ?? silence, silence)
    }
    return longest
  }
}
