import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsGeodesy

/// How things stood with a fence at some moment, and what happened next: for "why was there no exit at 17:04?".
///
/// Time is that of fixes.
struct FenceInquiry {
  /// A decision and when it was made.
  struct Decided {
    var decision: FenceDecision
    var time: UTCTime
  }

  let id: FenceID
  private let moment: MomentArgument
  /// The moment, known from the first fix on.
  private(set) var at: UTCTime?
  private(set) var fence: Fence?
  /// As of the last fix before the moment.
  private(set) var state: FenceState?
  private(set) var lastFix: Fix?
  private(set) var lastEvent: FenceEvent?
  private(set) var lastDecision: Decided?
  /// The first of each after the moment.
  private(set) var nextFix: UTCTime?
  private(set) var nextEvent: FenceEvent?
  private(set) var nextDecision: Decided?
  private var newest: UTCTime?
  /// Fences that there were.
  private(set) var ids: Set<FenceID> = []

  init(_ id: FenceID, at moment: MomentArgument) {
    self.id = id
    self.moment = moment
  }

  /// Takes an input and what the engine made of it.
  mutating func take(_ input: Input, effects: [Effect], engine: Engine) {
    switch input {
    case .fences, .restore: ids.formUnion(engine.allFences.map(\.id))
    default: break
    }
    if case .signal(.fix(let fix, _)) = input, let time = fix.time { take(fix, at: time) }
    for effect in effects {
      switch effect {
      case .fence(.event(let event)) where event.fence == id: take(event)
      case .fence(.revised(_, let event?)) where event.fence == id: take(event)
      case .decided(.fence(let decision)) where decision.fence == id: take(decision)
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

  private mutating func take(_ fix: Fix, at time: UTCTime) {
    if at == nil { at = moment.time(from: time) }
    guard newest.map({ time > $0 }) ?? true else { return }
    newest = time
    if isPast {
      nextFix = nextFix ?? time
    } else {
      lastFix = fix
    }
  }

  private mutating func take(_ event: FenceEvent) {
    if isPast { nextEvent = nextEvent ?? event } else { lastEvent = event }
    // What had been decided before it is settled by it.
    if !isPast { lastDecision = nil }
  }

  private mutating func take(_ decision: FenceDecision) {
    let decided = Decided(decision: decision, time: newest ?? UTCTime(nanosecondsSince1970: 0))
    if isPast { nextDecision = nextDecision ?? decided } else { lastDecision = decided }
  }

  /// Metres from the last fix to the boundary, negative inside.
  var distance: SignedDistance? {
    guard let fence, let lastFix else { return nil }
    return fence.area.signedDistance(to: lastFix.coordinate)
  }

  /// What is being waited for; `nil` for nothing.
  var waitsFor: FenceDecision? {
    switch lastDecision?.decision {
    case .suspected?, .waiting?, .atRest?: lastDecision?.decision
    default: nil
    }
  }
}
