import WhereaboutsEngine
import EngineTestSupport
import Whereabouts

/// An engine that processes inputs one by one and records its effects.
struct EngineScenario {
  private var engine: Engine
  private(set) var demand = Demand.off
  private(set) var wake: Instant?
  /// The outcomes of requests, in order.
  private(set) var endings: [(id: RequestID, outcome: RequestOutcome)] = []
  private(set) var authorizationRequests: [Authorization.Level] = []
  private(set) var subscriptionEvents: [SubscriptionID: [SubscriptionEvent]] = [:]
  private(set) var endedSubscriptions: [SubscriptionID] = []
  private(set) var decisions: [Decision] = []
  private(set) var progress: [RequestID: [Answer]] = [:]
  /// The reported fence records, in order.
  private(set) var fenceRecords: [FenceRecord] = []

  init(settings: EngineSettings) {
    engine = Engine(settings: settings)
  }

  var status: ServiceStatus { engine.status }
  func state(_ fence: FenceID) -> FenceState? { engine.fenceState(of: fence) }
  var motion: Motion { engine.motion }
  var refused: [Refusal.Reason: Int] { engine.fixCounts.refused }

  /// The outcome of a request, or `nil` while it is open.
  func outcome(_ id: RequestID) -> RequestOutcome? { endings.first { $0.id == id }?.outcome }

  /// The fixes delivered to a subscription.
  func fixes(_ id: SubscriptionID) -> [Fix] {
    subscriptionEvents[id, default: []].compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
  }

  /// The accepted fixes delivered to a subscription.
  func accepted(_ id: SubscriptionID) -> [AcceptedFix] {
    subscriptionEvents[id, default: []].compactMap {
      if case .accepted(let accepted) = $0 { accepted } else { nil }
    }
  }

  /// The last known fix.
  func lastFix(at seconds: Double) -> Answer? { engine.lastFix(at: t(seconds).instant) }

  /// Processes an input a number of seconds after the start.
  ///
  /// - Parameters:
  ///   - seconds: the time since the start.
  ///   - wallOff: the error of the host's wall clock in seconds; `nil` if the wall clock is unknown.
  /// - Returns: the effects of the input, in order.
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
    case .fence(let record): fenceRecords.append(record)
    case .status: break
    }
  }
}

// MARK: Inputs

func request(
  _ id: RequestID, _ level: AccuracyLevel, timeout seconds: Double? = nil,
  starts: RequestTerms.TimeoutStart = .whenRequested, settle: Double? = nil, _ activity: Activity = .other
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
