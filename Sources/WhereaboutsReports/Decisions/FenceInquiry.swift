package import WhereaboutsEngine
package import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

/// The state of a fence at some moment and the next events, for "why was there no exit at 17:04?".
///
/// All times are times of fixes. Between two fixes, this time passes as the host's does.
package struct FenceInquiry {
  /// A decision and its time.
  struct TimedDecision: Hashable {
    var decision: FenceDecision
    var time: UTCTime

    /// Whether a later decision or event settles the crossing.
    var isPending: Bool {
      switch decision {
      case .suspected, .waiting, .atRest: true
      default: false
      }
    }
  }

  /// The end of the fence.
  struct Removal {
    /// The time of the removal; `nil` before the first fix.
    var time: UTCTime?
    /// The reason of the engine; `nil` if the program has removed the fence.
    var reason: FenceRecord.RemovalReason?
  }

  package let id: FenceID
  private let moment: (_ beginning: UTCTime) -> UTCTime
  /// The time of the first fix.
  private var beginning: UTCTime?
  /// The moment of the question; `nil` before the first fix.
  package private(set) var at: UTCTime?
  /// The fence at the moment; `nil` if it was added later.
  package private(set) var fence: Fence?
  /// The removal before the moment, if the fence was not added again.
  private(set) var removal: Removal?
  /// The state after the last fix before the moment.
  private(set) var state: FenceState?
  private(set) var lastFix: Fix?
  /// The reason for which the last fix is used by no consumer but the fences; they judge outliers by themselves.
  private(set) var lastFixRefusal: Refusal?
  /// The decision about the last fix that concerns all fences, if any.
  private(set) var lastFixDecision: FenceDecision?
  /// The fixes after the last one that no fence has processed, and the last reason.
  private(set) var unused: (count: Int, reason: Refusal)?
  private(set) var lastEvent: FenceEvent?
  private(set) var lastDecision: TimedDecision?
  /// The time of the first fix after the moment.
  private(set) var nextFix: UTCTime?
  private(set) var nextEvent: FenceEvent?
  private(set) var nextDecision: TimedDecision?
  /// The first decision after the moment that settles a crossing, if no event came before.
  private(set) var nextOutcome: TimedDecision?
  private(set) var nextRemoval: Removal?
  private var newest: (time: UTCTime, arrived: Instant)?
  /// The present time of the fixes.
  private var clock: UTCTime?
  private var isWatched = false
  /// The last reported side before the moment, or the first side.
  private var reportedSide: FenceState.Side?
  /// The ids of all fences in the journal or recording.
  package private(set) var ids: Set<FenceID> = []

  /// - Parameter moment: returns the moment of the question for the time of the first fix.
  package init(_ id: FenceID, at moment: @escaping (_ beginning: UTCTime) -> UTCTime) {
    self.id = id
    self.moment = moment
  }

  /// Processes an input with the engine's effects.
  package mutating func process(_ input: Input, at now: Instant, effects: [Effect], engine: Engine) {
    switch input {
    case .fences, .restore: ids.formUnion(engine.allFences.map(\.id))
    case .signal(.fix(let fix, _)): process(fix, Self.refusal(in: effects), arrived: now)
    default: break
    }
    advance(to: now)
    var reason: FenceRecord.RemovalReason?
    for effect in effects {
      switch effect {
      case .fence(.event(let event)) where event.fence == id: process(event)
      case .fence(.revised(_, let event?)) where event.fence == id: process(event)
      case .fence(.removed(let removed, let because)) where removed == id: reason = because
      case .decided(.fence(let decision)): process(decision)
      default: break
      }
    }
    updateFence(engine, reason)
  }

  private var isPast: Bool {
    guard let clock, let at else { return false }
    return clock > at
  }

  private static func refusal(in effects: [Effect]) -> Refusal? {
    for case .decided(let decision) in effects {
      switch decision {
      case .refused(_, let refusal): return refusal
      case .fixWithheld: return .unauthorized
      default: break
      }
    }
    return nil
  }

  private mutating func process(_ fix: Fix, _ refusal: Refusal?, arrived: Instant) {
    switch refusal {
    case nil, .outlier?: break
    case .duplicate?, .outOfOrder?: return
    case .invalidAccuracy?, .fromTheFuture?, .withoutTime?, .unauthorized?:
      recordUnused(fix, refusal)
      return
    }
    guard let time = fix.time else { return }
    begin(at: time)
    guard newest.map({ time > $0.time }) ?? true else { return }
    newest = (time, arrived)
    clock = time
    if isPast {
      nextFix = nextFix ?? time
    } else {
      lastFix = fix
      lastFixRefusal = refusal
      lastFixDecision = nil
      unused = nil
    }
  }

  private mutating func begin(at time: UTCTime) {
    guard beginning == nil else { return }
    beginning = time
    at = moment(time)
  }

  /// Records a fix that no fence has processed. The time of a fix without permission is as good as any other.
  private mutating func recordUnused(_ fix: Fix, _ refusal: Refusal?) {
    if refusal == .unauthorized, let time = fix.time {
      begin(at: time)
      clock = clock.map { max($0, time) } ?? time
    }
    if let refusal, !isPast { unused = ((unused?.count ?? 0) + 1, refusal) }
  }

  /// Advances the time of the fixes.
  private mutating func advance(to now: Instant) {
    guard let newest, let clock, now > newest.arrived else { return }
    self.clock = max(clock, newest.time.advanced(by: now.since(newest.arrived)))
  }

  private mutating func process(_ event: FenceEvent) {
    guard !isPast else {
      nextEvent = nextEvent ?? event
      return
    }
    if event.kind != .dwell { reportedSide = Self.side(after: event.kind) }
    lastEvent = event
    // An event settles the earlier decision.
    lastDecision = nil
  }

  private mutating func process(_ decision: FenceDecision) {
    guard decision.fence == id else {
      recordFixDecision(decision)
      return
    }
    guard let clock else { return }
    let decided = TimedDecision(decision: decision, time: clock)
    if !isPast {
      lastDecision = decided
      recordReportedSide(decision)
      return
    }
    nextDecision = nextDecision ?? decided
    if !decided.isPending, nextEvent == nil { nextOutcome = nextOutcome ?? decided }
  }

  private mutating func recordReportedSide(_ decision: FenceDecision) {
    switch decision {
    case .determined(_, let side, _) where fence?.terms.reportsInitialSide != true: reportedSide = side
    case .notAskedFor(_, let kind, _) where kind != .dwell: reportedSide = Self.side(after: kind)
    default: break
    }
  }

  private mutating func recordFixDecision(_ decision: FenceDecision) {
    switch decision {
    case .tooCoarse, .doubted: if !isPast { lastFixDecision = decision }
    default: break
    }
  }

  private mutating func updateFence(_ engine: Engine, _ reason: FenceRecord.RemovalReason?) {
    let present = engine.fence(id)
    if isWatched, present == nil {
      let end = Removal(time: clock, reason: reason)
      if isPast { nextRemoval = nextRemoval ?? end } else { removal = end }
    }
    isWatched = present != nil
    guard let present, !isPast else { return }
    removal = nil
    fence = present
    state = engine.fenceState(of: id) ?? state
  }

  private static func side(after kind: FenceEvent.Kind) -> FenceState.Side {
    kind == .exit ? .outside : .inside
  }

  // MARK: Derived values

  /// The time in seconds from the moment to the first fix, or from the end of the input to the moment; 0 between both.
  package var timeBeyondInput: Double {
    guard let at, let beginning, let clock else { return 0 }
    return max(0, beginning.seconds(since: at), at.seconds(since: clock))
  }

  /// The distance from the last fix to the boundary in metres, negative inside.
  var distance: SignedDistance? {
    guard let fence, let lastFix else { return nil }
    return fence.area.signedDistance(to: lastFix.coordinate)
  }

  /// The pending decision, if any.
  var pendingDecision: TimedDecision? {
    guard removal == nil, let last = lastDecision else { return nil }
    return last.isPending || isDeferred(last.decision) ? last : nil
  }

  /// Whether a decision defers an event to the next active hours. A return before then cancels the event.
  private func isDeferred(_ decision: FenceDecision) -> Bool {
    guard case .outsideHours(_, let kind, _) = decision, kind != .dwell else { return false }
    return Self.side(after: kind) != reportedSide
  }

  /// The time of the next dwell event, if the device stays inside; `nil` if none is due.
  var dwellDue: UTCTime? {
    guard removal == nil, let at, let state, state.side == .inside, let since = state.since,
      let terms = fence?.terms, let dwell = terms.dwell, terms.notify.contains(.dwell)
    else { return nil }
    let due = since.advanced(by: dwell)
    return due > at ? due : nil
  }
}
