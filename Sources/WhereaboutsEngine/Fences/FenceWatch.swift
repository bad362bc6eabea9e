public import WhereaboutsModel
import WhereaboutsGeodesy

/// The state of one device towards the fences of a registry: its side of each fence, and its events.
///
/// A crossing is reported once the fixes are certain, given their accuracies and the correlation time of their errors.
/// One good fix deep inside is enough; fixes that wander about an edge never are. A device at rest never crosses a
/// boundary, however its fixes wander. The first determined side is no crossing.
///
/// Remove a fence from the registry once a record says that it has ended, after its one event. It would have more events.
///
/// Fixes may be late, repeated and in any order within `FenceSettings/lateness`: the final result is the same.
///
/// - Restart: the JSON form is the only state that must outlive a process. A decoded watch continues without a gap when
///   used with the same registry.
/// - Complexity: far from every fence a fix costs one index query. Near fences a fix costs about a microsecond, and one
///   distance for each fence. A late fix costs as much as all fixes within the lateness, and up to as many again, or 16.
public struct FenceWatch: Sendable, Codable, Hashable {
  /// The settings of the watch.
  public let settings: FenceSettings
  /// The tracker as of the newest fix.
  private(set) var live: FenceTracker
  /// The tracker as of a time before which no fix can be inserted; empty if `FenceSettings/lateness` is zero. It has yet
  /// to process the first ``FenceCheckpoint/settledCount`` of the pending fixes.
  private var settled: [FenceTracker] = []
  /// The fixes since ``settled``, in order of time.
  private var pending: [Fix] = []
  /// The reported events that ``settled`` has not reported yet, in the order of reporting.
  private var reported: [FenceEvent] = []
  /// The events that wait to be reported, in order.
  private var waiting: [FenceEvent] = []
  private var lastID: UInt64 = 0
  /// The last event that an earlier process has reported, during a replay; otherwise 0.
  private var reportedThrough = FenceEvent.ID(0)
  /// The time by which the newest fix arrived late, by the clock of the fixes; `nil` for none. That no fix contradicts a
  /// stay or a held-back event is known only so much later: the next fixes of a batch are still to be processed.
  private var delay: Duration?
  /// The next state of ``settled``. A decoded watch has none: it processes fixes twice until there is one.
  private var checkpoint = FenceCheckpoint()

  private enum CodingKeys: String, CodingKey {
    case settings, live, settled, pending, reported, waiting, lastID, delay
  }

  /// Creates a watch without fixes.
  public init(_ settings: FenceSettings = FenceSettings()) {
    self.settings = settings
    live = FenceTracker(gap: settings.gap)
    if settings.revisionWindow > .zero { settled = [live] }
    checkpoint = .initial
  }

  // MARK: Fixes

  /// Processes a fix, in order or late.
  ///
  /// - Parameters:
  ///   - fix: the fix; one without a time is recorded as refused.
  ///   - registry: the watched fences, the same ones in every call.
  ///   - records: the list that the resulting records are appended to.
  public mutating func process(_ fix: Fix, in registry: FenceRegistry, into records: inout [FenceRecord]) {
    process(fix, arrived: nil, in: registry, into: &records)
  }

  /// Processes a fix, in order or late.
  ///
  /// - Parameter arrived: the time of the fix's arrival by the clock of the fixes; `nil` for a fix that is not late.
  mutating func process(
    _ fix: Fix, arrived: UTCTime?, in registry: FenceRegistry, into records: inout [FenceRecord]
  ) {
    guard let time = fix.time else { return records.append(.decided(.timeless)) }
    if live.time.map({ time > $0 }) ?? true {
      delay = arrived.flatMap { $0 > time ? $0.since(time) : nil }
      processInOrder(fix, at: time, in: registry, into: &records)
    } else {
      processLate(fix, at: time, in: registry, into: &records)
    }
    reportDue(at: live.time ?? time, in: registry, into: &records)
  }

