import WhereaboutsEngine
import EngineTestSupport
import Whereabouts

/// An engine to which things happen, one after the other.
struct EngineScenario {
  private var engine: Engine
  private(set) var demand = Demand.off
  private(set) var wake: Instant?
  /// How each request has ended, in the order they did.
  private(set) var endings: [(id: RequestID, outcome: RequestOutcome)] = []
  private(set) var authorizationRequests: [Authorization.Level] = []
  private(set) var subscriptionEvents: [SubscriptionID: [SubscriptionEvent]] = [:]
  private(set) var endedSubscriptions: [SubscriptionID] = []
  private(set) var decisions: [Decision] = []
  private(set) var progress: [RequestID: [Answer]] = [:]
  /// What was told of fences.
  private(set) var fenceRecords: [FenceRecord] = []

  init(settings: EngineSettings) {
    engine = Engine(settings: settings)
  }

  var status: ServiceStatus { engine.status }
  func state(_ fence: FenceID) -> FenceState? { engine.fenceState(of: fence) }
  var motion: Motion { engine.motion }
  var refused: [Refusal.Reason: Int] { engine.fixCounts.refused }

  /// How a request has ended, or `nil` while it is open.
  func outcome(_ id: RequestID) -> RequestOutcome? { endings.first { $0.id == id }?.outcome }

  /// The fixes a subscriber was told.
  func fixes(_ id: SubscriptionID) -> [Fix] {
    subscriptionEvents[id, default: []].compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
  }

  /// The fixes worth keeping that a subscriber was told.
  func accepted(_ id: SubscriptionID) -> [AcceptedFix] {
    subscriptionEvents[id, default: []].compactMap {
      if case .accepted(let accepted) = $0 { accepted } else { nil }
    }
  }

  /// What is known of where the device is.
  func lastFix(at seconds: Double) -> Answer? { engine.lastFix(at: t(seconds).instant) }

  /// Something happens, so many seconds after the start, on a host whose wall clock is off by so much or unknown.
  ///
  /// - Returns: everything the engine does about it, in order.
  @discardableResult
  mutating func handle(at seconds: Double, wallOff: Double? = 0, _ input: Input) -> [Effect] {
    let effects = engine.handle(input, at: t(seconds, wallOff: wallOff))
    for effect in effects { recordEffect(effect) }
    return effects
  }

  private mutating func recordEffect(_ effect: Effect) {
    switch effect {
    case .demand(let demand): self.demand = demand
    case .wake(let instant): wake = instant
    case .finish(let ids, let outcome): endings += ids.map { ($0, outcome) }
    case .askAuthorization(let level): authorizationRequests.append(level)
    case .notify(let id, let event): subscriptionEvents[id, default: []].append(event)
    case .finishSubscription(let id): endedSubscriptions.append(id)
    case .progress(let id, let answer): progress[id, default: []].append(answer)
    case .decided(let decision): decisions.append(decision)
    case .fence(let note): fenceRecords.append(note)
    case .status: break
    }
  }
}

// MARK: Words for what happens

func request(
  _ id: RequestID, _ level: AccuracyLevel, timeout seconds: Double? = nil,
  starts: TimeoutStart = .whenRequested, settle: Double? = nil, _ activity: Activity = .other
) -> Input {
  .request(
    id,
    RequestTerms(
      level: level, timeout: seconds.map { .seconds($0) }, timeoutStarts: starts,
      settle: settle.map { .seconds($0) }, activity: activity))
}

func subscribe(_ id: SubscriptionID, _ level: AccuracyLevel = .room) -> Input {
  .subscribe(id, .fixes(FixTerms(level: level)))
}

func authorizationSignal(_ status: Authorization.Status, remedy: String? = nil) -> Input {
  .signal(.authorization(Authorization(status, remedy: remedy)))
}

func heading(_ degrees: Double, accuracy: Double? = nil) -> Heading? {
  Heading(degrees: degrees, reference: .trueNorth, accuracy: accuracy)
}

let noSky = SourceProblem(.noPosition, message: "see the sky")
let unreachable = SourceProblem(.unreachable, message: "reach the receiver")
let noCompass = SourceProblem(.unreachable, message: "find a compass")
