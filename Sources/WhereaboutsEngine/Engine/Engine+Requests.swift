import WhereaboutsModel

/// The engine's handling of requests: opening, following and ending.
extension Engine {
  mutating func openRequest(
    _ id: RequestID, _ terms: RequestTerms, at now: Instant, into effects: inout [Effect]
  ) {
    guard !refusesNewRequests else {
      effects.append(.finish([id], .unauthorized(status.authorization)))
      return
    }
    // Where the best fix is too old for the level, a poorer and newer one may reach it.
    if let answer = bestFix.best?.answer(to: terms.level, at: now) ?? last?.answer(to: terms.level, at: now) {
      effects.append(.finish([id], .reached(answer)))
      return
    }
    switch status.source {
    case .ended(nil):
      effects.append(.finish([id], .sourceEnded(best: bestFix.answer(at: now))))
      return
    case .ended(let problem?):
      effects.append(.finish([id], .sourceFailed(problem, best: bestFix.answer(at: now))))
      return
    case .working, .unavailable, .failed: break
    }
    let waits = terms.timeoutStarts == .whenAuthorized && !status.authorization.isAllowed
    if let timeout = terms.timeout, timeout <= .zero, !waits {
      // Nobody waits for the source, so it is neither retried nor checked again.
      effects.append(.finish([id], outcomeWithoutFix(bestFix.answer(at: now)) { .timedOut(best: $0) }))
      return
    }
    if case .failed(let problem) = status.source { retrySource(after: problem) }
    if status.authorization.isRefused { recheckAuthorization() }
    requests.add(id, terms, at: now, deadlineStarts: !waits)
    needRegistry.add(terms.need, for: .requests)
  }

  /// Retries a source that has given up, for a new request or subscription.
  mutating func retrySource(after problem: SourceProblem) {
    problemBefore = problem
    status.source = .working
    mustRepeatDemand = true
  }

  /// Whether new requests are refused at once.
  var refusesNewRequests: Bool {
    guard status.authorization.isRefused else { return false }
    if case .ended = status.source { return true }
    return status.authorization.noticesChanges
  }

  /// Makes the source check the authorization again, where the end of a refusal would not be reported.
  mutating func recheckAuthorization() {
    status.authorization.status = .notDetermined
    status.authorization.remedy = nil
    mustRepeatDemand = true
  }

  mutating func follow(_ id: RequestID, at now: Instant, into effects: inout [Effect]) {
    guard requests.contains(id) else { return }
    followedRequests.insert(id, open: requests.count, where: requests.contains)
    if let answer = bestFix.answer(at: now) { effects.append(.progress(id, answer)) }
  }

  mutating func emitProgress(at now: Instant, into effects: inout [Effect]) {
    guard !followedRequests.ids.isEmpty, let answer = bestFix.answer(at: now) else { return }
    followedRequests.forgetEnded(where: requests.contains)
    for id in followedRequests.ids { effects.append(.progress(id, answer)) }
  }

  /// Ends the requests that a fix reaches or settles.
  mutating func endRequests(with timed: TimedFix, at now: Instant, into effects: inout [Effect]) {
    guard !requests.isEmpty, let accuracy = timed.fix.horizontalAccuracy else { return }
    let reached = requests.removeReached(accuracy: accuracy, age: timed.age(at: now))
    if !reached.isEmpty { finish(reached, .reached(Answer(timed, at: now)), into: &effects) }
    guard bestFix.best != nil else { return }
    // A fix made before the request is no evidence that fixes have stopped improving since.
    let settled = requests.removeSettled(calmSince: settlingDetector.stableSince, at: timed.validAt)
    guard !settled.isEmpty, let best = bestFix.answer(at: now) else { return }
    finish(settled, .settled(best), into: &effects)
  }

  mutating func endDueRequests(at now: Instant, into effects: inout [Effect]) {
    guard let deadline = requests.nextDeadline(), deadline <= now else { return }
    let best = bestFix.answer(at: now)
    finish(requests.removeDue(at: now), outcomeWithoutFix(best) { .timedOut(best: $0) }, into: &effects)
  }

  /// Returns the outcome of a request without an answer. While the authorization is undetermined and there is no fix,
  /// the authorization is the reason.
  func outcomeWithoutFix(_ best: Answer?, _ outcome: (Answer?) -> RequestOutcome) -> RequestOutcome {
    best == nil && !status.authorization.isAllowed ? .unauthorized(status.authorization) : outcome(best)
  }

  /// Ends requests with the same outcome, in their order.
  mutating func finish(
    _ all: [RequestRegistry.Ended], _ outcome: RequestOutcome, into effects: inout [Effect]
  ) {
    guard let first = all.first else { return }
    // Nearly all requests share one of a few demands: equal demands are counted before they are withdrawn.
    var need = requests.need(of: first)
    var count = 0
    for ended in all {
      let next = requests.need(of: ended)
      if next != need {
        needRegistry.remove(need, count: count, for: .requests)
        need = next
        count = 0
      }
      count += 1
    }
    needRegistry.remove(need, count: count, for: .requests)
    effects.append(.finish(all.map(\.id), outcome))
  }

  mutating func finish(
    _ ended: RequestRegistry.Ended, _ outcome: RequestOutcome, into effects: inout [Effect]
  ) {
    needRegistry.remove(requests.need(of: ended), for: .requests)
    effects.append(.finish([ended.id], outcome))
  }
}

extension TimedFix {
  /// Returns the fix as an answer given now; `nil` if it does not reach the level.
  fileprivate func answer(to level: AccuracyLevel, at now: Instant) -> Answer? {
    guard let accuracy = fix.horizontalAccuracy,
      level.isReached(byAccuracy: accuracy, age: age(at: now))
    else { return nil }
    return Answer(self, at: now)
  }
}
