import WhereaboutsEngine
import WhereaboutsModel

/// Checks the effects of an engine against a simple model, and records violations.
struct EngineInvariantChecker {
  private struct PendingRequest {
    var terms: RequestTerms
    var deadline: Instant?
    var isFollowed = false
  }

  private let settings: EngineSettings
  private var requests: [RequestID: PendingRequest] = [:]
  private var subscriptions: [SubscriptionID: (terms: SubscriptionTerms, deadline: Instant?)] = [:]
  private var trackers = TrackerInvariantChecker()
  private var status: ServiceStatus
  private var demand = Demand.off
  private var wake: Instant?
  private var hasRequestedAuthorization = false
  /// The number of the last input with each fix, by the time of the fix.
  private var inputNumbersByFixTime: [UTCTime?: Int] = [:]
  private var inputCount = 0
  /// The first input whose fixes may be delivered.
  private var firstUsableInput = 0

  /// The time of the last source failure.
  private var sourceFailedAt: Instant?

  private var fences = FenceInvariantChecker()
  private var ledger = PowerLedgerInvariantChecker()
  private var power = PowerState.unknown

  private(set) var violations: [String] = []

  init(_ engine: Engine) {
    settings = engine.settings
    status = engine.status
  }

  /// Checks the effects of an input.
  mutating func observe(_ input: Input, at now: Moment, _ effects: [Effect], _ engine: Engine) {
    inputCount += 1
    let before = status
    applyInput(input, at: now.instant)
    for effect in effects { check(effect, during: input, at: now.instant, engine) }
    if case .track(let id, let command) = input, subscriptions[id].map({ isTracker($0.terms) }) == true {
      trackers.expectAnswer(to: command, of: id, in: effects)
    }
    for complaint in trackers.violations { recordViolation(complaint) }
    for complaint in fences.observe(input, effects, engine) { recordViolation(complaint) }
    for complaint in ledger.observe(engine, at: now) { recordViolation(complaint) }
    checkFinalState(input, at: now.instant, before: before, engine)
  }

  // MARK: Inputs

  private mutating func applyInput(_ input: Input, at now: Instant) {
    switch input {
    case .request(let id, let terms):
      let starts = terms.timeoutStarts == .whenRequested || status.authorization.isAllowed
      requests[id] = PendingRequest(
        terms: terms, deadline: starts ? terms.timeout.map { now.advanced(by: $0) } : nil)
    case .subscribe(let id, let terms):
      var deadline: Instant?
      if case .fixes(let wanted) = terms { deadline = wanted.duration.map { now.advanced(by: $0) } }
      subscriptions[id] = (terms, deadline)
    case .signal(.authorization(let new)) where new.isAllowed:
      for (id, waiting) in requests where waiting.deadline == nil {
        requests[id]?.deadline = waiting.terms.timeout.map { now.advanced(by: $0) }
      }
    case .signal(.fix(let fix, _)): inputNumbersByFixTime[fix.time] = inputCount
    case .signal(.failed): sourceFailedAt = now
    case .power(let state): power = state
    default: break
    }
  }

  // MARK: Effects

