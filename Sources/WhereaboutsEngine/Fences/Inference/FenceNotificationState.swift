import WhereaboutsModel
import WhereaboutsGeodesy

/// The notification state of one fence: which crossings count, and when they are reported.
struct FenceNotificationState: Hashable, Sendable, Codable {
  /// The confirmed side; crossings that were too short do not change it.
  private(set) var confirmed: FenceState.Side
  /// The time of the crossing to the confirmed side, or of its first determination; `nil` if neither was
  /// observed.
  private(set) var confirmedSince: UTCTime?
  /// A crossing that counts once it has lasted long enough.
  private var waiting: Crossing?
  /// Whether the device is inside and no dwell event was due since it came; `nil` in older stored states. The terms may
  /// change meanwhile, so the time of the event is no part of the state.
  private var awaitsDwell: Bool?
  /// The time of the dwell event in an older stored state; `nil` if none was due any more.
  private var dwellDue: UTCTime?
  /// The last side reported to the fence's owner.
  private var reportedSide: FenceState.Side
  /// The events outside the hours of the fence that were not undone since.
  private var unreported: [FenceEvent] = []

  init(side: FenceState.Side, since: UTCTime? = nil) {
    confirmed = side
    confirmedSince = since
    reportedSide = side
  }

  /// The moment of a fix, with the data for an event.
  struct Context {
    var time: UTCTime
    /// The time up to which the device's side is known; earlier than ``time`` after a fix that arrived late, and at a
    /// held fix that a later one confirms.
    var known: UTCTime
    var fence: Fence
    var rule: FenceRule
    var fix: Fix
    /// The held fix at which the side is known; `nil` at ``fix`` itself.
    var held: PathPoint?

    init(_ time: UTCTime, _ fence: Fence, _ rule: FenceRule, _ fix: Fix, held: PathPoint? = nil) {
      self.time = time
      self.held = held
      known = held?.time ?? time
      self.fence = fence
      self.rule = rule
      self.fix = fix
    }
  }

  /// Returns whether nothing is pending.
  @inline(__always)  // A call with each fix would copy the whole state.
  func isIdle(_ rule: FenceRule) -> Bool {
    waiting == nil && unreported.isEmpty && nextDwell(rule) == nil
  }

  /// Whether any event waits for the hours of its fence.
  var holdsBackAny: Bool { !unreported.isEmpty }

  /// Returns whether an event waits for the hours of its fence.
  func holdsBack(_ event: FenceEvent) -> Bool { unreported.first?.isSame(as: event) ?? false }

  /// Whether a crossing must last longer before it counts.
  var isWaiting: Bool { waiting != nil }

  /// The kind of event of a crossing to the other side.
  var nextKind: FenceEvent.Kind { (waiting?.side ?? confirmed) == .inside ? .exit : .enter }

  /// Returns the time at which something is due without a fix; `nil` if nothing is due.
  func nextDeadline(_ rule: FenceRule, _ hours: ActiveHours?) -> UTCTime? {
    // While an exit waits, there is no dwell event.
    let stay = waiting.map { $0.time.advanced(by: rule.requiredDuration(for: $0.side)) } ?? nextDwell(rule)
    return [stay, nextOpening(hours)].compactMap { $0 }.min()
  }

  /// Returns the beginning of the hours that the held-back event waits for; `nil` if there is no such event.
  private func nextOpening(_ hours: ActiveHours?) -> UTCTime? {
    unreported.first.flatMap { hours?.nextStart(after: $0.decided) }
  }

  /// Returns the time at which the device will have been inside long enough for a dwell event; `nil` for no event.
  @inline(__always)
  private func nextDwell(_ rule: FenceRule) -> UTCTime? {
    guard confirmed == .inside, let since = confirmedSince, let dwell = rule.dwell,
      awaitsDwell ?? (dwellDue != nil)
    else { return nil }
    return since.advanced(by: dwell)
  }

  /// Sets the side determined first.
  mutating func setInitialSide(
    _ side: FenceState.Side, _ crossing: Crossing, now: Context, into output: inout FenceTrackerOutput
  ) {
    confirm(side, since: crossing.firstAfter)
    guard now.fence.terms.reportsInitialSide else {
      reportedSide = side
      return
    }
    reportIfAllowed(makeEvent(crossing, now), now: now, into: &output)
  }

  /// Processes a crossing to the other side.
  mutating func process(_ crossing: Crossing, now: Context, into output: inout FenceTrackerOutput) {
    if let begun = waiting {
      waiting = nil
      let lasted = crossing.time.since(begun.time)
      let needed = now.rule.requiredDuration(for: begun.side)
      if lasted < needed {
        output.decisions.append(
          .tooShort(now.fence.id, begun.kind, lasted: max(.zero, lasted), needed: needed))
        return
      }
      // The crossing had lasted long enough by then, although no fix came to confirm.
      settle(begun, now: now, into: &output)
    }
    // Likewise the hours had begun, and the stay that ends had lasted.
    if let opening = nextOpening(now.fence.terms.activeHours), opening <= crossing.time {
      reportHeldBack(now: now, into: &output)
    }
    if let due = nextDwell(now.rule), due <= crossing.time {
      awaitsDwell = false
      reportIfAllowed(makeDwellEvent(due: due, at: crossing.place, now), now: now, into: &output)
    }
    waiting = crossing
    guard !advance(now: now, into: &output), let waiting else { return }
    let until = waiting.time.advanced(by: now.rule.requiredDuration(for: waiting.side))
    output.decisions.append(.waiting(now.fence.id, waiting.kind, until: until))
  }

