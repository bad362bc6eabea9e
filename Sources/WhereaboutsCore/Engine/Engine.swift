/// All judgement of Whereabouts: inputs in, effects out.
///
/// A value without clock, task, file or random number. Time comes with each input and never goes back; the same inputs
/// give the same effects, on every platform and at any speed. What it can't know it says, and never makes up.
///
/// **The order of things** for a fix, which the effects keep: validity, then requests (those it answers, in the order
/// they were made), then subscriptions (in the order they were made), then what is asked of the source, then the next
/// wake. Deadlines that have come by the time of an input end before the input is looked at, so a fix can't answer a
/// request whose time was up.
///
/// - Complexity: a fix costs the levels that someone waits for, plus the requests it ends, plus the subscriptions;
///   adding and ending a request O(log n). Handling a fix allocates nothing where it ends no request.
public struct Engine: Sendable {
  private var gate = ValidityGate()
  private var best = BestFix()
  private var requests = RequestBook()
  private var subscriptions = SubscriptionBook()
  private var needs = DemandBook()
  private var told = Told()
  private var source = SourceState.working

  /// Fixes used and refused so far.
  public private(set) var tally = FixTally()

  /// What was last told to the outside, to tell only changes.
  private struct Told: Sendable {
    var demand = Demand.off
    var wake: Instant?
  }

  private enum SourceState: Sendable {
    case working
    case failed(SourceTrouble)
    case ended
  }

  /// An engine that nobody asks anything of yet.
  public init() {}

  /// What is asked of the source now.
  public var demand: Demand { told.demand }

  /// The instant at which the engine wants to be woken, if any.
  public var nextWake: Instant? { told.wake }

  /// Takes one input and says what is to be done; see ``handle(_:at:into:)``.
  public mutating func handle(_ input: Input, at now: Moment) -> [Effect] {
    var effects: [Effect] = []
    handle(input, at: now, into: &effects)
    return effects
  }

  /// Takes one input and appends what is to be done.
  ///
  /// - Parameters:
  ///   - now: when the input came. Instants must not go back from one input to the next.
  ///   - effects: appended to; pass a warm array to allocate nothing.
  public mutating func handle(_ input: Input, at now: Moment, into effects: inout [Effect]) {
    endDue(at: now.instant, into: &effects)
    switch input {
    case .signal(let signal): handle(signal, at: now, into: &effects)
    case .request(let id, let terms): open(id, terms, at: now.instant, into: &effects)
    case .completeNow(let id):
      if let terms = requests.remove(id) {
        finish(id, terms, .completedEarly(best: best.answer(at: now.instant)), into: &effects)
      }
    case .cancel(let id):
      if let terms = requests.remove(id) { finish(id, terms, .cancelled, into: &effects) }
    case .subscribe(let id, let terms): subscribe(id, terms, into: &effects)
    case .unsubscribe(let id):
      if let terms = subscriptions.remove(id) { needs.remove(terms.need) }
    case .wake: break  // What was due has ended above.
    }
    tellChanges(into: &effects)
  }

  // MARK: Signals of the source

  private mutating func handle(_ signal: SourceSignal, at now: Moment, into effects: inout [Effect]) {
    switch signal {
    case .fix(let fix, let rule): handle(fix, age: rule, at: now, into: &effects)
    case .unavailable(let trouble):
      source = .working
      tellAll(.trouble(trouble), into: &effects)
    case .failed(let trouble):
      source = .failed(trouble)
      let best = best.answer(at: now.instant)
      for (id, terms) in requests.takeAll() {
        finish(id, terms, .sourceFailed(trouble, best: best), into: &effects)
      }
      tellAll(.trouble(trouble), into: &effects)
    case .ended:
      source = .ended
      let best = best.answer(at: now.instant)
      for (id, terms) in requests.takeAll() { finish(id, terms, .sourceEnded(best: best), into: &effects) }
      for (id, terms) in subscriptions.removeAll() {
        needs.remove(terms.need)
        effects.append(.finishSubscription(id))
      }
    case .segmentBegan, .heading, .satellites:
      break  // Nobody here judges these yet.
    }
  }

