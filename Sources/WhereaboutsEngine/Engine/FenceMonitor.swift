import WhereaboutsModel

/// The fences of one engine, with their observations and their demand on the source.
///
/// An engine creates a monitor with the first fence, so that an engine without fences costs nothing.
struct FenceMonitor: Sendable {
  private(set) var registry = FenceRegistry()
  private(set) var watch: FenceWatch
  private(set) var power: FencePowerPolicy
  /// The records of the present input; retained for the buffer's memory.
  var records: [FenceRecord] = []
  /// The last fix that had a time, and the instant at which it was valid: maps one clock to the other. Before such a
  /// fix, the wall clock's time.
  private var anchor: (time: UTCTime, instant: Instant)?
  /// Whether ``anchor`` is the wall clock's time, and follows a clock that is set. Once fixes have times by it, it
  /// follows only a clock that was not set before, because a clock that is set back would make later fixes too late.
  private var followsWallClock = false
  /// The instant of the newest fix that gave the watch a place, and its stated speed.
  private var lastFix: (instant: Instant, speed: Double?)?
  /// Whether the fences' demand must be computed anew.
  private var isDemandStale = true
  /// The time up to which due events have been reported.
  private var checkedUntil: UTCTime?
  /// The lead of the clock of the fixes over a set wall clock if it is more than a day; otherwise zero. One of the two
  /// clocks is wrong then, and fences expire by the wall clock: a receiver with a wrong date must not remove them.
  private var doubtfulLead = Duration.zero
  /// The fences that ended since the last drain.
  private var endedFences: [FenceRegistry.Entry] = []
  /// The serials of the fences that ended in this engine. A shared registry may still have them. An engine that adds
  /// fences of its own forgets them then, so that fences for one event do not accumulate here.
  private var endedHere: [FenceID: UInt64] = [:]
  private var conditions: (isPossible: Bool, activity: Activity) = (false, .other)
  /// The events that waited at the last check.
  private var eventsThatWaited: [FenceEvent] = []

  /// The planner of the regions that wake the program; `nil` where the source watches none.
  private(set) var wakePlanner: WakePlanner?
  /// The regions that wake the program, in the form of a demand.
  private(set) var wakeRegions: [WakeRegion] = []
  private var hasPlanChanged = false
  /// Whether the regions may be planned anew: after a newer fix, and after a change of the fences or of the capacity.
  private var isPlanStale = false

  /// The settings of this run. A restored watch retains the settings by which it decides. The demand depends on the
  /// present source.
  private let settings: FenceSettings

  init(_ settings: FenceSettings, wakeCapacity: Int, greatestRadius: Double?) {
    self.settings = settings
    watch = FenceWatch(settings)
    power = FencePowerPolicy(settings)
    if wakeCapacity > 0 {
      wakePlanner = WakePlanner(
        capacity: wakeCapacity, margins: WakePlanner.Margins(greatestRadius: greatestRadius))
    }
  }

  /// The watch as a snapshot has it.
  var settledWatch: FenceWatch {
    var watch = watch
    watch.discardCheckpoint(in: registry)
    return watch
  }

  /// The fences of the events that wait; `nil` if none waits.
  var waitingFences: FenceRegistry? {
    let entries = watch.waitingEvents.compactMap { registry.fenceWithSerial($0.fence) }
    guard !entries.isEmpty else { return nil }
    return FenceRegistry(
      entries.map { $0.fence }, serials: entries.map { $0.serial }, lastSerial: registry.lastSerial)
  }

  /// Returns whether an event has begun to wait since the last call. Its fence may be changed before another process
  /// resumes, so a snapshot must have both.
  mutating func consumeNewWait() -> Bool {
    let waiting = watch.waitingEvents
    defer { eventsThatWaited = waiting }
    return waiting.contains { event in
      !eventsThatWaited.contains { $0.fence == event.fence && $0.kind == event.kind }
    }
  }

  /// The fences' demand on the source.
  var demand: Demand { power.current.need }

  // MARK: Fences

