public import WhereaboutsModel

/// The engine's snapshots, and its resumption from another process's state.
extension Engine {
  /// The state that must survive and can't be derived from other stored data.
  public var snapshot: EngineSnapshot {
    EngineSnapshot(
      watch: fences?.settledWatch, fenceSerial: fences?.registry.lastSerial,
      waitingFences: fences?.waitingFences, wakePlanner: fences?.wakePlanner,
      trips: subscriptions.trackers.trips)
  }

  /// Whether a ``snapshot`` would have any content.
  public var hasSnapshotContent: Bool { fences != nil || subscriptions.trackers.hasTrips }

  /// The counts under names, of live and of ended trackers.
  public var trips: [Trip] { subscriptions.trackers.trips.map(\.trip) }

  /// ``trips`` with ``Trip/ahead``.
  package var tripsWithAhead: [Trip] {
    let snapshots = subscriptions.trackers.trips
    var trips = snapshots.map(\.trip)
    trips.setAhead(from: snapshots.map { $0.tripIfEnded() })
    return trips
  }

  /// Returns the tracker that has a trip; `nil` where none has.
  public func tracker(of trip: TripID) -> SubscriptionID? { subscriptions.trackers.tracker(of: trip) }

  /// Returns the data of recent inputs that must survive the process, and clears it.
  public mutating func drainPendingPersistence() -> PendingPersistence {
    var drained = PendingPersistence()
    swap(&drained, &pendingPersistence)
    drained.gaps = subscriptions.trackers.drainGaps()
    return drained
  }

  /// Returns the present time by the clock of the fixes; `nil` where it is unknown yet.
  public func fixTime(at now: Moment) -> UTCTime? {
    if let time = fences?.fixTime(at: now.instant) { return time }
    if let last, let made = last.fix.time { return made.advanced(by: now.instant.since(last.validAt)) }
    return now.wall
  }

  /// Records a fix that is evidence of the device's place, before the fix is processed.
  mutating func record(_ fix: Fix, _ use: LoggedFix.Use, at now: Moment) {
    pendingPersistence.fix = LoggedFix(fix, use: use, seen: fixTime(at: now))
  }

  /// Restores the state of another process.
  mutating func restore(_ left: Restoration, at now: Moment, into effects: inout [Effect]) {
    subscriptions.trackers.restore(left.trips)
    // Reported events are not repeated; unreported ones would otherwise be lost.
    let reported = left.lastEvent ?? FenceEvent.ID(0)
    if let snapshot = left.fences {
      fences = makeFenceMonitor()
      fences?.restore(snapshot, replaysFixes: !left.since.isEmpty, reportedThrough: reported)
      // The source may have sent its capacity before a late restoration.
      if wakeCapacity > 0 { fences?.setWakeCapacity(wakeCapacity, greatestRadius: greatestWakeRadius) }
    }
    for logged in left.since {
      fences?.replay(logged, at: now)
      subscriptions.trackers.replay(logged)
    }
    subscriptions.trackers.resumeRestoredTrips()
    if let passed = left.passed, !hasWrongDate(passed, at: now) { fences?.replayTime(until: passed, at: now) }
    // Fixes from before a fence was added must not cross it.
    let hasNewFences = left.fences?.hasNewFences ?? false
    if hasNewFences, let all = left.fences?.registry { fences?.share(all) }
    fences?.dropRecords(reportedThrough: reported)
    fences?.continueEventIDs(after: reported)
    pendingPersistence = PendingPersistence()
    emitFenceRecords(into: &effects)
    for edit in left.edits ?? [] { fences?.apply(edit) }
    fences?.recordTime(now)
    // A later process replays the next fixes with the stays that waited for them.
    if left.fences != nil, left.silenceIsRest != true, fences?.awaitFix() == true {
      pendingPersistence.isSnapshotStale = true
    }
    gate.resume(after: fences?.watch.newestTime, lastFix: left.lastFix?.time, at: now)
    if last == nil {
      restore(lastFix: left.lastFix.flatMap { timed($0, at: now) })
      replayOutlierTest(left, at: now)
    }
    // The next process replays the fixes from now on with the new fences.
    if hasNewFences { pendingPersistence.isSnapshotStale = true }
    usageRecorder.restore(left.lastReceiverUsage)
    guard left.edits != nil || hasNewFences else { return }
    fences?.evaluateNewFences(last, at: now.instant)
    emitFenceRecords(into: &effects)
  }

