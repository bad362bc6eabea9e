/// How an engine leaves behind what must outlive it, and goes on with what another has left.
extension Engine {
  /// What must not be lost and can't be found out from what else is kept.
  public var snapshot: EngineSnapshot {
    EngineSnapshot(watch: fences?.watch, trips: subscriptions.trackers.trips)
  }

  /// Whether there is anything to be found in a ``snapshot``.
  public var hasLasting: Bool { fences != nil || subscriptions.trackers.hasTrips }

  /// What has been counted under names, by trackers that are there and by those that may be.
  public var trips: [Trip] { subscriptions.trackers.trips.map(\.trip) }

  /// The name under which a tracker counts; `nil` where it has none.
  public func trip(of id: SubscriptionID) -> TripID? { subscriptions.trackers.trip(of: id) }

  /// The tracker that counts under a name; `nil` where none does.
  public func tracker(of trip: TripID) -> SubscriptionID? { subscriptions.trackers.tracker(of: trip) }

  /// What must outlive the process of the inputs since this was last asked.
  public mutating func takeLastingNews() -> LastingNews {
    var news = LastingNews()
    swap(&news, &lasting)
    news.gaps = subscriptions.trackers.takeGaps()
    return news
  }

  /// The time of fixes now; `nil` where nobody knows it yet.
  public func fixTime(at now: Moment) -> UTCTime? {
    if let time = fences?.fixTime(at: now.instant) { return time }
    if let last, let made = last.fix.time { return made.advanced(by: now.instant.since(last.validAt)) }
    return now.wall
  }

  /// Takes note of a fix that says where the device is; before it is taken.
  mutating func note(_ fix: Fix, _ use: SeenFix.Use, at now: Moment) {
    lasting.fix = SeenFix(fix, use: use, seen: fixTime(at: now))
  }

  /// Goes on with what was left.
  mutating func restore(_ left: Restoration, at now: Moment, into effects: inout [Effect]) {
    subscriptions.trackers.restore(left.trips)
    if let snapshot = left.fences {
      if fences == nil { fences = FenceKeeper(settings.fences) }
      fences?.restore(snapshot)
    }
    for seen in left.since {
      fences?.retake(seen)
      subscriptions.trackers.retake(seen)
    }
    if let passed = left.passed { fences?.passTime(until: passed) }
    // What came of it has been told; but what had not would be lost.
    let told = left.lastEvent ?? FenceEvent.ID(0)
    fences?.notes.removeAll { !$0.isEvent(after: told) }
    fences?.continueIDs(after: told)
    tellNotes(into: &effects)
    fences?.see(now)
    restore(lastFix: left.lastFix.flatMap { timed($0, at: now) })
    judgeAgain(left, at: now)
    lasting = LastingNews()
    spells.restore(left.lastSpell)
  }

  /// Takes over where the device was, and gives it to nobody before the source has said that fixes may be had.
  private mutating func restore(lastFix: TimedFix?) {
    awaitsPermission = !status.authorization.isAllowed
    if awaitsPermission { withheld = lastFix } else { last = lastFix ?? last }
  }

  /// Fixes may be had: gives what was withheld to whoever has asked meanwhile.
  mutating func releaseWithheld(at now: Instant, into effects: inout [Effect]) {
    guard let place = withheld else { return endWaitForPermission() }
    endWaitForPermission()
    last = place
    endRequests(with: place, at: now, into: &effects)
    for id in subscriptions.ids where subscriptions.offer(last: place, to: id, at: now) {
      effects.append(.tell(id, .fix(place.fix)))
      if subscriptions.hasEnough(id), let ended = subscriptions.remove(id) { finish(ended, into: &effects) }
    }
  }

  /// Fixes may be had, or one is there.
  mutating func endWaitForPermission() {
    awaitsPermission = false
    withheld = nil
  }

  /// Where the device can be goes on from where it was, so that the first fix of a run may be an outlier too.
  private mutating func judgeAgain(_ left: Restoration, at now: Moment) {
    // Used, so another fix had agreed with it: twice says that.
    let last = left.lastFix.map { [$0, $0] } ?? []
    let seen = left.since.filter { $0.use != .late }.map(\.fix)
    for fix in seen.contains(where: { $0 == left.lastFix }) ? seen : last + seen where fix.time != nil {
      // Times tell how far apart they are; the clock of this run does not know them.
      _ = outliers.judge(TimedFix(fix: fix, validAt: now.instant), activity: activity)
    }
  }

  /// A fix of another process, as old as the wall clock says it is; `nil` where that can't be said.
  private func timed(_ fix: Fix, at now: Moment) -> TimedFix? {
    guard let made = fix.time, let wall = now.wall, wall >= made else { return nil }
    return TimedFix(fix: fix, validAt: now.instant.advanced(by: .zero - wall.since(made)))
  }

  /// Ends a trip for good.
  mutating func endTrip(_ id: TripID, at now: Moment, into effects: inout [Effect]) {
    if let tracker = subscriptions.trackers.tracker(of: id) {
      unsubscribe(tracker, into: &effects)
      effects.append(.finishSubscription(tracker))
    }
    guard var trip = subscriptions.trackers.endTrip(id) else { return }
    trip.ended = trip.settledTo ?? fixTime(at: now)
    lasting.ended.append(trip)
    lasting.isSnapshotOld = true
  }
}

extension FenceNote {
  /// Whether it tells of an event that came after another.
  fileprivate func isEvent(after id: FenceEvent.ID) -> Bool {
    if case .event(let event) = self { event.id > id } else { false }
  }
}