  /// Adds a fence; returns `nil`, or the reason for a refusal.
  mutating func add(_ fence: Fence) -> Fence.Problem? {
    watch.discardCheckpoint(in: registry)
    do throws(Fence.Problem) {
      try registry.add(fence)
    } catch {
      return error
    }
    // A fence of this id may have ended before.
    finishEvents(of: fence.id, before: nil)
    endedHere = [:]
    didChangeFences()
    return nil
  }

  mutating func update(_ fence: Fence) {
    watch.discardCheckpoint(in: registry)
    if registry.fence(fence.id)?.area != fence.area { finishEvents(of: fence.id, before: fence) }
    registry.update(fence)
    endedHere = [:]
    didChangeFences()
  }

  mutating func remove(_ id: FenceID) {
    watch.discardCheckpoint(in: registry)
    finishEvents(of: id, before: nil)
    if registry.remove(id) != nil { didChangeFences() }
  }

  /// Makes the events of a fence final.
  ///
  /// - Parameter changed: the fence with another area; `nil` if it is removed. A crossing of the earlier area is reported
  ///   then, unless the fence reports only one event: that is to be one of the new area.
  private mutating func finishEvents(of id: FenceID, before changed: Fence?) {
    let reportsWaiting = changed != nil && registry.fence(id)?.terms.once == false
    watch.finishEvents(of: id, reportsWaiting: reportsWaiting, in: registry, into: &records)
  }

  /// Applies a change by another process that was made before now.
  mutating func apply(_ edit: FenceCommand) {
    switch edit {
    case .update(let all): for fence in all { update(fence) }
    case .remove(let ids): for id in ids { remove(id) }
    case .add, .removeAll, .share: break  // No edits of other processes.
    }
  }

  private mutating func didChangeFences() {
    // A new term may be due at a time that was checked before. Stays of another timeline wait for the next fix.
    if watch.newestTime != nil { checkedUntil = nil }
    isDemandStale = true
    isPlanStale = true
  }

  /// Evaluates on which side of new fences the device is, where its place is known.
  ///
  /// - Parameter last: the last fix that was used.
  mutating func evaluateNewFences(_ last: TimedFix?, at now: Instant) {
    guard let last, now.since(last.validAt) <= Self.lastFixValidity, let fix = dated(last) else { return }
    watch.evaluateNewFences(fix, in: registry, into: &records)
    removeEndedFences()
    isDemandStale = true
  }

  /// The time for which a fix locates the device: the validity of a fix that is good enough for a fence around it.
  private static let lastFixValidity = Duration.seconds(30)

  mutating func removeAll() {
    for id in registry.ids.sorted() { remove(id) }
  }

  /// Watches the fences of a shared registry instead of the present ones.
  mutating func share(_ shared: FenceRegistry) {
    watch.discardCheckpoint(in: registry)
    for id in watch.fencesWithEvents
    where registry.fenceWithSerial(id)?.serial != shared.fenceWithSerial(id)?.serial {
      finishEvents(of: id, before: shared.fence(id))
    }
    registry = shared
    // The owner of the registry may not know yet that they have ended.
    endedHere = endedHere.filter { shared.fenceWithSerial($0.key)?.serial == $0.value }
    for id in endedHere.keys { registry.remove(id) }
    watch.remapKeys(to: registry)
    didChangeFences()
  }

  /// Restores the state of another process.
  ///
  /// - Parameters:
  ///   - replaysFixes: whether ``replay(_:at:)`` follows. The fences are those that the watch knows then, and where an
  ///     event waits.
  ///   - last: the last event that the process has reported.
  mutating func restore(_ snapshot: FenceSnapshot, replaysFixes: Bool, reportedThrough last: FenceEvent.ID) {
    // A copy without some fences costs more than sharing all.
    registry = replaysFixes || snapshot.waitingFences != nil ? snapshot.knownFences : snapshot.registry
    watch = snapshot.watch
    watch.beginReplay(reportedThrough: last)
    eventsThatWaited = watch.waitingEvents
    // A fence that has moved since has a serial that the watch does not know.
    if let known = snapshot.knownSerial {
      for id in watch.fencesWithEvents
      where registry.fenceWithSerial(id).map({ $0.serial > known }) ?? false {
        finishEvents(of: id, before: nil)
      }
    }
    if let planner = snapshot.wakePlanner {
      wakePlanner = planner
      wakeRegions = planner.plan.regions
    }
    watch.remapKeys(to: registry)
    checkedUntil = nil
    // Its age is unknown in this run.
    lastFix = nil
    isDemandStale = true
  }

