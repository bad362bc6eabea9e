import WhereaboutsModel

/// The live trackers, in the order they were made.
///
/// Each event is offered to every tracker, so an event costs their number, which is small.
struct TrackerRegistry: Sendable {
  typealias EventHandler = SubscriptionRegistry.EventHandler

  private var trackers = SubscriptionTable<TrackerState>()
  /// The trackers whose trips other live trackers have, in the order in which they began to wait. They count without a
  /// name.
  private var waiting: [(id: SubscriptionID, trip: TripID)] = []
  /// The trips that no tracker counts now.
  private var inactiveTrips: [TripSnapshot] = []
  /// The settled gaps of trips that have not been drained yet.
  private var gaps: [Trip.Gap] = []

  var ids: [SubscriptionID] { trackers.ids }

  /// Adds a tracker; one with a name resumes the trip of that name. A tracker whose trip another one has counts on its
  /// own, and is not stored, until it receives the trip.
  mutating func add(_ id: SubscriptionID, _ terms: TrackTerms) {
    var terms = terms
    if let trip = terms.trip, tracker(of: trip) != nil {
      terms.trip = nil
      waiting.append((id, trip))
    }
    guard let place = inactiveTrips.firstIndex(where: { $0.id == terms.trip }) else {
      return trackers.add(id, TrackerState(terms), .track(terms))
    }
    trackers.add(id, TrackerState(terms, from: inactiveTrips.remove(at: place)), .track(terms))
  }

  /// Removes a tracker. A waiting tracker of its trip receives the trip, if possible one that counts; otherwise the
  /// trip can be resumed.
  ///
  /// - Returns: its terms, and whether it needed the source; `nil` where there is none.
  mutating func remove(_ id: SubscriptionID) -> (terms: SubscriptionTerms, isActive: Bool)? {
    guard let isActive = isActive(id) else { return nil }
    waiting.removeAll { $0.id == id }
    if let snapshot = settledTrip(of: id) {
      let heirs = waitingTrackers(of: snapshot.id)
      if let heir = heirs.first(where: isCounting) ?? heirs.first {
        hand(snapshot, to: heir)
      } else {
        inactiveTrips.append(snapshot)
      }
    }
    return trackers.remove(id).map { ($0, isActive) }
  }

  // MARK: Trips

  /// Returns the trackers that wait for a trip, in the order in which they began to wait.
  func waitingTrackers(of trip: TripID) -> [SubscriptionID] {
    waiting.filter { $0.trip == trip }.map(\.id)
  }

  /// Hands a trip to a tracker that waits for the trip and is about to start, if the tracker that has it does not count.
  mutating func claimTrip(for id: SubscriptionID) {
    guard let trip = waiting.first(where: { $0.id == id })?.trip, let holder = tracker(of: trip),
      !isCounting(holder), let snapshot = settledTrip(of: holder)
    else { return }
    trackers.update(holder) { $0.giveUpTrip() }
    hand(snapshot, to: id)
    waiting.append((holder, trip))
  }

  private mutating func hand(_ snapshot: TripSnapshot, to id: SubscriptionID) {
    waiting.removeAll { $0.id == id }
    trackers.update(id) { $0.resume(snapshot) }
  }

  /// Returns the trip that a tracker has, all settled.
  private mutating func settledTrip(of id: SubscriptionID) -> TripSnapshot? {
    guard var snapshot = trackers.read(id, { $0.snapshot }) ?? nil else { return nil }
    collectGaps()
    gaps += snapshot.settle()
    return snapshot
  }

  private func isCounting(_ id: SubscriptionID) -> Bool {
    trackers.read(id) { $0.phase == .counting } ?? false
  }

  /// The trips that must survive the process: active ones, and those that may be resumed.
  var trips: [TripSnapshot] {
    var trips = inactiveTrips
    trackers.forEachValue { if let snapshot = $0.snapshot { trips.append(snapshot) } }
    return trips
  }

  /// Whether there is any trip, active or not.
  var hasTrips: Bool {
    var hasAny = !inactiveTrips.isEmpty
    trackers.forEachValue { if $0.terms.trip != nil { hasAny = true } }
    return hasAny
  }

  /// Whether any tracker has counted a fix under a name and still counts: the snapshot of its trip counts each replayed
  /// fix.
  var countsTrip: Bool {
    var counts = false
    trackers.forEachValue { if $0.countsTrip { counts = true } }
    return counts
  }

  /// Returns the trip that a tracker has; `nil` while the tracker waits for one.
  func trip(of id: SubscriptionID) -> TripID? { trackers.read(id) { $0.terms.trip } ?? nil }

  /// Restores the trips of another process.
  mutating func restore(_ trips: [TripSnapshot]) {
    inactiveTrips.removeAll { old in trips.contains { $0.id == old.id } }
    inactiveTrips += trips
  }

  /// Makes trackers that began before a late restoration resume the restored trips of their names.
  mutating func resumeRestoredTrips() {
    trackers.forEach { _, tracker in
      guard let place = inactiveTrips.firstIndex(where: { $0.id == tracker.terms.trip }) else { return }
      tracker.resume(inactiveTrips.remove(at: place))
    }
  }

  /// Replays a fix that another process had processed.
  mutating func replay(_ logged: LoggedFix) {
    for index in inactiveTrips.indices { inactiveTrips[index].replay(logged) }
  }

