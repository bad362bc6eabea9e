import WhereaboutsModel

/// The engine's handling of the source's signals.
extension Engine {
  mutating func handle(_ signal: SourceSignal, at now: Moment, into effects: inout [Effect]) {
    switch signal {
    case .fix(let fix, let rule): handle(fix, age: rule, at: now, into: &effects)
    case .heading(let heading): handle(heading, into: &effects)
    case .headingsUnavailable(let problem): endHeadings(problem, into: &effects)
    case .authorization(let authorization): handle(authorization, at: now.instant, into: &effects)
    case .unavailable(let problem):
      guard status.source != .unavailable(problem) else { return }
      status.source = .unavailable(problem)
      notifyAll(.problem(problem), into: &effects)
      let isSilence = problem.code == .silent
      subscriptions.trackers.suspendSilenceCheck(at: now.instant, isSilence: isSilence) {
        effects.append(.notify($0, $1))
      }
    case .failed(let problem):
      // A retry that fails like the try before is reported only to subscribers who were not notified of that one.
      let isRepeated =
        status.source == .failed(problem) || (status.source == .working && problemBefore == problem)
      status.source = .failed(problem)
      sourceRetry.recordFailure(at: now.instant)
      let best = bestFix.answer(at: now.instant)
      finish(requests.removeAll(), .sourceFailed(problem, best: best), into: &effects)
      for id in subscriptions.ids where !isRepeated || unnotifiedSubscriptions.contains(id) {
        effects.append(.notify(id, .problem(problem)))
      }
      unnotifiedSubscriptions.removeAll()
      stopTrackers(because: .sourceFailed(problem), into: &effects)
    case .ended:
      endSource(at: now.instant, into: &effects)
    case .segmentBegan:
      resetMotion(into: &effects)
      subscriptions.trackers.endSegment(restartsTimeline: false) { effects.append(.notify($0, $1)) }
      endFenceSegment(restartsTimeline: false, into: &effects)
    case .sources(let sources): updateSources(sources, at: now)
    case .wakeCapacity(let capacity, let radius):
      wakeCapacity = max(0, capacity)
      greatestWakeRadius = radius
      fences?.setWakeCapacity(wakeCapacity, greatestRadius: radius)
    case .woke:
      hasWoken = true
      fences?.wake(at: now.instant)
    case .satellites: break  // The engine uses no satellite data yet.
    }
  }

  /// Updates the health of each source, with the beginning of its state.
  private mutating func updateSources(_ sources: [SourceHealth], at now: Moment) {
    let before = status.sources
    status.sources = sources.map { source in
      var source = source
      let old = before.first { $0.name == source.name }
      let goesOn = old?.state == source.state && old?.problem?.code == source.problem?.code
      source.since = goesOn ? old?.since ?? now : now
      return source
    }
  }

  private mutating func endSource(at now: Instant, into effects: inout [Effect]) {
    // A repeated end adds nothing, and the first problem stands.
    if case .ended = status.source { return }
    // The last failure is the cause of the end, even if a retry happened in between.
    if case .failed(let problem) = status.source {
      status.source = .ended(problem)
    } else {
      if let problemBefore { notifyAll(.problem(problemBefore), into: &effects) }
      status.source = .ended(problemBefore)
    }
    let best = bestFix.answer(at: now)
    let outcome =
      problemBefore.map { .sourceFailed($0, best: best) } ?? RequestOutcome.sourceEnded(best: best)
    finish(requests.removeAll(), outcome, into: &effects)
    subscriptions.acceptHeld(at: now) { effects.append(.notify($0, $1)) }
    stopTrackers(because: .sourceEnded(problemBefore), into: &effects)
    for ended in subscriptions.removeAll() { finish(ended, into: &effects) }
  }

  // MARK: Fixes