  /// Replays a fix that another process had processed, with the events due before it.
  mutating func replay(_ logged: LoggedFix, at now: Moment) {
    if let time = logged.seen { replayTime(until: time, at: now) }
    checkedUntil = nil
    watch.process(logged.timedFix, arrived: logged.seen, in: registry, into: &records)
    removeEndedFences()
    isDemandStale = true
  }

  /// Drops the records of a replay, except the events after a reported one and the ends of their fences. The end of an
  /// earlier area is no end of a fence that has moved since.
  mutating func dropRecords(reportedThrough last: FenceEvent.ID) {
    var ended: Set<FenceID> = []
    for case .event(let event) in records where event.id > last && registry.fence(event.fence) == nil {
      ended.insert(event.fence)
    }
    records.removeAll { record in
      switch record {
      case .event(let event): event.id <= last
      case .removed(let id, _): !ended.contains(id)
      case .revised, .decided: true
      }
    }
    endedFences.removeAll { !ended.contains($0.fence.id) }
  }

  /// Makes the stays of a restored state wait for the next fix.
  ///
  /// - Returns: whether there is anything to wait for.
  mutating func awaitFix() -> Bool { watch.awaitFix(in: registry) }

  /// Makes later events have greater ids than a reported one.
  mutating func continueEventIDs(after id: FenceEvent.ID) {
    watch.continueIDs(after: id)
  }

  // MARK: Fixes and time

  /// Processes a fix that is used.
  mutating func process(_ timed: TimedFix, at now: Instant) {
    checkedUntil = nil
    let arrived = fixTime(at: now)
    guard let fix = dated(timed) else { return records.append(.decided(.timeless)) }
    let newest = watch.newestTime
    watch.process(fix, arrived: arrived, in: registry, into: &records)
    // A fix that is too coarse for the fences gives no place: the one known from before is as old as it was.
    if let time = fix.time, watch.newestTime.map({ $0 >= time }) ?? false {
      lastFix = (timed.validAt, fix.speed)
    }
    // A launch begins with the last fix again, from the platform's cache.
    if watch.newestTime != newest { isPlanStale = true }
    removeEndedFences()
    isDemandStale = true
  }

  /// Processes a fix that arrived late or twice.
  mutating func process(late fix: Fix) {
    // Fences that were added after the device's newest fix have processed none, and the fix is late for them, too.
    guard let time = fix.time, let newest = watch.newestTime, time <= newest else { return }
    watch.process(fix, in: registry, into: &records)
    removeEndedFences()
    isDemandStale = true
  }

  /// Returns the fix with a time: a fix without one gets its arrival, by the last fix that had a time.
  private mutating func dated(_ timed: TimedFix) -> Fix? {
    if let time = timed.fix.time {
      anchor = (time, timed.validAt)
      followsWallClock = false
      return timed.fix
    }
    guard let time = fixTime(at: timed.validAt) else { return nil }
    if time >= WallClockMonitor.earliest { followsWallClock = false }
    var fix = timed.fix
    fix.time = time
    return fix
  }

  /// Records both clocks: before the first fix with a time, the wall clock counts, also after it is set.
  mutating func recordTime(_ now: Moment) {
    guard anchor == nil || followsWallClock, let wall = now.wall else { return }
    if let time = fixTime(at: now.instant) {
      let change = wall.since(time)
      guard change > WallClockMonitor.step || change < .zero - WallClockMonitor.step else { return }
      if lastFix != nil, let newest = watch.newestTime, newest < WallClockMonitor.earliest {
        // Fixes have times of the unset clock. Their stays are not over because it is set: they begin again with the
        // next fix.
        endSegment(restartsTimeline: true)
        checkedUntil = wall
      } else {
        checkedUntil = nil
      }
    }
    anchor = (wall, now.instant)
    followsWallClock = true
  }

