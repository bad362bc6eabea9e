/// The live trackers, in the order they were made.
///
/// Whatever comes is offered to each, so it costs their number; of those there are few.
struct TrackerBook: Sendable {
  typealias Tell = (SubscriptionID, SubscriptionEvent) -> Void

  private var trackers = Followers<TrackFollower>()
  /// What was counted under names that no tracker has now.
  private var parked: [TripSnapshot] = []
  /// Gaps of trips that were settled and nobody has asked for yet.
  private var gaps: [TripGap] = []

  var ids: [SubscriptionID] { trackers.ids }

  /// Adds one; with a name it goes on with what was counted under it. One that another has counts for itself, and is not
  /// kept.
  mutating func add(_ id: SubscriptionID, _ terms: TrackTerms) {
    var terms = terms
    if let trip = terms.trip, trip == tracked(trip) { terms.trip = nil }
    guard let place = parked.firstIndex(where: { $0.id == terms.trip }) else {
      return trackers.add(id, TrackFollower(terms), .track(terms))
    }
    trackers.add(id, TrackFollower(terms, from: parked.remove(at: place)), .track(terms))
  }

  /// - Returns: its terms, and whether it needed the source; `nil` where there is none.
  mutating func remove(_ id: SubscriptionID) -> (terms: SubscriptionTerms, isActive: Bool)? {
    guard let isActive = isActive(id) else { return nil }
    // Under its name another may go on with it.
    if var snapshot = trackers.read(id, { $0.snapshot }) ?? nil {
      collectGaps()
      snapshot.settle()
      parked.append(snapshot)
    }
    return trackers.remove(id).map { ($0, isActive) }
  }

  // MARK: Trips

  /// The name, if a tracker has it now.
  private func tracked(_ trip: TripID) -> TripID? {
    var found: TripID?
    trackers.forEachValue { if $0.terms.trip == trip { found = trip } }
    return found
  }

  /// What must outlive the process: those that count under a name, and those that somebody may go on with.
  var trips: [TripSnapshot] {
    var trips = parked
    trackers.forEachValue { if let snapshot = $0.snapshot { trips.append(snapshot) } }
    return trips
  }

  /// Whether anything is counted under a name, or was.
  var hasTrips: Bool {
    var hasAny = !parked.isEmpty
    trackers.forEachValue { if $0.terms.trip != nil { hasAny = true } }
    return hasAny
  }

  /// The name of a tracker.
  func trip(of id: SubscriptionID) -> TripID? { trackers.read(id) { $0.terms.trip } ?? nil }

  /// Goes on with what another process has counted.
  mutating func restore(_ trips: [TripSnapshot]) {
    parked.removeAll { old in trips.contains { $0.id == old.id } }
    parked += trips.filter { tracked($0.id) == nil }
  }

  /// Takes a fix again that another process had taken.
  mutating func retake(_ seen: SeenFix) {
    for index in parked.indices { parked[index].retake(seen) }
  }

  /// Ends a trip: nobody goes on with it.
  ///
  /// - Returns: what it came to, all settled; `nil` where there is none of that name, or a tracker still has it.
  mutating func endTrip(_ id: TripID) -> Trip? {
    guard let place = parked.firstIndex(where: { $0.id == id }) else { return nil }
    var ended = parked.remove(at: place)
    ended.settle()
    return ended.trip
  }

  /// The tracker that has a name.
  func tracker(of trip: TripID) -> SubscriptionID? {
    ids.first { self.trip(of: $0) == trip }
  }

  /// Gaps that were settled since it was last asked.
  mutating func takeGaps() -> [TripGap] {
    collectGaps()
    defer { gaps.removeAll() }
    return gaps
  }

  private mutating func collectGaps() {
    trackers.forEach { _, tracker in
      if !tracker.gaps.isEmpty { gaps += tracker.takeGaps() }
    }
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
