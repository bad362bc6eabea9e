/// Watches what goes into an engine and what comes out of it, and says what was decided, with the numbers.
///
/// It keeps the terms of who is waiting and since when, and what was last told of the demand and of how things stand.
/// So it must see every input of the engine from the first on.
///
/// - Complexity: an input costs the number of its effects. A fix that decides nothing allocates nothing.
public struct DecisionLog: Sendable {
  private struct Open<Terms: Sendable>: Sendable {
    let terms: Terms
    let since: Instant
  }

  private var requests: [RequestID: Open<RequestTerms>] = [:]
  private var subscriptions: [SubscriptionID: Open<SubscriptionTerms>] = [:]
  /// What each tracker was last told of its signal.
  private var signals: [SubscriptionID: SignalStrength] = [:]
  private var demand = Demand.off
  /// What the fences need of the source.
  private var fenceNeed = Demand.off
  private var status: ServiceStatus

  /// A log of an engine that was made with these settings and has had no input yet.
  public init(settings: EngineSettings) {
    status = ServiceStatus(authorization: settings.initialAuthorization)
  }

  /// What was decided with an input; see ``note(_:at:effects:into:)``.
  public mutating func decisions(after input: Input, at now: Moment, effects: [Effect]) -> [Decision] {
    var decisions: [Decision] = []
    note(input, at: now, effects: effects, into: &decisions)
    return decisions
  }

  /// Appends what was decided with an input, in the order of the effects.
  ///
  /// - Parameters:
  ///   - now: the moment the engine was given with it.
  ///   - effects: all that the engine made of it, and nothing else.
  public mutating func note(
    _ input: Input, at now: Moment, effects: [Effect], into decisions: inout [Decision]
  ) {
    var cause = DemandCause()
    let sourceBefore = status.source
    var isRestarting = false
    take(input, at: now.instant, effects, &cause)
    for effect in effects {
      switch effect {
      case .decided(let decision):
        decisions.append(decision)
        if case .sourceRestarted = decision { isRestarting = true }
        if case .fencePower(let power) = decision { note(power, &cause) }
        if case .power(let power) = decision { cause.power = power.reason }
      case .finish(let ids, let outcome):
        for id in ids { note(end: id, outcome, at: now.instant, &cause, into: &decisions) }
      case .finishSubscription(let id):
        guard let ended = subscriptions.removeValue(forKey: id) else { continue }
        signals[id] = nil
        cause.leave(.subscription(id))
        decisions.append(.subscriptionEnded(id, ended.terms, after: now.instant.since(ended.since)))
      case .status(let now): change(to: now, into: &decisions)
      case .askAuthorization(let level): decisions.append(.authorizationAsked(level))
      // That it was off for no time at all is in the decision.
      case .demand where isRestarting: break
      case .demand(let now): change(to: now, because: cause, sourceBefore, into: &decisions)
      case .tell(let id, let event): note(event, to: id, &cause, into: &decisions)
      case .wake, .progress, .fence: break
      }
    }
  }

  private mutating func note(_ power: FencePower, _ cause: inout DemandCause) {
    guard power.need != fenceNeed else { return }
    fenceNeed = power.need
    // Where somebody came at the same moment it is because of them, if at all.
    if power.need == .off { cause.leave(.fences) } else if cause.came == nil { cause.came = .fences }
  }

  private mutating func note(
    end id: RequestID, _ outcome: RequestOutcome, at now: Instant, _ cause: inout DemandCause,
    into decisions: inout [Decision]
  ) {
    guard let ended = requests.removeValue(forKey: id) else { return }
    cause.leave(.request(id))
    decisions.append(.requestEnded(id, ended.terms, outcome, after: now.since(ended.since)))
  }

  private mutating func note(
    _ event: SubscriptionEvent, to id: SubscriptionID, _ cause: inout DemandCause,
    into decisions: inout [Decision]
  ) {
    switch event {
    case .trackPhase(let phase, let reason):
      decisions.append(.trackPhase(id, phase, because: reason))
      if phase == .stopped { cause.leave(.subscription(id)) }
    case .track(let update):
      let before = signals.updateValue(update.signal, forKey: id) ?? .invalid
      if update.signal != before { decisions.append(.signalChanged(id, from: before, to: update.signal)) }
    default: break
    }
  }

  private mutating func take(
    _ input: Input, at now: Instant, _ effects: [Effect], _ cause: inout DemandCause
  ) {
    switch input {
    case .request(let id, let terms):
      requests[id] = Open(terms: terms, since: now)
      cause.came = .request(id)
    case .subscribe(let id, let terms):
      subscriptions[id] = Open(terms: terms, since: now)
      cause.came = .subscription(id)
    case .unsubscribe(let id):
      // Its time may have been up at this very moment: then it ended by itself.
      guard !effects.contains(.finishSubscription(id)), subscriptions.removeValue(forKey: id) != nil else {
        return
      }
      signals[id] = nil
      cause.leave(.subscription(id))
    case .track(let id, .prepare), .track(let id, .start): cause.came = .subscription(id)
    case .track, .signal, .follow, .completeNow, .cancel, .fences, .restore, .endTrip, .power, .wake: break
    }
  }

  private mutating func change(to new: ServiceStatus, into decisions: inout [Decision]) {
    let old = status
    status = new
    if new.authorization != old.authorization {
      decisions.append(.authorizationChanged(from: old.authorization, to: new.authorization))
    }
    if new.source != old.source { decisions.append(.sourceChanged(from: old.source, to: new.source)) }
    if new.sources != old.sources { decisions.append(.sourcesChanged(new.sources)) }
    if new.headings != old.headings { decisions.append(.headingsChanged(to: new.headings)) }
  }

  private mutating func change(
    to new: Demand, because cause: DemandCause, _ sourceBefore: ServiceStatus.Source,
    into decisions: inout [Decision]
  ) {
    let old = demand
    demand = new
    if new != old {
      decisions.append(.demandChanged(from: old, to: new, because: cause))
    } else if case .failed(let trouble) = sourceBefore {
      decisions.append(.sourceAskedAgain(trouble, demand: new))
    }
  }
}

extension DemandCause {
  /// Somebody left; who came and left at once was never there.
  fileprivate mutating func leave(_ requester: Requester) {
    if came == requester { came = nil } else { left.append(requester) }
  }
}