  /// Returns the time of fixes at an instant; `nil` where it is unknown yet.
  func fixTime(at instant: Instant) -> UTCTime? {
    anchor.map { $0.time.advanced(by: instant.since($0.instant)) }
  }

  /// Reports events that are due by now without a fix, and removes expired fences.
  ///
  /// - Parameter reportsDue: whether the events may be reported.
  mutating func advance(to now: Moment, reportsDue: Bool) {
    guard let time = fixTime(at: now.instant) else { return }
    advance(until: time, doubtfulLead: Self.doubtfulLead(of: time, at: now), reportsDue: reportsDue)
  }

  /// Reports events that were due without a fix by a time of another process.
  ///
  /// Fences that expire by the wall clock stay until after the replay, which reports no removal.
  mutating func replayTime(until time: UTCTime, at now: Moment) {
    let isDoubtful = Self.doubtfulLead(of: time, at: now) > .zero
    advance(until: time, doubtfulLead: isDoubtful ? .nanoseconds(Int64.max) : .zero)
  }

  /// Reports events that are due by a time without a fix.
  ///
  /// - Parameters:
  ///   - time: the time, by the clock of the fixes.
  ///   - lead: the doubtful lead of this clock.
  ///   - reportsDue: whether events may be reported. Otherwise only expired fences are removed.
  private mutating func advance(
    until time: UTCTime, doubtfulLead lead: Duration, reportsDue: Bool = true
  ) {
    doubtfulLead = lead
    guard let first = nextDueTime(reportsDue: reportsDue), first <= time,
      checkedUntil.map({ first > $0 }) ?? true
    else { return }
    // Events are handled one after the other, so that the number of wakes makes no difference.
    var next = first
    while next <= time {
      if reportsDue {
        watch.advance(to: next, in: registry, into: &records)
        removeEndedFences()
      }
      watch.discardCheckpoint(in: registry)
      for entry in registry.removeExpiredEntries(by: next.advanced(by: .zero - doubtfulLead)) {
        records.append(.removed(entry.fence.id, because: .expired))
        recordEnd(of: entry)
      }
      if reportsDue { checkedUntil = next }
      guard let after = nextDueTime(reportsDue: reportsDue), after > next else { break }
      next = after
    }
    isDemandStale = true
  }

  /// The greatest plausible lead of the clock of the fixes over a wall clock that is set.
  private static let greatestLead = Duration.seconds(86_400)

  private static func doubtfulLead(of time: UTCTime, at now: Moment) -> Duration {
    guard let wall = now.wall, wall >= WallClockMonitor.earliest else { return .zero }
    let lead = time.since(wall)
    return lead > greatestLead ? lead : .zero
  }

  /// Returns the time of the next due event, by the clock of the fixes.
  ///
  /// - Parameter reportsDue: whether events may be reported. Otherwise only expiries of fences count, up to the first
  ///   event: a fence must not expire before its event is reported.
  private mutating func nextDueTime(reportsDue: Bool) -> UTCTime? {
    let deadline = watch.nextDeadline(in: registry)
    guard let expiry = registry.nextExpiry()?.advanced(by: doubtfulLead) else {
      return reportsDue ? deadline : nil
    }
    guard let deadline else { return expiry }
    if !reportsDue, deadline <= expiry { return nil }
    return min(deadline, expiry)
  }

  /// Returns the instant of the next due event.
  ///
  /// - Parameter reportsDue: whether events that are due without a fix may be reported.
  mutating func nextWake(reportsDue: Bool = true) -> Instant? {
    var due: Instant?
    // An overdue deadline stays pending until the next fix.
    if let anchor, let next = nextDueTime(reportsDue: reportsDue), checkedUntil.map({ next > $0 }) ?? true {
      due = anchor.instant.advanced(by: next.since(anchor.time))
    }
    guard let look = power.nextCheck else { return due }
    return due.map { min($0, look) } ?? look
  }

  /// Returns whether an event is due without a fix: a stay that completes, or an event that waits.
  func hasPendingEvent() -> Bool {
    guard anchor != nil, let next = watch.nextDeadline(in: registry) else { return false }
    return checkedUntil.map { next > $0 } ?? true
  }

