import WhereaboutsCore

/// Follows an engine from outside, with the plainest bookkeeping there is, and says what it should not have done.
struct EngineWitness {
  private struct Waiting {
    var terms: RequestTerms
    var deadline: Instant?
    var isFollowed = false
  }

  private let settings: EngineSettings
  private var requests: [RequestID: Waiting] = [:]
  private var subscriptions: [SubscriptionID: (terms: SubscriptionTerms, deadline: Instant?)] = [:]
  private var trackers = TrackerWitness()
  private var status: ServiceStatus
  private var demand = Demand.off
  private var wake: Instant?
  private var hasAsked = false
  /// How many inputs there had been when each fix came, or came again, by its time.
  private var came: [UTCTime?: Int] = [:]
  private var inputs = 0
  /// Fixes that came before this input are not to be given away any more.
  private var forgetsBefore = 0

  /// When the source last gave up.
  private var gaveUp: Instant?

  private var fences = FenceWitness()
  private var ledger = LedgerWitness()
  private var power = PowerState.unknown

  private(set) var complaints: [String] = []

  init(_ engine: Engine) {
    settings = engine.settings
    status = engine.status
  }

  /// Sees an input and what came of it.
  mutating func see(_ input: Input, at now: Moment, _ effects: [Effect], _ engine: Engine) {
    inputs += 1
    let before = status
    begin(input, at: now.instant)
    for effect in effects { check(effect, during: input, at: now.instant, engine) }
    if case .track(let id, let command) = input, subscriptions[id].map({ isTracker($0.terms) }) == true {
      trackers.expectAnswer(to: command, of: id, in: effects)
    }
    for complaint in trackers.complaints { complain(complaint) }
    for complaint in fences.see(input, effects, engine) { complain(complaint) }
    for complaint in ledger.see(engine, at: now) { complain(complaint) }
    conclude(input, at: now.instant, before: before, engine)
  }

  // MARK: What somebody wants

  private mutating func begin(_ input: Input, at now: Instant) {
    switch input {
    case .request(let id, let terms):
      let starts = terms.timeoutStarts == .whenRequested || status.authorization.isAllowed
      requests[id] = Waiting(
        terms: terms, deadline: starts ? terms.timeout.map { now.advanced(by: $0) } : nil)
    case .subscribe(let id, let terms):
      var deadline: Instant?
      if case .fixes(let wanted) = terms { deadline = wanted.duration.map { now.advanced(by: $0) } }
      subscriptions[id] = (terms, deadline)
    case .signal(.authorization(let new)) where new.isAllowed:
      for (id, waiting) in requests where waiting.deadline == nil {
        requests[id]?.deadline = waiting.terms.timeout.map { now.advanced(by: $0) }
      }
    case .signal(.fix(let fix, _)): came[fix.time] = inputs
    case .signal(.failed): gaveUp = now
    case .power(let state): power = state
    default: break
    }
  }

  // MARK: What is done

  private mutating func check(_ effect: Effect, during input: Input, at now: Instant, _ engine: Engine) {
    switch effect {
    case .finish(let ids, let outcome):
      if ids.isEmpty { complain("nobody ended") }
      for id in ids { end(id, outcome, at: now, engine) }
    case .progress(let id, let answer):
      if case .follow(id) = input { requests[id]?.isFollowed = true }
      if requests[id]?.isFollowed != true { complain("progress of \(id), which nobody follows") }
      give(answer.fix)
    case .tell(let id, let event):
      if subscriptions[id] == nil { complain("\(id) is told something and is over") }
      if case .fix(let fix) = event { give(fix) }
      if case .accepted(let accepted) = event {
        give(accepted.fix)
        subscriptions[id]?.deadline = nil
      }
      trackers.see(event, to: id, during: input, engine.status)
      if case .track(let update) = event, let fix = update.fix { give(fix) }
      if case .visit = event, status.authorization.isRefused { complain("a visit while refused") }
    case .finishSubscription(let id):
      if subscriptions.removeValue(forKey: id) == nil { complain("\(id) is over twice") }
    case .status(let new):
      if new == status { complain("the same status twice") }
      if new.authorization.status != .notDetermined { hasAsked = false }
      status = new
    case .askAuthorization(let level):
      if hasAsked { complain("asked twice") }
      if settings.authorization != .needed(asking: level) { complain("asked for \(level)") }
      if status.authorization.status != .notDetermined { complain("asked for what is determined") }
      if engine.demand.fixes == .off { complain("asked though nobody needs a fix") }
      hasAsked = true
    case .demand(let new):
      if new == demand, !asksAgain(input), !isRetryDue(at: now) { complain("the same demand twice: \(new)") }
      demand = new
    case .wake(let instant):
      if instant == wake { complain("the same wake twice") }
      wake = instant
    case .decided(.notKept(let id, let fix, because: let reason)):
      guard case .accepted(let terms)? = subscriptions[id]?.terms else {
        return complain("\(id) keeps nothing")
      }
      if reason == .held(1) { subscriptions[id]?.deadline = now.advanced(by: terms.wait) }
      if fix.horizontalAccuracy.map({ $0 <= terms.requiredAccuracy }) ?? false, !reason.isAge {
        subscriptions[id]?.deadline = nil
      }
    case .decided(.jumpBelieved): dropHeld()
    case .decided: break
    case .fence: break
    }
  }