  private mutating func processInOrder(
    _ fix: Fix, at time: UTCTime, in registry: FenceRegistry, into records: inout [FenceRecord]
  ) {
    var output = FenceTrackerOutput()
    live.process(fix, at: time, in: registry, into: &output)
    report(output, in: registry, into: &records)
    guard !settled.isEmpty else { return }
    pending.append(fix)
    settle(at: time, in: registry)
    checkpoint.age += 1
    // Where events may be held back, the settled state of an event's fix tells whether the event is final. A copy of it
    // costs less than the fixes.
    if checkpoint.isDue || checkpoint.mayHoldBack && reported.last?.decided == time {
      checkpoint.copy(live, after: pending.count)
    }
  }

  /// Settles the fixes that no late fix can change.
  ///
  /// - Parameter newest: the time of the newest fix.
  private mutating func settle(at newest: UTCTime, in registry: FenceRegistry) {
    let window = settings.revisionWindow
    while checkpoint.settledCount < pending.count - 1, let time = pending[checkpoint.settledCount].time,
      newest.since(time) >= window
    {
      checkpoint.settledCount += 1
    }
    guard let time = lastSettledTime else { return }
    let mayHaveReported = reported.contains { $0.decided <= time }
    if checkpoint.isReached {
      pending.removeFirst(checkpoint.fixCount)
      checkpoint.replace(&settled)
    }
    guard mayHaveReported || !checkpoint.isExact else { return }
    // Both trackers report the same events with the same fixes, and hold back none of them. Events that were due
    // without a fix are compared below.
    if checkpoint.isExact, !checkpoint.mayHoldBack,
      reported.allSatisfy({ $0.decided > time || $0.decided == $0.decidedBy.time })
    {
      return reported.removeAll { $0.decided <= time }
    }
    processSettledFixes(in: registry)
    guard !reported.isEmpty else { return }
    let tracker = settled[0]
    reported.removeAll { tracker.hasReported($0) }
  }

  /// The time of the last pending fix that is settled.
  private var lastSettledTime: UTCTime? {
    checkpoint.settledCount > 0 ? pending[checkpoint.settledCount - 1].time : nil
  }

  /// Moves the settled fixes from ``pending`` to ``settled``.
  private mutating func processSettledFixes(in registry: FenceRegistry) {
    // Reported when the fixes were new.
    var output = FenceTrackerOutput()
    let count = checkpoint.settledCount
    for index in 0..<count {
      guard let time = pending[index].time else { continue }
      settled[0].process(pending[index], at: time, in: registry, into: &output)
      checkpoint.record(output)
      if index + 1 == checkpoint.fixCount { checkpoint.compare(with: settled) }
    }
    pending.removeFirst(count)
    checkpoint.removeSettled()
  }

  /// Completes the settled state. To be called before the fences change, and for a snapshot.
  ///
  /// With other fences, fixes are processed twice until both trackers are equal.
  mutating func discardCheckpoint(in registry: FenceRegistry) {
    processSettledFixes(in: registry)
    if !checkpoint.isExact || !pending.isEmpty { checkpoint.discard() }
  }

  /// Determines the side of fences added since the device's last fix.
  ///
  /// - Parameter fix: the device's last fix, recent enough that the device is still at its place.
  mutating func evaluateNewFences(_ fix: Fix, in registry: FenceRegistry, into records: inout [FenceRecord]) {
    guard let time = fix.time else { return }
    guard let newest = live.time, time <= newest else {
      process(fix, in: registry, into: &records)
      live.confirmPlace()
      checkpoint.discard()
      return
    }
    checkpoint.discard()
    var output = FenceTrackerOutput()
    live.evaluateNewFences(fix, in: registry, into: &output)
    report(output, in: registry, into: &records)
  }

  // MARK: Late fixes