  /// Reports events that are due by now.
  ///
  /// - Returns: whether a crossing has come to count.
  @discardableResult
  mutating func advance(now: Context, into output: inout FenceTrackerOutput) -> Bool {
    var hasSettled = false
    if let begun = waiting,
      now.known.since(begun.time) >= now.rule.requiredDuration(for: begun.side)
    {
      waiting = nil
      settle(begun, now: now, into: &output)
      hasSettled = true
    }
    reportDeferred(now: now, into: &output)
    if let due = nextDwell(now.rule), now.known >= due, waiting == nil {
      awaitsDwell = false
      reportIfAllowed(
        makeDwellEvent(due: due, at: now.held?.place ?? now.fix.coordinate, now), now: now, into: &output)
    }
    return hasSettled
  }

  private mutating func settle(_ crossing: Crossing, now: Context, into output: inout FenceTrackerOutput) {
    if crossing.side == .outside {
      output.exits.append((fence: now.fence.id, firstAfter: crossing.firstAfter))
    }
    confirm(crossing.side, since: crossing.time)
    reportIfAllowed(makeEvent(crossing, now), now: now, into: &output)
  }

  private mutating func confirm(_ side: FenceState.Side, since time: UTCTime) {
    confirmed = side
    confirmedSince = time
    awaitsDwell = side == .inside
  }

  /// Restarts required durations on a new timeline, because the time passed so far is unknown.
  mutating func restartTimeline(at time: UTCTime) {
    waiting?.time = time
    if confirmedSince != nil { confirmedSince = time }
  }

  /// Restarts required durations at a fix, because nothing is known of the device's place before.
  mutating func restartStays(at time: UTCTime) {
    restartTimeline(at: time)
    waiting?.firstAfter = time
  }

  // MARK: Reporting

  private mutating func reportIfAllowed(
    _ event: FenceEvent, now: Context, into output: inout FenceTrackerOutput
  ) {
    guard now.fence.terms.notify.contains(event.kind) else {
      if event.kind != .dwell {
        reportedSide = confirmed
        // This crossing undoes the one that waits for the hours.
        unreported = []
      }
      output.decisions.append(.notAskedFor(event.fence, event.kind, time: event.time))
      return
    }
    // A stay is over at its own time, however late the fix that shows it.
    let time = event.kind == .dwell ? event.time : now.time
    if let hours = now.fence.terms.activeHours, !hours.contains(time) {
      output.decisions.append(.outsideHours(event.fence, event.kind, time: event.time))
      if event.kind != .dwell {
        unreported = confirmed == reportedSide ? [] : [event]
        output.hasHeldBack = true
      }
      return
    }
    report(event, now: now, into: &output)
  }

  private mutating func reportDeferred(now: Context, into output: inout FenceTrackerOutput) {
    guard !unreported.isEmpty else { return }
    let hours = now.fence.terms.activeHours
    let haveBegun = nextOpening(hours).map { $0 <= now.known } ?? false
    guard haveBegun || hours?.contains(now.known) ?? true else { return }
    reportHeldBack(now: now, into: &output)
  }

  /// Reports the event that waits for the hours, if any.
  mutating func reportHeldBack(now: Context, into output: inout FenceTrackerOutput) {
    guard let event = unreported.first else { return }
    unreported = []
    // The terms may have changed since.
    guard now.fence.terms.notify.contains(event.kind) else {
      reportedSide = confirmed
      output.decisions.append(.notAskedFor(event.fence, event.kind, time: event.time))
      return
    }
    report(event, now: now, into: &output)
  }

  private mutating func report(_ event: FenceEvent, now: Context, into output: inout FenceTrackerOutput) {
    if event.kind != .dwell {
      reportedSide = event.kind == .enter ? .inside : .outside
      unreported = []
    }
    output.events.append(event)
  }

  private func makeEvent(_ crossing: Crossing, _ now: Context) -> FenceEvent {
    FenceEvent(
      id: FenceEvent.ID(0), fence: now.fence.id, kind: crossing.kind, manner: crossing.manner,
      time: crossing.time, timeUncertainty: crossing.uncertainty, lastBefore: crossing.lastBefore,
      firstAfter: crossing.firstAfter, place: crossing.place, confidence: crossing.confidence,
      decidedBy: now.fix, decided: now.time,
      pending: max(.zero, now.time.since(crossing.suspectedSince ?? now.time)))
  }

  private func makeDwellEvent(due: UTCTime, at place: Coordinate, _ now: Context) -> FenceEvent {
    FenceEvent(
      id: FenceEvent.ID(0), fence: now.fence.id, kind: .dwell, manner: .stayed, time: due,
      timeUncertainty: 0, lastBefore: nil, firstAfter: now.held?.time ?? now.time, place: place,
      confidence: 1,
      decidedBy: now.fix, decided: now.time, pending: .zero)
  }
}