  /// Whoever waits for a better fix than those that are held has none any more.
  private mutating func dropHeld() {
    for (id, subscription) in subscriptions {
      if case .accepted = subscription.terms { subscriptions[id]?.deadline = nil }
    }
  }

  private mutating func end(_ id: RequestID, _ outcome: RequestOutcome, at now: Instant, _ engine: Engine) {
    guard let waiting = requests.removeValue(forKey: id) else { return complain("\(id) ended twice") }
    if let answer = outcome.answer {
      give(answer.fix)
      if answer.age < .zero { complain("an answer from the future") }
    }
    let terms = waiting.terms
    switch outcome {
    case .reached(let answer):
      let isReached =
        answer.fix.horizontalAccuracy.map { terms.level.isReached(byAccuracy: $0, age: answer.age) } ?? false
      if !isReached { complain("\(id) was not reached by \(answer)") }
    case .settled:
      if terms.settle == nil { complain("\(id) did not ask to be settled") }
    case .timedOut:
      if waiting.deadline.map({ now >= $0 }) != true { complain("\(id) timed out too soon") }
    case .unauthorized(let authorization):
      if authorization.isAllowed { complain("\(id) is allowed") }
    case .completedEarly, .cancelled, .sourceFailed, .sourceEnded: break
    }
  }

  /// A fix leaves the engine.
  private mutating func give(_ fix: Fix) {
    guard let came = came[fix.time] else { return complain("a fix that never came") }
    if came < forgetsBefore { complain("a fix from before permission was gone") }
  }

  /// Whether a demand may be told again: somebody came, and the source had given up.
  private func asksAgain(_ input: Input) -> Bool {
    switch input {
    case .request, .subscribe, .track, .fences: true
    default: false
    }
  }

  /// Whether a source that has given up may be asked again by itself.
  private func isRetryDue(at now: Instant) -> Bool {
    guard case .failed = status.source, let gaveUp else { return false }
    return now >= gaveUp.advanced(by: .seconds(10))
  }

  // MARK: What must hold after each input

  private mutating func conclude(_ input: Input, at now: Instant, before: ServiceStatus, _ engine: Engine) {
    if case .unsubscribe(let id) = input { subscriptions[id] = nil }
    if case .follow(let id) = input { requests[id]?.isFollowed = true }
    forget(before: before.authorization, after: engine.status.authorization)

    let waiting = requests.values.map { need($0.terms) }
    let following = subscriptions.compactMap { trackers.isResting($0) ? nil : need($1.terms) }
    let needs = waiting + allowed(following)
    let needed = (needs + fences.needs).reduce(Demand.off) { $0.merged(with: $1) }
    if engine.demand != needed { complain("demand \(engine.demand), needed \(needed)") }
    if demand != engine.demand { complain("the source was not told \(engine.demand)") }
    if (engine.demand == .off) != (needs + fences.needs).allSatisfy({ $0 == .off }) {
      complain("the source is on for nobody, or off for somebody")
    }

    let due = (requests.values.map(\.deadline) + subscriptions.values.map(\.deadline)).compactMap { $0 }.min()
    if !isDue(engine.nextWake, due, at: now) {
      complain("wakes at \(String(describing: engine.nextWake)), due \(String(describing: due))")
    }
    if wake != engine.nextWake { complain("the host was not told when to wake") }
    if let due, due <= now { complain("something is due and has not ended") }
    if status != engine.status { complain("the status was not told") }
    if engine.status.authorization.isRefused, !requests.isEmpty {
      complain("a request waits although refused")
    }
    if case .ended = engine.status.source, !(needs + fences.needs).isEmpty {
      complain("somebody waits for a source that is over")
    }
  }

  /// Whether that is when to wake: when something is due, or before that to see whether fixes are silent.
  private func isDue(_ wake: Instant?, _ due: Instant?, at now: Instant) -> Bool {
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

  private mutating func forget(before: Authorization, after: Authorization) {
    let isGone = before.status != after.status && !after.isAllowed
    if isGone || before.accuracy == .full && after.accuracy == .reduced {
      forgetsBefore = inputs
      dropHeld()
    }
    // While it is refused even new fixes are nobody's.
    if after.isRefused { forgetsBefore = inputs + 1 }
  }

  /// In the background on battery there are large moves only.
  private func allowed(_ following: [Demand]) -> [Demand] {
    guard !power.isForeground, power.isCharging == false else { return following }
    return following.map { $0.fixes == .off ? .off : .significantChanges }
  }

  private func need(_ terms: RequestTerms) -> Demand {
    .continuous(ContinuousDemand(accuracy: terms.level.worstAccuracy, activity: terms.activity))
  }

  private func need(_ terms: SubscriptionTerms) -> Demand {
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

  private mutating func complain(_ what: String) {
    complaints.append("input \(inputs): \(what)")
  }
}

extension NotKept {
  fileprivate var isAge: Bool { if case .recentEnough = self { true } else { false } }
}