  private mutating func processLate(
    _ fix: Fix, at time: UTCTime, in registry: FenceRegistry, into records: inout [FenceRecord]
  ) {
    if let last = lastSettledTime, time <= last { processSettledFixes(in: registry) }
    guard !settled.isEmpty, settled[0].time.map({ time > $0 }) ?? true, let newest = live.time,
      newest.since(time) <= settings.revisionWindow
    else { return refuse(at: time, into: &records) }
    guard insert(fix, at: time) else { return }
    discardCheckpoint(in: registry)
    var anew = settled[0]
    var output = FenceTrackerOutput()
    // Events that were due without a fix are due again.
    let delay = self.delay ?? .zero
    let known = reported + waiting
    var due = known.filter { $0.decidedBy.time != $0.decided }.map(\.decided).sorted()[...]
    func advanceTime(before end: UTCTime?) {
      while let next = due.first, end.map({ next < $0 }) ?? true {
        due.removeFirst()
        anew.advance(to: next, delay: delay, in: registry, into: &output)
      }
    }
    for fix in pending {
      guard let time = fix.time else { continue }
      advanceTime(before: time)
      anew.process(fix, at: time, in: registry, into: &output)
    }
    advanceTime(before: nil)
    // An event that was reported when the hours of its fence began is not held back again.
    for event in known { anew.reportHeldBack(event, in: registry, into: &output) }
    // A late fix does not end the wait for the next one.
    anew.stayWait = live.stayWait
    live = anew
    checkpoint.record(output)
    checkpoint.isExact = known.isEmpty
    revise(to: Self.sorted(output.events, registry), in: registry, into: &records)
  }

  /// Inserts a fix at its time.
  ///
  /// - Returns: whether the fix changes the result. Of two fixes for one time the better one is kept.
  private mutating func insert(_ fix: Fix, at time: UTCTime) -> Bool {
    var place = pending.count
    while place > 0, let before = pending[place - 1].time, before > time { place -= 1 }
    guard place > 0, pending[place - 1].time == time else {
      pending.insert(fix, at: place)
      return true
    }
    guard FixReorderBuffer.isBetter(fix, than: pending[place - 1]) else { return false }
    pending[place - 1] = fix
    return true
  }

  private func refuse(at time: UTCTime, into records: inout [FenceRecord]) {
    guard let newest = live.time, time != newest else { return }
    records.append(.decided(.tooLate(at: time, by: newest.since(time))))
  }

  /// Compares new events with the reported ones, and reports the differences.
  private mutating func revise(
    to events: [FenceEvent], in registry: FenceRegistry, into records: inout [FenceRecord]
  ) {
    var before = reported, fresh: [FenceEvent] = []
    waiting.removeAll()
    reported.removeAll()
    for var event in events {
      guard let match = before.firstIndex(where: { $0.isSame(as: event) }) else {
        fresh.append(event)
        continue
      }
      let old = before.remove(at: match)
      event.id = old.id
      reported.append(event)
      if event != old { records.append(.revised(old.id, event)) }
    }
    // The event of a fence that has ended stays: the new evaluation does not include the fence.
    for old in before where registry.fence(old.fence) != nil { records.append(.revised(old.id, nil)) }
    for event in fresh { enqueue(event, in: registry, into: &records) }
  }

  // MARK: Reporting

  /// Returns events ordered by decision time, then by their own time, then by the serial of their fence.
  ///
  /// One fix after a gap may show an exit and a later enter. The events of a fence keep their order. A rebuilt registry
  /// may find fences in another order, and events are identified by their number.
  private static func sorted(_ events: [FenceEvent], _ registry: FenceRegistry) -> [FenceEvent] {
    guard events.count > 1 else { return events }
    var latest: [FenceID: UTCTime] = [:]
    let keyed = events.enumerated().map { place, event in
      let time = max(event.time, latest[event.fence] ?? event.time)
      latest[event.fence] = time
      return (
        decided: event.decided, time: time, serial: registry.fenceWithSerial(event.fence)?.serial ?? 0,
        place: place, event: event
      )
    }
    return keyed.sorted {
      ($0.decided, $0.time, $0.serial, $0.place) < ($1.decided, $1.time, $1.serial, $1.place)
    }.map(\.event)
  }

