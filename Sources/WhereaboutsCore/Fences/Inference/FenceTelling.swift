import WhereaboutsGeodesy

/// What is made of the crossings of one fence: which count, and which are told when.
struct FenceTelling: Hashable, Sendable, Codable {
  /// The side that counts: crossings that were too short don't.
  private(set) var confirmed: FenceSide
  /// Since when, by the time of the crossing.
  private(set) var confirmedSince: UTCTime?
  /// A crossing that counts as soon as it has lasted.
  private var waiting: Crossing?
  /// When the device will have been inside for long enough to dwell.
  private var dwellDue: UTCTime?
  /// The side that its owner was told of last.
  private var toldSide: FenceSide
  /// What happened outside the hours of the fence, and was not undone since.
  private var untold: [FenceEvent] = []
  /// It has told its one event.
  private(set) var isOver = false

  init(side: FenceSide) {
    confirmed = side
    toldSide = side
  }

  /// The moment of a fix, and what goes into an event.
  struct Now {
    var time: UTCTime
    var fence: Fence
    var rule: FenceRule
    var fix: Fix

    init(_ time: UTCTime, _ fence: Fence, _ rule: FenceRule, _ fix: Fix) {
      self.time = time
      self.fence = fence
      self.rule = rule
      self.fix = fix
    }
  }

  /// Whether nothing is being waited for.
  var isIdle: Bool { waiting == nil && dwellDue == nil && untold.isEmpty && !isOver }

  /// Whether a crossing has to last before it counts.
  var isWaiting: Bool { waiting != nil }

  /// What it would be to go to the other side.
  var nextKind: FenceEvent.Kind { (waiting?.side ?? confirmed) == .inside ? .exit : .enter }

  /// When something is due without a fix; `nil` where nothing is.
  func nextTime(_ rule: FenceRule, _ hours: ActiveHours?) -> UTCTime? {
    let opening = untold.first.flatMap { hours?.nextStart(after: $0.decided) }
    return [waiting.map { $0.time.advanced(by: rule.needed(for: $0.side)) }, dwellDue, opening]
      .compactMap { $0 }.min()
  }

  /// The first side is found out.
  mutating func determine(_ side: FenceSide, _ crossing: Crossing, now: Now, say: (FenceNote) -> Void) {
    confirm(side, since: crossing.firstAfter, now.rule)
    guard now.fence.terms.tellsInitialSide else {
      toldSide = side
      return
    }
    offer(event(crossing, now), now: now, say: say)
  }

  /// The device went to the other side.
  mutating func take(_ crossing: Crossing, now: Now, say: (FenceNote) -> Void) {
    if let begun = waiting {
      waiting = nil
      let lasted = crossing.time.since(begun.time)
      let needed = now.rule.needed(for: begun.side)
      if lasted < needed {
        say(.decided(.tooShort(now.fence.id, begun.kind, lasted: max(.zero, lasted), needed: needed)))
        return
      }
      // It had lasted by then, and no fix came to say so.
      settle(begun, now: now, say: say)
    }
    waiting = crossing
    guard !passTime(now: now, say: say), let waiting else { return }
    let until = waiting.time.advanced(by: now.rule.needed(for: waiting.side))
    say(.decided(.waiting(now.fence.id, waiting.kind, until: until)))
  }

  /// Tells what is due by now.
  ///
  /// - Returns: whether a crossing has come to count.
  @discardableResult
  mutating func passTime(now: Now, say: (FenceNote) -> Void) -> Bool {
    var hasSettled = false
    if let begun = waiting,
      now.time.since(begun.time) >= now.rule.needed(for: begun.side)
    {
      waiting = nil
      settle(begun, now: now, say: say)
      hasSettled = true
    }
    if let due = dwellDue, now.time >= due, waiting == nil {
      dwellDue = nil
      offer(stay(due: due, now), now: now, say: say)
    }
    tellUntold(now: now, say: say)
    return hasSettled
  }

  private mutating func settle(_ crossing: Crossing, now: Now, say: (FenceNote) -> Void) {
    confirm(crossing.side, since: crossing.time, now.rule)
    offer(event(crossing, now), now: now, say: say)
  }

  private mutating func confirm(_ side: FenceSide, since time: UTCTime, _ rule: FenceRule) {
    confirmed = side
    confirmedSince = time
    dwellDue = side == .inside ? rule.dwell.map { time.advanced(by: $0) } : nil
  }

  /// What comes next is of another time: what has to last begins to last anew, for nobody knows how long it has.
  mutating func restartTime(at time: UTCTime, _ rule: FenceRule) {
    waiting?.time = time
    if confirmedSince != nil { confirmedSince = time }
    if dwellDue != nil { dwellDue = rule.dwell.map { time.advanced(by: $0) } }
  }

  // MARK: Telling

  private mutating func offer(_ event: FenceEvent, now: Now, say: (FenceNote) -> Void) {
    guard !isOver else { return }
    guard now.fence.terms.notify.contains(event.kind) else {
      if event.kind != .dwell { toldSide = confirmed }
      say(.decided(.notAskedFor(event.fence, event.kind, time: event.time)))
      return
    }
    if let hours = now.fence.terms.activeHours, !hours.contains(now.time) {
      say(.decided(.outsideHours(event.fence, event.kind, time: event.time)))
      if event.kind != .dwell { untold = confirmed == toldSide ? [] : [event] }
      return
    }
    tell(event, now: now, say: say)
  }

  private mutating func tellUntold(now: Now, say: (FenceNote) -> Void) {
    guard let event = untold.first, now.fence.terms.activeHours?.contains(now.time) ?? true else { return }
    untold = []
    tell(event, now: now, say: say)
  }

  private mutating func tell(_ event: FenceEvent, now: Now, say: (FenceNote) -> Void) {
    guard !isOver else { return }
    if event.kind != .dwell {
      toldSide = event.kind == .enter ? .inside : .outside
      untold = []
    }
    say(.event(event))
    isOver = now.fence.terms.once
  }

  private func event(_ crossing: Crossing, _ now: Now) -> FenceEvent {
    FenceEvent(
      id: FenceEvent.ID(0), fence: now.fence.id, kind: crossing.kind, manner: crossing.manner,
      time: crossing.time, timeUncertainty: crossing.uncertainty, lastBefore: crossing.lastBefore,
      firstAfter: crossing.firstAfter, place: crossing.place, confidence: crossing.confidence,
      decidedBy: now.fix, decided: now.time,
      pending: max(.zero, now.time.since(crossing.suspectedSince ?? now.time)))
  }

  private func stay(due: UTCTime, _ now: Now) -> FenceEvent {
    FenceEvent(
      id: FenceEvent.ID(0), fence: now.fence.id, kind: .dwell, manner: .stayed, time: due,
      timeUncertainty: 0, lastBefore: nil, firstAfter: now.time, place: now.fix.coordinate, confidence: 1,
      decidedBy: now.fix, decided: now.time, pending: .zero)
  }
}