  private mutating func handle(_ fix: Fix, age rule: AgeRule, at now: Moment, into effects: inout [Effect]) {
    let timed: TimedFix
    switch gate.judge(fix, age: rule, at: now) {
    case .accepted(let fix, let validAt):
      timed = TimedFix(fix: fix, validAt: validAt)
    case .acceptedOnNewTimeline(let fix, let validAt):
      timed = TimedFix(fix: fix, validAt: validAt)
      tally.timelineRestarts += 1
      effects.append(.decided(.timelineRestarted(fix)))
    case .refused(let refusal):
      tally.refused[refusal.reason, default: 0] += 1
      effects.append(.decided(.refused(fix, refusal)))
      return
    }
    tally.accepted += 1
    source = .working
    best.consider(timed, activity: activity, at: now.instant)
    answerRequests(with: timed, at: now.instant, into: &effects)
    subscriptions.offer(timed.fix) { effects.append(.tell($0, .fix(timed.fix))) }
  }

  private mutating func answerRequests(with timed: TimedFix, at now: Instant, into effects: inout [Effect]) {
    guard !requests.isEmpty, let accuracy = timed.fix.horizontalAccuracy else { return }
    for (id, terms) in requests.takeReached(accuracy: accuracy, age: timed.age(at: now)) {
      finish(id, terms, .reached(Answer(timed, at: now)), into: &effects)
    }
  }

  private var activity: Activity {
    if case .continuous(let demand) = needs.merged { demand.activity } else { .other }
  }

  // MARK: Requests and subscriptions

  private mutating func open(
    _ id: RequestID, _ terms: RequestTerms, at now: Instant, into effects: inout [Effect]
  ) {
    let known = best.answer(at: now)
    if let known, let accuracy = known.fix.horizontalAccuracy,
      terms.level.isReached(byAccuracy: accuracy, age: known.age)
    {
      effects.append(.finish(id, .reached(known)))
      return
    }
    switch source {
    case .ended: effects.append(.finish(id, .sourceEnded(best: known)))
    case .failed(let trouble): effects.append(.finish(id, .sourceFailed(trouble, best: known)))
    case .working:
      requests.add(id, terms, at: now)
      needs.add(terms.need)
      endDue(at: now, into: &effects)  // A timeout of nothing is up at once.
    }
  }

  private mutating func subscribe(
    _ id: SubscriptionID, _ terms: SubscriptionTerms, into effects: inout [Effect]
  ) {
    switch source {
    case .ended: effects.append(.finishSubscription(id))
    case .failed(let trouble):
      subscriptions.add(id, terms)
      needs.add(terms.need)
      effects.append(.tell(id, .trouble(trouble)))
    case .working:
      subscriptions.add(id, terms)
      needs.add(terms.need)
    }
  }

  private mutating func endDue(at now: Instant, into effects: inout [Effect]) {
    guard let wake = requests.nextDeadline(), wake <= now else { return }
    let best = best.answer(at: now)
    for (id, terms) in requests.takeDue(at: now) { finish(id, terms, .timedOut(best: best), into: &effects) }
  }

  private mutating func finish(
    _ id: RequestID, _ terms: RequestTerms, _ outcome: RequestOutcome, into effects: inout [Effect]
  ) {
    needs.remove(terms.need)
    effects.append(.finish(id, outcome))
  }

  // MARK: Telling

  private func tellAll(_ event: SubscriptionEvent, into effects: inout [Effect]) {
    for id in subscriptions.ids { effects.append(.tell(id, event)) }
  }

  private mutating func tellChanges(into effects: inout [Effect]) {
    // With nobody left to need it, a failed source gets a new chance from whoever comes next.
    if case .failed = source, needs.merged == .off { source = .working }
    if needs.merged != told.demand {
      told.demand = needs.merged
      effects.append(.demand(told.demand))
    }
    let wake = requests.nextDeadline()
    if wake != told.wake {
      told.wake = wake
      effects.append(.wake(at: wake))
    }
  }
}