  /// Reports decisions at once, and events after their waiting time.
  private mutating func report(
    _ output: FenceTrackerOutput, in registry: FenceRegistry, into records: inout [FenceRecord]
  ) {
    checkpoint.record(output)
    for decision in output.decisions { records.append(.decided(decision)) }
    for exit in output.exits { withdrawStays(endedBy: exit, into: &records) }
    for event in Self.sorted(output.events, registry) { enqueue(event, in: registry, into: &records) }
  }

  /// Withdraws the dwell events of stays that had ended before they were long enough. The events were due without a fix,
  /// and a fix of the time before arrived afterwards.
  private mutating func withdrawStays(
    endedBy exit: (fence: FenceID, firstAfter: UTCTime), into records: inout [FenceRecord]
  ) {
    func isWrong(_ event: FenceEvent) -> Bool {
      guard event.fence == exit.fence, event.kind == .dwell, let known = event.decidedBy.time else {
        return false
      }
      return known < exit.firstAfter && exit.firstAfter < event.time
    }
    waiting.removeAll(where: isWrong)
    // Events that have waited for late fixes are final.
    guard !settings.waitsForLate || settings.latePolicy == .revise else { return }
    for event in reported where isWrong(event) { records.append(.revised(event.id, nil)) }
    reported.removeAll(where: isWrong)
  }

  private mutating func enqueue(
    _ event: FenceEvent, in registry: FenceRegistry, into records: inout [FenceRecord]
  ) {
    waiting.append(event)
    reportDue(at: event.decided, in: registry, into: &records)
  }

  /// Reports the events whose waiting time is over.
  private mutating func reportDue(
    at time: UTCTime, in registry: FenceRegistry, into records: inout [FenceRecord]
  ) {
    guard !waiting.isEmpty else { return }
    var kept: [FenceEvent] = []
    for event in waiting {
      if time >= reportDeadline(event, in: registry) {
        report(event, in: registry, into: &records)
      } else {
        kept.append(event)
      }
    }
    waiting = kept
  }

  private mutating func report(
    _ event: FenceEvent, in registry: FenceRegistry, into records: inout [FenceRecord]
  ) {
    // The fence may have been removed while the event waited, or ended with an event that was reported just now.
    guard let fence = registry.fence(event.fence) else { return }
    for case .removed(event.fence, because: .once) in records { return }
    lastID += 1
    var event = event
    event.id = FenceEvent.ID(lastID)
    records.append(.event(event))
    // The evaluation of a late fix begins with the settled state, and includes no event that this state has reported.
    if let last = lastSettledTime, event.decided <= last { processSettledFixes(in: registry) }
    if let tracker = settled.first, !tracker.hasReported(event) { reported.append(event) }
    // The process that reported the event did not end the fence: its terms have changed since.
    if fence.terms.once, event.id > reportedThrough { records.append(.removed(event.fence, because: .once)) }
  }

  /// The events that wait for late fixes, in order.
  var waitingEvents: [FenceEvent] { waiting }

  /// The fences of the events that wait or may still be revised.
  var fencesWithEvents: [FenceID] { (waiting + reported).map(\.fence) }

  /// Makes the events of a fence final. To be called before its area changes, and before it is removed: later
  /// evaluations do not include the area, and would withdraw its events.
  ///
  /// - Parameter reportsWaiting: whether the events that wait for late fixes are reported now. Otherwise they are dropped.
  mutating func finishEvents(
    of id: FenceID, reportsWaiting: Bool, in registry: FenceRegistry, into records: inout [FenceRecord]
  ) {
    if reportsWaiting {
      for event in waiting where event.fence == id { report(event, in: registry, into: &records) }
    }
    waiting.removeAll { $0.fence == id }
    reported.removeAll { $0.fence == id }
  }

  /// Drops the events of a fence that wait. To be called once the fence has ended with an earlier one.
  mutating func dropWaitingEvents(of id: FenceID) { waiting.removeAll { $0.fence == id } }

  private func reportDeadline(_ event: FenceEvent, in registry: FenceRegistry) -> UTCTime {
    let responsiveness = registry.fence(event.fence)?.terms.responsiveness ?? .zero
    let wait = settings.waitsForLate ? settings.lateness : min(responsiveness, settings.lateness)
    return event.decided.advanced(by: max(.zero, wait))
  }

