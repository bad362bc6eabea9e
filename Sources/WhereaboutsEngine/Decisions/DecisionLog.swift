public import WhereaboutsModel

/// A log that derives decisions, with their numbers, from an engine's inputs and effects.
///
/// The log stores the terms and start of each pending request and subscription, and the last reported demand and
/// status. So the log must receive every input of the engine from the first on.
///
/// - Complexity: an input costs the number of its effects. A fix that decides nothing allocates nothing.
public struct DecisionLog: Sendable {
  private struct OpenEntry<Terms: Sendable>: Sendable {
    let terms: Terms
    let since: Instant
  }

  private var requests: [RequestID: OpenEntry<RequestTerms>] = [:]
  private var subscriptions: [SubscriptionID: OpenEntry<SubscriptionTerms>] = [:]
  /// The last reported signal strength of each tracker.
  private var signalStrengths: [SubscriptionID: SignalStrength] = [:]
  private var demand = Demand.off
  private var wakeRegions: [WakeRegion] = []
  /// The fences' demand on the source.
  private var fenceDemand = Demand.off
  private var status: ServiceStatus

  /// Creates a log of an engine that has these settings and has had no input yet.
  public init(settings: EngineSettings) {
    status = ServiceStatus(authorization: settings.initialAuthorization)
  }

  /// Returns the decisions made with an input; see ``record(_:at:effects:into:)``.
  public mutating func decisions(after input: Input, at now: Moment, effects: [Effect]) -> [Decision] {
    var decisions: [Decision] = []
    record(input, at: now, effects: effects, into: &decisions)
    return decisions
  }

  /// Appends the decisions made with an input, in the order of the effects.
  ///
  /// - Parameters:
  ///   - input: the input.
  ///   - now: the moment at which the engine received the input.
  ///   - effects: all effects that the engine returned for the input, and nothing else.
  ///   - decisions: the list that the decisions are appended to.
  public mutating func record(
    _ input: Input, at now: Moment, effects: [Effect], into decisions: inout [Decision]
  ) {
    var cause = Decision.DemandCause()
    let sourceBefore = status.source
    var isRestarting = false
    recordInput(input, at: now.instant, effects, &cause)
    for effect in effects {
      switch effect {
      case .decided(let decision):
        decisions.append(decision)
        if case .sourceRestarted = decision { isRestarting = true }
        if case .fencePower(let power) = decision { recordFencePower(power, &cause) }
        if case .power(let power) = decision { cause.power = power.reason }
      case .finish(let ids, let outcome):
        for id in ids { recordEnd(end: id, outcome, at: now.instant, &cause, into: &decisions) }
      case .finishSubscription(let id):
        guard let ended = subscriptions.removeValue(forKey: id) else { continue }
        signalStrengths[id] = nil
        cause.recordDeparture(.subscription(id))
        decisions.append(.subscriptionEnded(id, ended.terms, after: now.instant.since(ended.since)))
      case .status(let now): updateStatus(to: now, into: &decisions)
      case .askAuthorization(let level): decisions.append(.authorizationAsked(level))
      // The decision itself states that the source was off for no time.
      case .demand where isRestarting: break
      case .demand(let now): updateDemand(to: now, because: cause, sourceBefore, into: &decisions)
      case .notify(let id, let event): recordEvent(event, to: id, &cause, into: &decisions)
      case .wake, .progress, .fence: break
      }
    }
  }

  private mutating func recordFencePower(_ power: FencePower, _ cause: inout Decision.DemandCause) {
    guard power.need != fenceDemand else { return }
    fenceDemand = power.need
    // A requester added at the same moment is the cause, if any.
    if power.need == .off {
      cause.recordDeparture(.fences)
    } else if cause.came == nil {
      cause.came = .fences
    }
  }

  private mutating func recordEnd(
    end id: RequestID, _ outcome: RequestOutcome, at now: Instant, _ cause: inout Decision.DemandCause,
    into decisions: inout [Decision]
  ) {
    guard let ended = requests.removeValue(forKey: id) else { return }
    cause.recordDeparture(.request(id))
    decisions.append(.requestEnded(id, ended.terms, outcome, after: now.since(ended.since)))
  }

  private mutating func recordEvent(
    _ event: SubscriptionEvent, to id: SubscriptionID, _ cause: inout Decision.DemandCause,
    into decisions: inout [Decision]
  ) {
    switch event {
    case .trackPhase(let phase, let reason):
      decisions.append(.trackPhase(id, phase, because: reason))
      if phase == .stopped { cause.recordDeparture(.subscription(id)) }
    case .track(let update):
      let before = signalStrengths.updateValue(update.signal, forKey: id) ?? .invalid
      if update.signal != before { decisions.append(.signalChanged(id, from: before, to: update.signal)) }
    default: break
    }
  }

  private mutating func recordInput(
    _ input: Input, at now: Instant, _ effects: [Effect], _ cause: inout Decision.DemandCause
  ) {
    switch input {
    case .request(let id, let terms):
      requests[id] = OpenEntry(terms: terms, since: now)
      cause.came = .request(id)
    case .subscribe(let id, let terms):
      subscriptions[id] = OpenEntry(terms: terms, since: now)
      cause.came = .subscription(id)
    case .unsubscribe(let id):
      // The subscription's time may have ended at this very moment: then it ended by itself.
      guard !effects.contains(.finishSubscription(id)), subscriptions.removeValue(forKey: id) != nil else {
        return
      }
      signalStrengths[id] = nil
      cause.recordDeparture(.subscription(id))
    case .track(let id, .prepare), .track(let id, .start): cause.came = .subscription(id)
    case .track, .signal, .follow, .completeNow, .cancel, .fences, .restore, .endTrip, .power, .wake: break
    }
  }

  private mutating func updateStatus(to new: ServiceStatus, into decisions: inout [Decision]) {
    let old = status
    status = new
    if new.authorization != old.authorization {
      decisions.append(.authorizationChanged(from: old.authorization, to: new.authorization))
    }
    if new.source != old.source { decisions.append(.sourceChanged(from: old.source, to: new.source)) }
    if new.sources != old.sources { decisions.append(.sourcesChanged(new.sources)) }
    if new.headings != old.headings { decisions.append(.headingsChanged(to: new.headings)) }
  }

  private mutating func updateDemand(
    to new: Demand, because cause: Decision.DemandCause, _ sourceBefore: ServiceStatus.Source,
    into decisions: inout [Decision]
  ) {
    // A change of the regions is a decision of its own.
    let old = demand, isOfRegions = new.wakeRegions != wakeRegions
    (demand, wakeRegions) = (new.withoutRegions, new.wakeRegions)
    let new = demand
    if new != old {
      decisions.append(.demandChanged(from: old, to: new, because: cause))
    } else if !isOfRegions, new != .off, case .failed(let problem) = sourceBefore {
      decisions.append(.sourceAskedAgain(problem, demand: new))
    }
  }
}

extension Decision.DemandCause {
  /// Records a requester that was removed, once; one added and removed at the same moment is left out. A tracker whose
  /// source ends is stopped, and its subscription ends.
  fileprivate mutating func recordDeparture(_ requester: Decision.Requester) {
    if came == requester {
      came = nil
    } else if !left.contains(requester) {
      left.append(requester)
    }
  }
}