  /// Ends the segment: later fixes do not continue the earlier ones.
  ///
  /// - Parameter restartsTimeline: whether later fixes are of another timeline.
  mutating func endSegment(restartsTimeline: Bool) {
    watch.endSegment(restartsTimeline: restartsTimeline, in: registry, into: &records)
    if restartsTimeline {
      anchor = nil
      checkedUntil = nil
    }
    removeEndedFences()
    isDemandStale = true
  }

  /// Makes stays begin again with the next fix, because fixes are refused from now on. To be called at the end of a
  /// segment.
  mutating func restartStays() { watch.restartStays() }

  /// Removes the fences that the records report as ended.
  private mutating func removeEndedFences() {
    for case .removed(let id, _) in records {
      watch.discardCheckpoint(in: registry)
      guard let entry = registry.removeEntry(id) else { continue }
      watch.dropWaitingEvents(of: id)
      recordEnd(of: entry)
      didChangeFences()
    }
  }

  private mutating func recordEnd(of entry: FenceRegistry.Entry) {
    endedFences.append(entry)
    endedHere[entry.fence.id] = entry.serial
  }

  /// Returns the fences that ended since the last call.
  mutating func drainEndedFences() -> [FenceRegistry.Entry] {
    defer { endedFences = [] }
    return endedFences
  }

  // MARK: Wakes

  /// Sets the number of regions that the source can watch, and the greatest radius of one.
  mutating func setWakeCapacity(_ capacity: Int, greatestRadius: Double?) {
    let margins = WakePlanner.Margins(greatestRadius: greatestRadius)
    guard capacity != wakePlanner?.capacity ?? 0 || margins != wakePlanner?.margins ?? margins else { return }
    wakePlanner = (wakePlanner ?? WakePlanner(capacity: 0)).resized(to: capacity, margins: margins)
    isDemandStale = true
    isPlanStale = true
  }

  /// Makes the fences request a fix, because the platform has woken the program.
  mutating func wake(at now: Instant) {
    guard registry.count > 0 else { return }
    power.wake(at: now)
    isDemandStale = true
  }

  /// Returns whether the regions have changed since the last call.
  mutating func consumePlanChange() -> Bool {
    defer { hasPlanChanged = false }
    return hasPlanChanged
  }

  /// Plans the regions anew from the estimated place.
  ///
  /// Without a newer fix the regions stay. The estimate of an old fix changes where a segment ends, and the device may
  /// have crossed a region since.
  private mutating func updateWakePlan(isNeeded: Bool) {
    guard var planner = wakePlanner, isPlanStale || !isNeeded || planner.plan == .empty else { return }
    isPlanStale = false
    let isChanged: Bool
    if !isNeeded {
      isChanged = planner.removeAll()
    } else if let standing = watch.standing(in: registry) {
      isChanged = planner.update(at: standing.place, accuracy: 2 * standing.deviation, fences: registry)
    } else {
      return
    }
    wakePlanner = planner
    let regions = planner.plan.regions
    guard isChanged || regions != wakeRegions else { return }
    wakeRegions = regions
    hasPlanChanged = true
  }

  // MARK: Power

  /// Updates the demand, if an input may have changed it.
  ///
  /// - Parameters:
  ///   - isPossible: whether fixes are allowed and may arrive.
  ///   - activity: the activity of the other demands.
  /// - Returns: the numbers, if the demand has changed.
  mutating func updateDemand(isPossible: Bool, activity: Activity, at now: Instant) -> FencePower? {
    if let look = power.nextCheck, look <= now { isDemandStale = true }
    guard isDemandStale || conditions != (isPossible, activity) else { return nil }
    conditions = (isPossible, activity)
    isDemandStale = false
    power.responsiveness = registry.leastResponsiveness?.inSeconds ?? 0
    let isNeeded = isPossible && registry.count > 0
    updateWakePlan(isNeeded: isNeeded)
    let situation = FencePowerPolicy.Situation(
      isNeeded: isNeeded,
      clearance: isNeeded && settings.savesPower ? watch.clearance(in: registry) : nil,
      lastFixAt: lastFix?.instant, activity: activity, speed: lastFix?.speed)
    return power.decide(situation, at: now) ? power.current : nil
  }
}
