/// How an engine opens, follows and ends requests.
extension Engine {
  mutating func open(
    _ id: RequestID, _ terms: RequestTerms, at now: Instant, into effects: inout [Effect]
  ) {
    guard !isRefusedForNow else {
      effects.append(.finish([id], .unauthorized(status.authorization)))
      return
    }
    let known = best.answer(at: now)
    // Where the best is too old for the level, a poorer and newer one may do.
    let newest = last.map { Answer($0, at: now) }
    if let answer = [known, newest].lazy.compactMap({ $0 }).first(where: { $0.reaches(terms.level) }) {
      effects.append(.finish([id], .reached(answer)))
      return
    }
    switch status.source {
    case .ended(nil):
      effects.append(.finish([id], .sourceEnded(best: known)))
      return
    case .ended(let trouble?):
      effects.append(.finish([id], .sourceFailed(trouble, best: known)))
      return
    case .failed(let trouble): askSourceAgain(after: trouble)
    case .working, .unavailable: break
    }
    if status.authorization.isRefused { lookForPermissionAgain() }
    let waits = terms.timeoutStarts == .whenAuthorized && !status.authorization.isAllowed
    requests.add(id, terms, at: now, deadlineStarts: !waits)
    needs.add(terms.need, as: .requests)
  }

  /// Whoever comes next gives a source that has given up a new chance.
  mutating func askSourceAgain(after trouble: SourceTrouble) {
    troubleBefore = trouble
    status.source = .working
    asksAgain = true
  }

  /// Whether whoever comes is refused at once.
  var isRefusedForNow: Bool {
    guard status.authorization.isRefused else { return false }
    if case .ended = status.source { return true }
    return status.authorization.noticesChanges
  }

  /// A refusal whose end nobody would notice may be over: the source finds out by trying.
  mutating func lookForPermissionAgain() {
    status.authorization.status = .notDetermined
    status.authorization.remedy = nil
    asksAgain = true
  }

  mutating func follow(_ id: RequestID, at now: Instant, into effects: inout [Effect]) {
    guard requests.contains(id) else { return }
    followed.insert(id, open: requests.count, where: requests.contains)
    if let answer = best.answer(at: now) { effects.append(.progress(id, answer)) }
  }

  mutating func tellProgress(at now: Instant, into effects: inout [Effect]) {
    guard !followed.ids.isEmpty, let answer = best.answer(at: now) else { return }
    followed.forgetEnded(where: requests.contains)
    for id in followed.ids { effects.append(.progress(id, answer)) }
  }

  /// Ends the requests that a fix reaches or settles.
  mutating func endRequests(with timed: TimedFix, at now: Instant, into effects: inout [Effect]) {
    guard !requests.isEmpty, let accuracy = timed.fix.horizontalAccuracy else { return }
    let reached = requests.takeReached(accuracy: accuracy, age: timed.age(at: now))
    finish(reached, .reached(Answer(timed, at: now)), into: &effects)
    guard let best = best.answer(at: now) else { return }
    // A fix made before the request says nothing about whether fixes have stopped improving since.
    let settled = requests.takeSettled(calmSince: calm.since, at: timed.validAt)
    finish(settled, .settled(best), into: &effects)
  }

  mutating func endDueRequests(at now: Instant, into effects: inout [Effect]) {
    guard let deadline = requests.nextDeadline(), deadline <= now else { return }
    let best = best.answer(at: now)
    finish(requests.takeDue(at: now), outcomeWithoutFix(best) { .timedOut(best: $0) }, into: &effects)
  }

  /// How a request ends that got no answer: where nothing is known because nobody has said yet whether anything may
  /// be, that is the reason.
  func outcomeWithoutFix(_ best: Answer?, _ outcome: (Answer?) -> RequestOutcome) -> RequestOutcome {
    best == nil && !status.authorization.isAllowed ? .unauthorized(status.authorization) : outcome(best)
  }

  /// Ends requests alike, in their order.
  mutating func finish(
    _ all: [RequestBook.Ended], _ outcome: RequestOutcome, into effects: inout [Effect]
  ) {
    guard let first = all.first else { return }
    // Nearly everyone needs one of a few things: those who need the same are counted before they are withdrawn.
    var need = requests.need(of: first)
    var count = 0
    for ended in all {
      let next = requests.need(of: ended)
      if next != need {
        needs.remove(need, count: count, as: .requests)
        need = next
        count = 0
      }
      count += 1
    }
    needs.remove(need, count: count, as: .requests)
    effects.append(.finish(all.map(\.id), outcome))
  }

  mutating func finish(
    _ ended: RequestBook.Ended, _ outcome: RequestOutcome, into effects: inout [Effect]
  ) {
    finish([ended], outcome, into: &effects)
  }
}

extension Answer {
  /// Whether it is good enough for a level.
  fileprivate func reaches(_ level: AccuracyLevel) -> Bool {
    fix.horizontalAccuracy.map { level.isReached(byAccuracy: $0, age: age) } ?? false
  }
}