  /// Returns whether the time to which an earlier run reported events has a wrong date: it is far ahead of the wall
  /// clock and of the newest fix. Fixes with the right date have followed, and the time would end fences and stays.
  private func hasWrongDate(_ time: UTCTime, at now: Moment) -> Bool {
    func isAhead(_ time: UTCTime) -> Bool { now.wall.map { time.since($0) >= Self.dateTolerance } ?? false }
    guard isAhead(time) else { return false }
    guard let newest = fences?.watch.newestTime else { return true }
    return !isAhead(newest) && time.since(newest) >= Self.dateTolerance
  }

  /// The lead from which a date is wrong. After a boot, a clock without a battery may be behind: hosts store its time
  /// each hour or more often. A stay without fixes that was reported then must not be reported again.
  private static let dateTolerance = Duration.seconds(7_200)

  /// Restores the last place, withheld until the source reports that fixes are allowed.
  private mutating func restore(lastFix: TimedFix?) {
    awaitsAuthorization = !status.authorization.isAllowed
    if awaitsAuthorization { withheld = lastFix } else { last = lastFix ?? last }
  }

  /// Releases the withheld fix to requests and subscriptions made meanwhile, once fixes are allowed.
  mutating func releaseWithheld(at now: Instant, into effects: inout [Effect]) {
    guard let place = withheld else { return endAuthorizationWait() }
    endAuthorizationWait()
    last = place
    endRequests(with: place, at: now, into: &effects)
    for id in subscriptions.ids where subscriptions.offerLastFix(place, to: id, at: now) {
      effects.append(.notify(id, .fix(place.fix)))
      if subscriptions.isComplete(id), let ended = subscriptions.remove(id) { finish(ended, into: &effects) }
    }
  }

  /// Ends the wait for authorization, once fixes are allowed or one has arrived.
  mutating func endAuthorizationWait() {
    awaitsAuthorization = false
    withheld = nil
  }

  /// Replays the stored fixes in the outlier test, so that the first fix of a run may be an outlier too.
  private mutating func replayOutlierTest(_ left: Restoration, at now: Moment) {
    // A used fix had been confirmed by another; repeating it restores the confirmation.
    let last = left.lastFix.map { [$0, $0] } ?? []
    let seen = left.since.filter { $0.use != .late }.map(\.fix)
    for fix in seen.contains(where: { $0 == left.lastFix }) ? seen : last + seen where fix.time != nil {
      // The fixes' own times separate them; the clock of this run does not cover them.
      _ = outliers.judge(TimedFix(fix: fix, validAt: now.instant), activity: activity)
    }
  }

  /// Returns a fix of another process with its age by the wall clock; `nil` where the age is unknown.
  private func timed(_ fix: Fix, at now: Moment) -> TimedFix? {
    guard let made = fix.time, let wall = now.wall, wall >= made else { return nil }
    return TimedFix(fix: fix, validAt: now.instant.advanced(by: .zero - wall.since(made)))
  }

  /// Ends a trip for good, with the trackers of its name.
  mutating func endTrip(_ id: TripID, at now: Moment, into effects: inout [Effect]) {
    for waiting in subscriptions.trackers.waitingTrackers(of: id) {
      stopTracker(waiting, because: .tripEnded(id), into: &effects)
      if let ended = subscriptions.remove(waiting) { finish(ended, into: &effects) }
    }
    if let tracker = subscriptions.trackers.tracker(of: id) {
      unsubscribe(tracker, into: &effects)
      effects.append(.finishSubscription(tracker))
    }
    guard var trip = subscriptions.trackers.endTrip(id) else { return }
    trip.ended = trip.settledTo ?? fixTime(at: now)
    pendingPersistence.endedTrips.append(trip)
    pendingPersistence.isSnapshotStale = true
  }
}