  // MARK: Time

  /// Reports events that are due without a fix: completed stays, waiting events, beginning active hours. Stays and
  /// active hours count later by as much as the last fix was late.
  ///
  /// - Parameters:
  ///   - time: the current time by the clock of the fixes.
  ///   - registry: the watched fences.
  ///   - records: the list that the resulting records are appended to.
  public mutating func advance(
    to time: UTCTime, in registry: FenceRegistry, into records: inout [FenceRecord]
  ) {
    checkpoint.discard()
    var output = FenceTrackerOutput()
    live.advance(to: time, delay: delay ?? .zero, in: registry, into: &output)
    report(output, in: registry, into: &records)
    reportDue(at: time, in: registry, into: &records)
  }

  /// Returns the next time at which something is due without a fix, by the clock of the fixes; `nil` if nothing is
  /// due.
  public func nextDeadline(in registry: FenceRegistry) -> UTCTime? {
    let event = waiting.map { reportDeadline($0, in: registry) }.min()
    let other = live.nextDeadline(delay: delay ?? .zero, in: registry)
    guard let event, let other else { return event ?? other }
    return min(event, other)
  }

  /// Ends a segment: the next fix does not continue the previous one. Reports all waiting events.
  ///
  /// Used for a new segment of a recording, a restarted source or a clock that was set back.
  ///
  /// - Parameters:
  ///   - restartsTimeline: whether later fixes belong to another timeline and may be earlier than the previous ones.
  ///   - registry: the watched fences.
  ///   - records: the list that the resulting records are appended to.
  public mutating func endSegment(
    restartsTimeline: Bool = false, in registry: FenceRegistry, into records: inout [FenceRecord]
  ) {
    settle(in: registry, into: &records)
    live.endSegment(restartsTimeline: restartsTimeline)
    if !settled.isEmpty { settled[0] = live }
  }

  /// Makes stays begin again with the next fix, because fixes are refused from now on. To be called at the end of a
  /// segment.
  mutating func restartStays() {
    live.restartStays()
    if !settled.isEmpty { settled[0] = live }
  }

  /// Makes events wait for the next fix that are due without one, later than the gap after the last fix. To be called
  /// where another process had received that fix.
  ///
  /// - Returns: whether anything is due without a fix.
  mutating func awaitFix(in registry: FenceRegistry) -> Bool {
    checkpoint.discard()
    return live.awaitFix(in: registry)
  }

  /// Reports all waiting events, because no fix before the newest can arrive.
  public mutating func settle(in registry: FenceRegistry, into records: inout [FenceRecord]) {
    for event in waiting { report(event, in: registry, into: &records) }
    waiting.removeAll()
    reported.removeAll()
    pending.removeAll()
    checkpoint.removeAll()
    if !settled.isEmpty { settled[0] = live }
  }

  /// Replaces the keys of fences by those of a registry. Call this method when the registry was decoded or rebuilt
  /// from the same fences: its keys may differ.
  ///
  /// - Complexity: O(1) for each fence near the device whose key is the same, otherwise O(n).
  mutating func remapKeys(to registry: FenceRegistry) {
    live.remapKeys(to: registry)
    if !settled.isEmpty { settled[0].remapKeys(to: registry) }
    discardCheckpoint(in: registry)
  }

  /// Begins a replay.
  ///
  /// - Parameter last: the last event that an earlier process has reported.
  mutating func beginReplay(reportedThrough last: FenceEvent.ID) { reportedThrough = last }

  /// Ends a replay. The ids of later events are greater than a reported one.
  mutating func continueIDs(after id: FenceEvent.ID) {
    lastID = max(lastID, id.number)
    reportedThrough = FenceEvent.ID(0)
  }
}

extension FenceSettings {
  /// The longest delay at which a fix can still change the result.
  fileprivate var revisionWindow: Duration {
    latePolicy == .revise ? max(lateness, Self.longestRevision) : max(.zero, lateness)
  }

  private static var longestRevision: Duration { .seconds(600) }
}
