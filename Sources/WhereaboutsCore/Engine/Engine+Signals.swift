/// What an engine makes of what its source says.
extension Engine {
  mutating func handle(_ signal: SourceSignal, at now: Moment, into effects: inout [Effect]) {
    switch signal {
    case .fix(let fix, let rule): handle(fix, age: rule, at: now, into: &effects)
    case .heading(let heading): handle(heading, into: &effects)
    case .headingsUnavailable(let trouble): endHeadings(trouble, into: &effects)
    case .authorization(let authorization): handle(authorization, at: now.instant, into: &effects)
    case .unavailable(let trouble):
      guard status.source != .unavailable(trouble) else { return }
      status.source = .unavailable(trouble)
      tellAll(.trouble(trouble), into: &effects)
      subscriptions.trackers.excuseSilence(at: now.instant) { effects.append(.tell($0, $1)) }
    case .failed(let trouble):
      // A try that fails as the one before is no news.
      let isNews = status.source != .failed(trouble)
      status.source = .failed(trouble)
      sourceRetry.fail(at: now.instant)
      let best = best.answer(at: now.instant)
      finish(requests.takeAll(), .sourceFailed(trouble, best: best), into: &effects)
      if isNews { tellAll(.trouble(trouble), into: &effects) }
      stopTrackers(because: .sourceFailed(trouble), into: &effects)
    case .ended:
      end(at: now.instant, into: &effects)
    case .segmentBegan:
      beginMotionAnew(into: &effects)
      subscriptions.trackers.breakOff(restartsTime: false) { effects.append(.tell($0, $1)) }
      breakOffFences(restartsTime: false, into: &effects)
    case .sources(let sources): take(sources, at: now)
    case .satellites: break  // Nobody here judges these yet.
    }
  }

  /// Takes how each source is doing, and says since when it is so.
  private mutating func take(_ sources: [SourceHealth], at now: Moment) {
    let before = status.sources
    status.sources = sources.map { source in
      var source = source
      let old = before.first { $0.name == source.name }
      let goesOn = old?.state == source.state && old?.trouble?.code == source.trouble?.code
      source.since = goesOn ? old?.since ?? now : now
      return source
    }
  }

  private mutating func end(at now: Instant, into effects: inout [Effect]) {
    // Said again it says nothing new, and what it ended with stands.
    if case .ended = status.source { return }
    // What it failed with last is why it ended, even if it was asked again before it could say so.
    if case .failed(let trouble) = status.source {
      status.source = .ended(trouble)
    } else {
      if let troubleBefore { tellAll(.trouble(troubleBefore), into: &effects) }
      status.source = .ended(troubleBefore)
    }
    let best = best.answer(at: now)
    let outcome =
      troubleBefore.map { .sourceFailed($0, best: best) } ?? RequestOutcome.sourceEnded(best: best)
    finish(requests.takeAll(), outcome, into: &effects)
    subscriptions.keepHeld(at: now) { effects.append(.tell($0, $1)) }
    stopTrackers(because: .sourceEnded(troubleBefore), into: &effects)
    for ended in subscriptions.removeAll() { finish(ended, into: &effects) }
  }

  // MARK: Fixes

  private mutating func handle(_ fix: Fix, age rule: AgeRule, at now: Moment, into effects: inout [Effect]) {
    guard !status.authorization.isRefused else {
      tally.refused[.unauthorized, default: 0] += 1
      effects.append(.decided(.fixWithheld(madeAt: fix.time)))
      return
    }
    subscriptions.trackers.hear(at: now.instant)
    silenceToBreak = nil
    let timed: TimedFix
    switch gate.judge(fix, age: rule, at: now) {
    case .accepted(let fix, let validAt):
      timed = TimedFix(fix: fix, validAt: validAt)
    case .acceptedOnNewTimeline(let fix, let validAt):
      timed = TimedFix(fix: fix, validAt: validAt)
      tally.timelineRestarts += 1
      outliers.forget()
      effects.append(.decided(.timelineRestarted(fix)))
      beginMotionAnew(into: &effects)
      subscriptions.restartTimeline { effects.append(.tell($0, $1)) }
      breakOffFences(restartsTime: true, into: &effects)
    case .refused(let refusal):
      refuse(fix, refusal, into: &effects)
      if refusal.isOfOrder {
        let fix = ValidityGate.cleaned(fix)
        note(fix, .late, at: now)
        subscriptions.trackers.offer(late: fix, at: now.instant) { effects.append(.tell($0, $1)) }
        watchFences(late: fix, into: &effects)
      }
      return
    }
    if status.authorization.status == .notDetermined, !status.authorization.noticesChanges {
      // It was made to look again, and the fix is its answer.
      handle(Authorization(.always, noticesChanges: false), at: now.instant, into: &effects)
    }
    guard isPossible(timed, into: &effects) else {
      note(timed.fix, .implausible, at: now)
      // They weigh what contradicts the way before by themselves, and learn from it how far the receiver is to be
      // believed.
      watchFences(timed, into: &effects)
      return
    }
    tally.accepted += 1
    note(timed.fix, .used, at: now)
    if status.source != .working { status.source = .working }
    if troubleBefore != nil { troubleBefore = nil }
    sourceRetry.succeed()
    endWaitForPermission()
    last = timed
    watchMotion(timed.fix, at: now.instant, into: &effects)
    let isBetter = best.consider(timed, activity: activity)
    calm.take(timed)
    endRequests(with: timed, at: now.instant, into: &effects)
    if isBetter { tellProgress(at: now.instant, into: &effects) }
    offer(timed, at: now, into: &effects)
    watchFences(timed, into: &effects)
  }