  private mutating func handle(
    _ fix: Fix, age rule: SourceSignal.AgeRule, at now: Moment, into effects: inout [Effect]
  ) {
    guard !status.authorization.isRefused else {
      fixCounts.refused[.unauthorized, default: 0] += 1
      effects.append(.decided(.fixWithheld(madeAt: fix.time)))
      return
    }
    subscriptions.trackers.recordSignal(at: now.instant)
    silenceBeforeRestart = nil
    var timed: TimedFix
    switch gate.judge(fix, age: rule, at: now) {
    case .accepted(let fix, let validAt):
      timed = TimedFix(fix: fix, validAt: validAt)
    case .acceptedOnNewTimeline(let fix, let validAt):
      timed = TimedFix(fix: fix, validAt: validAt)
      fixCounts.timelineRestarts += 1
      outliers.reset()
      effects.append(.decided(.timelineRestarted(fix)))
      resetMotion(into: &effects)
      subscriptions.restartTimeline { effects.append(.notify($0, $1)) }
      endFenceSegment(restartsTimeline: true, into: &effects)
    case .refused(let refusal):
      refuse(fix, refusal, into: &effects)
      if refusal.isDueToOrder {
        var late = TimedFix(fix: ValidityGate.cleaned(fix), validAt: now.instant)
        late.mayPrecedeStart = rule == .sinceTrustedTime
        let isTracked = !late.mayPrecedeStart || !refusal.isFarBack
        handle(late: late, isTracked: isTracked, at: now, into: &effects)
      }
      return
    }
    timed.mayPrecedeStart = rule == .sinceTrustedTime
    if status.authorization.status == .notDetermined, !status.authorization.noticesChanges {
      // The source was made to check again, and the fix is the result.
      handle(Authorization(.always, noticesChanges: false), at: now.instant, into: &effects)
    }
    guard isPlausible(timed, into: &effects) else {
      record(timed.fix, .implausible, at: now)
      // The fences weigh contradicting fixes by themselves, and learn from them how far to trust the receiver.
      processFences(timed, at: now.instant, into: &effects)
      return
    }
    fixCounts.accepted += 1
    record(timed.fix, .used, at: now)
    if status.source != .working { status.source = .working }
    if problemBefore != nil {
      problemBefore = nil
      unnotifiedSubscriptions.removeAll()
    }
    sourceRetry.recordDelivery()
    endAuthorizationWait()
    last = timed
    processMotion(timed.fix, at: now.instant, into: &effects)
    let isBetter = bestFix.consider(timed, activity: activity)
    settlingDetector.process(timed)
    endRequests(with: timed, at: now.instant, into: &effects)
    if isBetter { emitProgress(at: now.instant, into: &effects) }
    deliver(timed, at: now, into: &effects)
    processFences(timed, at: now.instant, into: &effects)
  }

  /// Passes a fix that came out of order to the consumers that reorder fixes.
  ///
  /// - Parameter isTracked: whether trackers may count the fix.
  private mutating func handle(
    late timed: TimedFix, isTracked: Bool, at now: Moment, into effects: inout [Effect]
  ) {
    record(timed.fix, .late, at: now)
    if isTracked {
      let needsSnapshot = subscriptions.trackers.offer(late: timed) { effects.append(.notify($0, $1)) }
      if needsSnapshot { pendingPersistence.isSnapshotStale = true }
    } else if subscriptions.trackers.countsTrip {
      // A replay from the last snapshot would count the fix.
      pendingPersistence.isSnapshotStale = true
    }
    processFences(late: timed.fix, into: &effects)
  }

  /// Returns whether the device can have reached the place of the fix, or a jump is trusted.
  private mutating func isPlausible(_ timed: TimedFix, into effects: inout [Effect]) -> Bool {
    switch outliers.judge(timed, activity: activity) {
    case .accepted: break
    case .believed(let jump):
      fixCounts.jumps += 1
      effects.append(.decided(.jumpBelieved(timed.fix, jump)))
      // Answers about another place no longer count, however exact.
      bestFix.reset()
      settlingDetector.reset()
      subscriptions.discardHeld()
      resetMotion(into: &effects)
    case .refused(let outlier):
      refuse(timed.fix, .outlier(outlier), into: &effects)
      return false
    }
    return true
  }