  /// Ends a trip, so that it can't be resumed.
  ///
  /// - Returns: the trip, all settled; `nil` where there is none of that name, or a tracker still has it.
  mutating func endTrip(_ id: TripID) -> Trip? {
    guard let place = inactiveTrips.firstIndex(where: { $0.id == id }) else { return nil }
    var ended = inactiveTrips.remove(at: place)
    gaps += ended.settle()
    return ended.trip
  }

  /// Returns the tracker that has a trip.
  func tracker(of trip: TripID) -> SubscriptionID? {
    ids.first { self.trip(of: $0) == trip }
  }

  /// Returns the gaps settled since the last call, and clears them.
  mutating func drainGaps() -> [Trip.Gap] {
    collectGaps()
    defer { gaps.removeAll() }
    return gaps
  }

  private mutating func collectGaps() {
    trackers.forEach { _, tracker in
      if !tracker.gaps.isEmpty { gaps += tracker.drainGaps() }
    }
  }

  /// Returns whether a tracker needs the source; `nil` where there is none.
  func isActive(_ id: SubscriptionID) -> Bool? { trackers.read(id) { $0.isActive } }

  /// Returns the terms of a tracker.
  func terms(_ id: SubscriptionID) -> SubscriptionTerms? { trackers.read(id) { .track($0.terms) } }

  /// Returns the state of a tracker.
  func update(_ id: SubscriptionID) -> TrackUpdate? { trackers.read(id) { $0.update } }

  /// Returns the earliest deadline of any tracker.
  mutating func nextDeadline() -> Instant? {
    var next: Instant?
    trackers.forEach { _, tracker in
      if let deadline = tracker.deadline { next = min(next ?? deadline, deadline) }
    }
    return next
  }

  mutating func command(
    _ id: SubscriptionID, _ command: TrackPhase.Command, at now: Moment, after last: TimedFix?,
    _ status: ServiceStatus, notify: EventHandler
  ) {
    trackers.update(id) { tracker in
      tracker.process(command, at: now, after: last, status) { notify(id, $0) }
    }
  }

  /// Stops one tracker, or each that is not at rest.
  ///
  /// - Parameters:
  ///   - only: the tracker; `nil` for each.
  ///   - reportsPlaces: whether settled points of the track may be reported.
  /// - Returns: the demands of the trackers that were not at rest.
  mutating func stop(
    only: SubscriptionID? = nil, because cause: TrackPhase.Cause, reportsPlaces: Bool = true,
    notify: EventHandler
  ) -> [Demand] {
    var needs: [Demand] = []
    func stop(_ id: SubscriptionID, _ tracker: inout TrackerState) {
      if tracker.isActive { needs.append(.continuous(tracker.terms.need)) } else if only == nil { return }
      tracker.stop(because: cause, reportsPlaces: reportsPlaces) { notify(id, $0) }
    }
    if let only {
      trackers.update(only) { stop(only, &$0) }
    } else {
      trackers.forEach { stop($0, &$1) }
    }
    return needs
  }

  // MARK: Fixes

  /// - Returns: whether a new snapshot of ``trips`` is due.
  mutating func offer(_ timed: TimedFix, motion: Motion, at now: Moment, notify: EventHandler) -> Bool {
    var needsSnapshot = false
    trackers.forEach { id, tracker in
      if tracker.process(timed, motion: motion, at: now, notify: { notify(id, $0) }) { needsSnapshot = true }
    }
    return needsSnapshot
  }

  /// - Returns: whether a new snapshot of ``trips`` is due.
  mutating func offer(late timed: TimedFix, notify: EventHandler) -> Bool {
    var needsSnapshot = false
    trackers.forEach { id, tracker in
      if tracker.process(late: timed, notify: { notify(id, $0) }) { needsSnapshot = true }
    }
    return needsSnapshot
  }

  /// Ends the segment: later fixes do not continue the earlier ones.
  mutating func endSegment(restartsTimeline: Bool, notify: EventHandler) {
    trackers.forEach { id, tracker in
      tracker.endSegment(restartsTimeline: restartsTimeline) { notify(id, $0) }
    }
  }

  mutating func clearPositions() {
    trackers.forEach { _, tracker in tracker.clearPositions() }
  }

  // MARK: Signal

  mutating func setAuthorized(_ isAllowed: Bool, at now: Instant, notify: EventHandler) {
    trackers.forEach { id, tracker in tracker.setAuthorized(isAllowed, at: now) { notify(id, $0) } }
  }

  mutating func recordSignal(at now: Instant) {
    trackers.forEach { _, tracker in tracker.recordSignal(at: now) }
  }

  mutating func suspendSilenceCheck(at now: Instant, isSilence: Bool, notify: EventHandler) {
    trackers.forEach { id, tracker in
      tracker.suspendSilenceCheck(at: now, isSilence: isSilence) { notify(id, $0) }
    }
  }

  mutating func restartSilenceChecks(at now: Instant) {
    trackers.forEach { _, tracker in tracker.restartSilenceCheck(at: now) }
  }

  mutating func recordRestart(at now: Instant) {
    trackers.forEach { _, tracker in tracker.recordRestart(at: now) }
  }

  /// Handles the deadlines that have passed.
  ///
  /// - Returns: the duration of the source's silence, where a restart is due.
  mutating func wake(at now: Instant, notify: EventHandler) -> Duration? {
    var longest: Duration?
    trackers.forEach { id, tracker in
      guard let silence = tracker.wake(at: now, notify: { notify(id, $0) }) else { return }
      longest = max(longest ?? silence, silence)
    }
    return longest
  }
}