  /// Whether the device can have come there, or is believed to have.
  private mutating func isPossible(_ timed: TimedFix, into effects: inout [Effect]) -> Bool {
    switch outliers.judge(timed, activity: activity) {
    case .accepted: break
    case .believed(let jump):
      tally.jumps += 1
      effects.append(.decided(.jumpBelieved(timed.fix, jump)))
      // What was said of another place is no answer any more, however exact.
      best.forget()
      calm.forget()
      subscriptions.dropHeld()
      beginMotionAnew(into: &effects)
    case .refused(let outlier):
      refuse(timed.fix, .outlier(outlier), into: &effects)
      return false
    }
    return true
  }

  private mutating func refuse(_ fix: Fix, _ refusal: Refusal, into effects: inout [Effect]) {
    tally.refused[refusal.reason, default: 0] += 1
    effects.append(.decided(.refused(fix, refusal)))
  }

  var activity: Activity {
    if case .continuous(let demand) = needs.merged.fixes { demand.activity } else { .other }
  }

  private mutating func offer(_ timed: TimedFix, at now: Moment, into effects: inout [Effect]) {
    var over: [SubscriptionID] = []
    subscriptions.offer(timed) {
      effects.append(.tell($0, $1))
    } isOver: {
      over.append($0)
    }
    for id in over {
      if let ended = subscriptions.remove(id) { finish(ended, into: &effects) }
    }
    subscriptions.offer(timed, at: now.instant) {
      effects.append(.tell($0, $1))
    } passOver: {
      effects.append(.decided(.notKept($0, timed.fix, because: $1)))
    }
    subscriptions.trackers.offer(timed, motion: motion, at: now) { effects.append(.tell($0, $1)) }
  }

  // MARK: Headings

  private mutating func handle(_ heading: Heading, into effects: inout [Effect]) {
    if status.headings != .available { status.headings = .available }
    if !heading.isUsable { effects.append(.decided(.headingRefused(heading))) }
    subscriptions.offer(heading) { effects.append(.tell($0, $1)) }
  }

  private mutating func endHeadings(_ trouble: SourceTrouble, into effects: inout [Effect]) {
    status.headings = .unavailable(trouble)
    for id in subscriptions.headingIDs {
      effects.append(.tell(id, .headingsUnavailable(trouble)))
      if let ended = subscriptions.remove(id) { finish(ended, into: &effects) }
    }
  }

  // MARK: Permission

  private mutating func handle(
    _ authorization: Authorization, at now: Instant, into effects: inout [Effect]
  ) {
    let before = status.authorization
    guard authorization != before else { return }
    status.authorization = authorization
    let isGone = !authorization.isAllowed && authorization.status != before.status
    if isGone || authorization.accuracy == .reduced && before.accuracy == .full {
      forgetPlaces(into: &effects)
    }
    if authorization.isRefused {
      finish(requests.takeAll(), .unauthorized(authorization), into: &effects)
    } else if authorization.isAllowed {
      requests.startWaitingDeadlines(at: now)
    } else if before.status != .notDetermined {
      hasAsked = false
    }
    tellAll(.authorization(authorization), into: &effects)
    if authorization.isRefused {
      stopTrackers(because: .unauthorized(authorization), tellsPlaces: false, into: &effects)
    } else if authorization.isAllowed != before.isAllowed {
      subscriptions.trackers.permit(authorization.isAllowed, at: now) { effects.append(.tell($0, $1)) }
    }
    if authorization.isAllowed { releaseWithheld(at: now, into: &effects) }
  }

  /// What was known under a permission that is gone is not given away any more.
  private mutating func forgetPlaces(into effects: inout [Effect]) {
    best.forget()
    calm.forget()
    beginMotionAnew(into: &effects)
    outliers.forget()
    subscriptions.forgetPlaces()
    // On which side the device was stays known: it is told to nobody, and what has changed is told when it is seen again.
    breakOffFences(restartsTime: false, into: &effects)
    last = nil
    withheld = nil
  }

  // MARK: Telling

  private func tellAll(_ event: SubscriptionEvent, into effects: inout [Effect]) {
    for id in subscriptions.ids { effects.append(.tell(id, event)) }
  }
}