  private mutating func check(_ effect: Effect, during input: Input, at now: Instant, _ engine: Engine) {
    switch effect {
    case .finish(let ids, let outcome):
      if ids.isEmpty { recordViolation("a finish effect without requests") }
      for id in ids { endRequest(id, outcome, at: now, engine) }
    case .progress(let id, let answer):
      if case .follow(id) = input { requests[id]?.isFollowed = true }
      if requests[id]?.isFollowed != true { recordViolation("progress of \(id), which has no observer") }
      checkDelivered(answer.fix)
    case .notify(let id, let event):
      if subscriptions[id] == nil { recordViolation("\(id) is notified after its end") }
      if case .fix(let fix) = event { checkDelivered(fix) }
      if case .accepted(let accepted) = event {
        checkDelivered(accepted.fix)
        subscriptions[id]?.deadline = nil
      }
      trackers.observe(event, to: id, during: input, engine.status)
      if case .track(let update) = event, let fix = update.fix { checkDelivered(fix) }
      if case .visit = event, status.authorization.isRefused { recordViolation("a visit while refused") }
    case .finishSubscription(let id):
      if subscriptions.removeValue(forKey: id) == nil { recordViolation("\(id) is finished twice") }
    case .status(let new):
      if new == status { recordViolation("the same status twice") }
      if new.authorization.status != .notDetermined { hasRequestedAuthorization = false }
      status = new
    case .askAuthorization(let level):
      if hasRequestedAuthorization { recordViolation("permission requested twice") }
      if settings.authorization != .needed(asking: level) {
        recordViolation("the wrong level requested: \(level)")
      }
      if status.authorization.status != .notDetermined {
        recordViolation("permission requested although determined")
      }
      if engine.demand.fixes == .off { recordViolation("permission requested without a demand for fixes") }
      hasRequestedAuthorization = true
    case .demand(let new):
      if new == demand, !mayRepeatDemand(input), !isRetryDue(at: now) {
        recordViolation("the same demand twice: \(new)")
      }
      demand = new
    case .wake(let instant):
      if instant == wake { recordViolation("the same wake twice") }
      wake = instant
    case .decided(.notAccepted(let id, let fix, because: let reason)):
      guard case .accepted(let terms)? = subscriptions[id]?.terms else {
        return recordViolation("\(id) does not accept fixes")
      }
      if reason == .held(1) { subscriptions[id]?.deadline = now.advanced(by: terms.wait) }
      if fix.horizontalAccuracy.map({ $0 <= terms.requiredAccuracy }) ?? false, !reason.isAge {
        subscriptions[id]?.deadline = nil
      }
    case .decided(.jumpBelieved): clearHeldDeadlines()
    case .decided: break
    case .fence: break
    }
  }

  /// Clears the deadlines of held fixes.
  private mutating func clearHeldDeadlines() {
    for (id, subscription) in subscriptions {
      if case .accepted = subscription.terms { subscriptions[id]?.deadline = nil }
    }
  }

  private mutating func endRequest(
    _ id: RequestID, _ outcome: RequestOutcome, at now: Instant, _ engine: Engine
  ) {
    guard let waiting = requests.removeValue(forKey: id) else { return recordViolation("\(id) ended twice") }
    if let answer = outcome.answer {
      checkDelivered(answer.fix)
      if answer.age < .zero { recordViolation("an answer from the future") }
    }
    let terms = waiting.terms
    switch outcome {
    case .reached(let answer):
      let isReached =
        answer.fix.horizontalAccuracy.map { terms.level.isReached(byAccuracy: $0, age: answer.age) } ?? false
      if !isReached { recordViolation("\(id) was not reached by \(answer)") }
    case .settled:
      if terms.settle == nil { recordViolation("\(id) settled without a settling time") }
    case .timedOut:
      if waiting.deadline.map({ now >= $0 }) != true { recordViolation("\(id) timed out too soon") }
    case .unauthorized(let authorization):
      if authorization.isAllowed { recordViolation("\(id) ended as unauthorized although allowed") }
    case .completedEarly, .cancelled, .sourceFailed, .sourceEnded: break
    }
  }

  /// Checks that a delivered fix was received, with a permission that is still valid.
  private mutating func checkDelivered(_ fix: Fix) {
    guard let came = inputNumbersByFixTime[fix.time] else {
      return recordViolation("a delivered fix that was never received")
    }
    if came < firstUsableInput { recordViolation("a delivered fix from before a loss of permission") }
  }

  /// Whether an unchanged demand may be repeated: a new consumer after a source failure.
  private func mayRepeatDemand(_ input: Input) -> Bool {
    switch input {
    case .request, .subscribe, .track, .fences: true
    default: false
    }
  }

  /// Whether the automatic retry of a failed source is due.
  private func isRetryDue(at now: Instant) -> Bool {
    guard case .failed = status.source, let sourceFailedAt else { return false }
    return now >= sourceFailedAt.advanced(by: .seconds(10))
  }

  // MARK: State after each input

