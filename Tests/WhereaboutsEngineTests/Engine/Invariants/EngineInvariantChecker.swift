import WhereaboutsEngine
import WhereaboutsModel

/// Follows an engine from outside, with the plainest bookkeeping there is, and says what it should not have done.
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
  /// How many inputs there had been when each fix came, or came again, by its time.
  private var inputNumbersByFixTime: [UTCTime?: Int] = [:]
  private var inputCount = 0
  /// Fixes that came before this input are not to be given away any more.
  private var firstUsableInput = 0

  /// When the source last gave up.
  private var sourceFailedAt: Instant?

  private var fences = FenceInvariantChecker()
  private var ledger = PowerLedgerInvariantChecker()
  private var power = PowerState.unknown

  private(set) var violations: [String] = []

  init(_ engine: Engine) {
    settings = engine.settings
    status = engine.status
  }

  /// Sees an input and what came of it.
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

  // MARK: What somebody wants

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

  // MARK: What is done

  private mutating func check(_ effect: Effect, during input: Input, at now: Instant, _ engine: Engine) {
    switch effect {
    case .finish(let ids, let outcome):
      if ids.isEmpty { recordViolation("nobody ended") }
      for id in ids { endRequest(id, outcome, at: now, engine) }
    case .progress(let id, let answer):
      if case .follow(id) = input { requests[id]?.isFollowed = true }
      if requests[id]?.isFollowed != true { recordViolation("progress of \(id), which nobody follows") }
      checkDelivered(answer.fix)
    case .notify(let id, let event):
      if subscriptions[id] == nil { recordViolation("\(id) is told something and is over") }
      if case .fix(let fix) = event { checkDelivered(fix) }
      if case .accepted(let accepted) = event {
        checkDelivered(accepted.fix)
        subscriptions[id]?.deadline = nil
      }
      trackers.observe(event, to: id, during: input, engine.status)
      if case .track(let update) = event, let fix = update.fix { checkDelivered(fix) }
      if case .visit = event, status.authorization.isRefused { recordViolation("a visit while refused") }
    case .finishSubscription(let id):
      if subscriptions.removeValue(forKey: id) == nil { recordViolation("\(id) is over twice") }
    case .status(let new):
      if new == status { recordViolation("the same status twice") }
      if new.authorization.status != .notDetermined { hasRequestedAuthorization = false }
      status = new
    case .askAuthorization(let level):
      if hasRequestedAuthorization { recordViolation("asked twice") }
      if settings.authorization != .needed(asking: level) { recordViolation("asked for \(level)") }
      if status.authorization.status != .notDetermined { recordViolation("asked for what is determined") }
      if engine.demand.fixes == .off { recordViolation("asked though nobody needs a fix") }
      hasRequestedAuthorization = true
    case .demand(let new):
      if new == demand, !mayRepeatDemand(input), !isRetryDue(at: now) {
        recordViolation("the same demand twice: \(new)")
      }
      demand = new
    case .wake(let instant):
      if instant == wake { recordViolation("the same wake twice") }
      wake = instant
    case .decided(.notKept(let id, let fix, because: let reason)):
      guard case .accepted(let terms)? = subscriptions[id]?.terms else {
        return recordViolation("\(id) keeps nothing")
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

  /// Whoever waits for a better fix than those that are held has none any more.
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
      if terms.settle == nil { recordViolation("\(id) did not ask to be settled") }
    case .timedOut:
      if waiting.deadline.map({ now >= $0 }) != true { recordViolation("\(id) timed out too soon") }
    case .unauthorized(let authorization):
      if authorization.isAllowed { recordViolation("\(id) is allowed") }
    case .completedEarly, .cancelled, .sourceFailed, .sourceEnded: break
    }
  }

  /// A fix leaves the engine.
  private mutating func checkDelivered(_ fix: Fix) {
    guard let came = inputNumbersByFixTime[fix.time] else { return recordViolation("a fix that never came") }
    if came < firstUsableInput { recordViolation("a fix from before permission was gone") }
  }

  /// Whether a demand may be told again: somebody came, and the source had given up.
  private func mayRepeatDemand(_ input: Input) -> Bool {
    switch input {
    case .request, .subscribe, .track, .fences: true
    default: false
    }
  }

  /// Whether a source that has given up may be asked again by itself.
  private func isRetryDue(at now: Instant) -> Bool {
    guard case .failed = status.source, let sourceFailedAt else { return false }
    return now >= sourceFailedAt.advanced(by: .seconds(10))
  }

  // MARK: What must hold after each input

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
    if demand != engine.demand { recordViolation("the source was not told \(engine.demand)") }
    if (engine.demand == .off) != (needs + fences.demands).allSatisfy({ $0 == .off }) {
      recordViolation("the source is on for nobody, or off for somebody")
    }

    let due = (requests.values.map(\.deadline) + subscriptions.values.map(\.deadline)).compactMap { $0 }.min()
    if !isExpectedWake(engine.nextWake, due, at: now) {
      recordViolation("wakes at \(String(describing: engine.nextWake)), due \(String(describing: due))")
    }
    if wake != engine.nextWake { recordViolation("the host was not told when to wake") }
    if let due, due <= now { recordViolation("something is due and has not ended") }
    if status != engine.status { recordViolation("the status was not told") }
    if engine.status.authorization.isRefused, !requests.isEmpty {
      recordViolation("a request waits although refused")
    }
    if case .ended = engine.status.source, !(needs + fences.demands).isEmpty {
      recordViolation("somebody waits for a source that is over")
    }
  }

  /// Whether that is when to wake: when something is due, or before that to see whether fixes are silent.
  private func isExpectedWake(_ wake: Instant?, _ due: Instant?, at now: Instant) -> Bool {
    guard wake != due else { return true }
    if let wake, fences.isWatching, due.map({ wake < $0 }) ?? true { return wake > now }
    // A source that has given up may be asked again before.
    if let wake, case .failed = status.source, demand != .off, due.map({ wake < $0 }) ?? true {
      return wake > now
    }
    // A tracker may want to look at its signal before.
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
    // While it is refused even new fixes are nobody's.
    if after.isRefused { firstUsableInput = inputCount + 1 }
  }

  /// In the background on battery there are large moves only.
  private func demandsAllowedByPower(_ following: [Demand]) -> [Demand] {
    guard !power.isForeground, power.isCharging == false else { return following }
    return following.map { $0.fixes == .off ? .off : .significantChanges }
  }

  private func expectedDemand(_ terms: RequestTerms) -> Demand {
    .continuous(ContinuousDemand(accuracy: terms.level.worstAccuracy, activity: terms.activity))
  }

  private func expectedDemand(_ terms: SubscriptionTerms) -> Demand {
    switch terms {
    case .fixes(let terms):
      .continuous(
        ContinuousDemand(
          accuracy: terms.level.worstAccuracy, distanceFilter: terms.distanceFilter, activity: terms.activity)
      )
    case .significantChanges: .significantChanges
    case .motions: .continuous(ContinuousDemand(accuracy: 15))
    case .accepted(let terms):
      .continuous(ContinuousDemand(accuracy: terms.requiredAccuracy, activity: terms.activity))
    case .visits(let terms): .continuous(ContinuousDemand(accuracy: terms.radius))
    case .headings(let terms): Demand(headings: HeadingDemand(filter: terms.filter))
    case .track(let terms): .continuous(ContinuousDemand(accuracy: 5, activity: terms.activity))
    }
  }

  private func isTracker(_ terms: SubscriptionTerms) -> Bool {
    if case .track = terms { true } else { false }
  }

  private mutating func recordViolation(_ what: String) {
    violations.append("input \(inputCount): \(what)")
  }
}

extension NonAcceptance {
  fileprivate var isAge: Bool { if case .recentEnough = self { true } else { false } }
}
