import WhereaboutsGeodesy

/// Which fixes one subscriber keeps; ``AcceptanceTerms`` says the rule.
package struct AcceptanceGate: Sendable {
  package enum Verdict: Equatable, Sendable {
    case kept(AcceptedFix)
    case notKept(NotKept)
  }

  private let terms: AcceptanceTerms
  private var last: (told: LastTold, accuracy: Double?)?
  private var best = BestFix()
  private var held = 0
  private var heldSince = Instant.start

  package init(_ terms: AcceptanceTerms) {
    self.terms = terms.sane
  }

  /// When the best of those held is kept at the latest; `nil` where none is.
  package var deadline: Instant? { held > 0 ? heldSince.advanced(by: terms.wait) : nil }

  package mutating func take(_ timed: TimedFix, at now: Instant) -> Verdict {
    if let age = ageOfLast(at: timed) { return .notKept(.recentEnough(age: age)) }
    let isAccurate = timed.fix.horizontalAccuracy.map { $0 <= terms.requiredAccuracy } ?? false
    // It says better where the device is than those held, also where it says that it is still there.
    if isAccurate { dropHeld() }
    if let reason = nearness(of: timed) { return .notKept(reason) }
    guard !isAccurate else { return .kept(keep(timed, .accurate, at: now)) }
    if held == 0 { heldSince = now }
    held += 1
    best.consider(timed, activity: terms.activity)
    guard held >= terms.maximumTries, let kept = keepBest(at: now) else { return .notKept(.held(held)) }
    return .kept(kept)
  }

  /// The last one kept was this, in a run before.
  package mutating func goOn(after timed: TimedFix) {
    last = (LastTold(timed), timed.fix.horizontalAccuracy)
  }

  /// The best of those held, if they have been held for long enough.
  package mutating func takeDue(at now: Instant) -> AcceptedFix? {
    guard let deadline, deadline <= now else { return nil }
    return keepBest(at: now)
  }

  /// Keeps the best of those held, since no better one will come.
  package mutating func keepBest(at now: Instant) -> AcceptedFix? {
    guard held > 0, let timed = best.best else { return nil }
    let reason = AcceptedFix.Reason.best(of: held, after: max(.zero, now.since(heldSince)))
    dropHeld()
    return keep(timed, reason, at: now)
  }

  /// What is held says nothing of where the device is.
  mutating func dropHeld() {
    held = 0
    best.forget()
  }

  /// Nothing is known of where the device was.
  package mutating func forget() {
    dropHeld()
    last = nil
  }

  private mutating func keep(_ timed: TimedFix, _ reason: AcceptedFix.Reason, at now: Instant) -> AcceptedFix
  {
    last = (LastTold(timed), timed.fix.horizontalAccuracy)
    return AcceptedFix(fix: timed.fix, age: timed.age(at: now), because: reason)
  }

  /// How old the last one kept is, while it is accurate and young enough to do.
  private func ageOfLast(at timed: TimedFix) -> Duration? {
    guard let last, let accuracy = last.accuracy, accuracy <= terms.requiredAccuracy else { return nil }
    let age = Duration.nanoseconds(last.told.nanoseconds(until: timed))
    return age < terms.recencyThreshold ? age : nil
  }

  private func nearness(of timed: TimedFix) -> NotKept? {
    guard let last else { return nil }
    let distance = last.told.distance(to: timed), filter = terms.filter(for: timed.fix)
    guard terms.ignoresPossibleDuplicates else {
      return distance < filter ? .tooNear(distance: distance, needed: filter) : nil
    }
    let needed = filter + (last.accuracy ?? 0) + (timed.fix.horizontalAccuracy ?? 0)
    return distance > needed ? nil : .possibleDuplicate(distance: distance, needed: needed)
  }
}