  private mutating func checkFinalState(
    _ input: Input, at now: Instant, before: ServiceStatus, _ engine: Engine
  ) {
    if case .unsubscribe(let id) = input { subscriptions[id] = nil }
    if case .follow(let id) = input { requests[id]?.isFollowed = true }
    applyAuthorizationChange(before: before.authorization, after: engine.status.authorization)

    let waiting = requests.values.map { expectedDemand($0.terms) }
    let following = subscriptions.compactMap { trackers.isResting($0) ? nil : expectedDemand($1.terms) }
    let needs = waiting + demandsAllowedByPower(following)
    let needed = (needs + fences.demands).reduce(Demand.off) { $0.merged(with: $1) }
    if engine.demand != needed { recordViolation("demand \(engine.demand), needed \(needed)") }
    if demand != engine.demand { recordViolation("the source did not receive \(engine.demand)") }
    if (engine.demand == .off) != (needs + fences.demands).allSatisfy({ $0 == .off }) {
      recordViolation("the source is on without a demand, or off with one")
    }

    let due = (requests.values.map(\.deadline) + subscriptions.values.map(\.deadline)).compactMap { $0 }.min()
    if !isExpectedWake(engine.nextWake, due, at: now) {
      recordViolation("wakes at \(String(describing: engine.nextWake)), due \(String(describing: due))")
    }
    if wake != engine.nextWake { recordViolation("the host did not receive the wake time") }
    if let due, due <= now { recordViolation("a passed deadline has not ended its request") }
    if status != engine.status { recordViolation("the status was not reported") }
    if engine.status.authorization.isRefused, !requests.isEmpty {
      recordViolation("a request waits although refused")
    }
    if case .ended = engine.status.source, !(needs + fences.demands).isEmpty {
      recordViolation("a consumer waits for an ended source")
    }
  }

  /// Whether a wake time is expected: the next deadline, or an earlier check for silence.
  private func isExpectedWake(_ wake: Instant?, _ due: Instant?, at now: Instant) -> Bool {
    guard wake != due else { return true }
    if let wake, fences.isWatching, due.map({ wake < $0 }) ?? true { return wake > now }
    // The retry of a failed source may be earlier.
    if let wake, case .failed = status.source, demand != .off, due.map({ wake < $0 }) ?? true {
      return wake > now
    }
    // The signal check of a tracker may be earlier.
    if let wake, trackers.isAnyActive, due.map({ wake < $0 }) ?? true { return wake > now }
    guard let wake, let silence = settings.motion?.silence, due.map({ wake < $0 }) ?? true else {
      return false
    }
    return subscriptions.values.contains { $0.terms == .motions } && wake <= now.advanced(by: silence)
  }

  private mutating func applyAuthorizationChange(before: Authorization, after: Authorization) {
    let isGone = before.status != after.status && !after.isAllowed
    if isGone || before.accuracy == .full && after.accuracy == .reduced {
      firstUsableInput = inputCount
      clearHeldDeadlines()
    }
    // Under a denial new fixes are not delivered either.
    if after.isRefused { firstUsableInput = inputCount + 1 }
  }

  /// Reduces demands to significant changes in the background on battery.
  private func demandsAllowedByPower(_ following: [Demand]) -> [Demand] {
    guard !power.isForeground, power.isCharging == false else { return following }
    return following.map { $0.fixes == .off ? .off : .significantChanges }
  }

  private func expectedDemand(_ terms: RequestTerms) -> Demand {
    .continuous(Demand.Continuous(accuracy: terms.level.worstAccuracy, activity: terms.activity))
  }

  private func expectedDemand(_ terms: SubscriptionTerms) -> Demand {
    switch terms {
    case .fixes(let terms):
      .continuous(
        Demand.Continuous(
          accuracy: terms.level.worstAccuracy, distanceFilter: terms.distanceFilter, activity: terms.activity)
      )
    case .significantChanges: .significantChanges
    case .motions: .continuous(Demand.Continuous(accuracy: 15))
    case .accepted(let terms):
      .continuous(Demand.Continuous(accuracy: terms.requiredAccuracy, activity: terms.activity))
    case .visits(let terms): .continuous(Demand.Continuous(accuracy: terms.radius))
    case .headings(let terms): Demand(headings: Demand.Headings(filter: terms.filter))
    case .track(let terms): .continuous(Demand.Continuous(accuracy: 5, activity: terms.activity))
    }
  }

  private func isTracker(_ terms: SubscriptionTerms) -> Bool {
    if case .track = terms { true } else { false }
  }

  private mutating func recordViolation(_ violation: String) {
    violations.append("input \(inputCount): \(violation)")
  }
}

extension Decision.NonAcceptance {
  fileprivate var isAge: Bool { if case .recentEnough = self { true } else { false } }
}