  private mutating func refuse(_ fix: Fix, _ refusal: Refusal, into effects: inout [Effect]) {
    fixCounts.refused[refusal.reason, default: 0] += 1
    effects.append(.decided(.refused(fix, refusal)))
  }

  var activity: Activity {
    if case .continuous(let demand) = needRegistry.merged.fixes { demand.activity } else { .other }
  }

  private mutating func deliver(_ timed: TimedFix, at now: Moment, into effects: inout [Effect]) {
    var over: [SubscriptionID] = []
    subscriptions.offer(timed) {
      effects.append(.notify($0, $1))
    } isOver: {
      over.append($0)
    }
    for id in over {
      if let ended = subscriptions.remove(id) { finish(ended, into: &effects) }
    }
    subscriptions.offer(timed, at: now.instant) {
      effects.append(.notify($0, $1))
    } passOver: {
      effects.append(.decided(.notAccepted($0, timed.fix, because: $1)))
    }
    let needsSnapshot = subscriptions.trackers.offer(timed, motion: motion, at: now) {
      effects.append(.notify($0, $1))
    }
    if needsSnapshot { pendingPersistence.isSnapshotStale = true }
  }

  // MARK: Headings

  private mutating func handle(_ heading: Heading, into effects: inout [Effect]) {
    if status.headings != .available { status.headings = .available }
    if !heading.isUsable { effects.append(.decided(.headingRefused(heading))) }
    subscriptions.offer(heading) { effects.append(.notify($0, $1)) }
  }

  private mutating func endHeadings(_ problem: SourceProblem, into effects: inout [Effect]) {
    status.headings = .unavailable(problem)
    for id in subscriptions.headingIDs {
      effects.append(.notify(id, .headingsUnavailable(problem)))
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
      clearPositions(into: &effects)
    }
    if isGone { withholdFences() }
    if authorization.isRefused {
      finish(requests.removeAll(), .unauthorized(authorization), into: &effects)
    } else if authorization.isAllowed {
      requests.startWaitingDeadlines(at: now)
    } else if before.status != .notDetermined {
      hasRequestedAuthorization = false
    }
    notifyAll(.authorization(authorization), into: &effects)
    if authorization.isRefused {
      stopTrackers(because: .unauthorized(authorization), reportsPlaces: false, into: &effects)
    } else if authorization.isAllowed != before.isAllowed {
      subscriptions.trackers.setAuthorized(authorization.isAllowed, at: now) {
        effects.append(.notify($0, $1))
      }
    }
    if authorization.isAllowed { releaseWithheld(at: now, into: &effects) }
  }

  /// Clears the positions known under an authorization that has ended.
  private mutating func clearPositions(into effects: inout [Effect]) {
    bestFix.reset()
    settlingDetector.reset()
    resetMotion(into: &effects)
    outliers.reset()
    subscriptions.clearPositions()
    // The device's last side of each fence is stored but not reported. A change is reported once fixes show it again.
    endFenceSegment(restartsTimeline: false, into: &effects)
    last = nil
    withheld = nil
  }

  /// Withholds the sides of the fences until fixes are allowed. Their stays begin again then: whether the device has
  /// stayed meanwhile is unknown, and would reveal its place during the refusal.
  private mutating func withholdFences() {
    awaitsAuthorization = true
    fences?.restartStays()
  }

  // MARK: Reports

  private func notifyAll(_ event: SubscriptionEvent, into effects: inout [Effect]) {
    for id in subscriptions.ids { effects.append(.notify(id, event)) }
  }
}

extension Refusal {
  /// Whether the fix is too late to be merely out of order.
  fileprivate var isFarBack: Bool {
    if case .outOfOrder(let delay) = self { delay >= ValidityGate.reorderTolerance } else { false }
  }
}
