package import WhereaboutsEngine
package import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

/// The state of a fence at some moment and the next events, for "why was there no exit at 17:04?".
///
/// All times are times of fixes.
package struct FenceInquiry {
  /// A decision and its time.
  struct TimedDecision {
    var decision: FenceDecision
    var time: UTCTime
  }

  package let id: FenceID
  private let moment: (_ beginning: UTCTime) -> UTCTime
  /// The moment of the question; `nil` before the first fix.
  package private(set) var at: UTCTime?
  private(set) var fence: Fence?
  /// The state after the last fix before the moment.
  private(set) var state: FenceState?
  private(set) var lastFix: Fix?
  private(set) var lastEvent: FenceEvent?
  private(set) var lastDecision: TimedDecision?
  /// The time of the first fix after the moment.
  private(set) var nextFix: UTCTime?
  private(set) var nextEvent: FenceEvent?
  private(set) var nextDecision: TimedDecision?
  private var newest: UTCTime?
  /// The ids of all fences in the journal or recording.
  package private(set) var ids: Set<FenceID> = []

  /// - Parameter moment: returns the moment of the question for the time of the first fix.
  package init(_ id: FenceID, at moment: @escaping (_ beginning: UTCTime) -> UTCTime) {
    self.id = id
    self.moment = moment
  }

  /// Processes an input with the engine's effects.
  package mutating func process(_ input: Input, effects: [Effect], engine: Engine) {
    switch input {
    case .fences, .restore: ids.formUnion(engine.allFences.map(\.id))
    default: break
    }
    if case .signal(.fix(let fix, _)) = input, let time = fix.time { process(fix, at: time) }
    for effect in effects {
      switch effect {
      case .fence(.event(let event)) where event.fence == id: process(event)
      case .fence(.revised(_, let event?)) where event.fence == id: process(event)
      case .decided(.fence(let decision)) where decision.fence == id: process(decision)
      default: break
      }
    }
    guard !isPast else { return }
    state = engine.fenceState(of: id) ?? state
    fence = engine.fence(id) ?? fence
  }

  private var isPast: Bool {
    guard let newest, let at else { return false }
    return newest > at
  }

  private mutating func process(_ fix: Fix, at time: UTCTime) {
    if at == nil { at = moment(time) }
    guard newest.map({ time > $0 }) ?? true else { return }
    newest = time
    if isPast {
      nextFix = nextFix ?? time
    } else {
      lastFix = fix
    }
  }

  private mutating func process(_ event: FenceEvent) {
    if isPast { nextEvent = nextEvent ?? event } else { lastEvent = event }
    // An event settles the earlier decision.
    if !isPast { lastDecision = nil }
  }

  private mutating func process(_ decision: FenceDecision) {
    let decided = TimedDecision(decision: decision, time: newest ?? UTCTime(nanosecondsSince1970: 0))
    if isPast { nextDecision = nextDecision ?? decided } else { lastDecision = decided }
  }

  /// The distance from the last fix to the boundary in metres, negative inside.
  var distance: SignedDistance? {
    guard let fence, let lastFix else { return nil }
    return fence.area.signedDistance(to: lastFix.coordinate)
  }

  /// The pending decision, if any.
  var pendingDecision: FenceDecision? {
    switch lastDecision?.decision {
    case .suspected?, .waiting?, .atRest?: lastDecision?.decision
    default: nil
    }
  }
}
