package import WhereaboutsModel
import WhereaboutsGeodesy

/// The gate that selects the fixes one subscriber keeps, by the rule of `AcceptanceTerms`.
package struct AcceptanceGate: Sendable {
  package enum Verdict: Equatable, Sendable {
    case accepted(AcceptedFix)
    case notAccepted(Decision.NonAcceptance)
  }

  private let terms: AcceptanceTerms
  private var last: (fix: ReportedFix, accuracy: Double?)?
  private var best = BestFix()
  private var heldCount = 0
  private var heldSince = Instant.start

  package init(_ terms: AcceptanceTerms) {
    self.terms = terms.validated
  }

  /// The latest instant at which the best held fix is accepted; `nil` where none is held.
  package var deadline: Instant? { heldCount > 0 ? heldSince.advanced(by: terms.wait) : nil }

  package mutating func process(_ timed: TimedFix, at now: Instant) -> Verdict {
    if let age = ageOfLast(at: timed) { return .notAccepted(.recentEnough(age: age)) }
    let isAccurate = timed.fix.horizontalAccuracy.map { $0 <= terms.requiredAccuracy } ?? false
    // An accurate fix locates the device better than the held ones, also where it repeats the last place.
    if isAccurate { discardHeld() }
    if let reason = nearnessProblem(of: timed) { return .notAccepted(reason) }
    guard !isAccurate else { return .accepted(accept(timed, .accurate, at: now)) }
    if heldCount == 0 { heldSince = now }
    heldCount += 1
    best.consider(timed, activity: terms.activity)
    guard heldCount >= terms.maximumTries, let kept = acceptBest(at: now) else {
      return .notAccepted(.held(heldCount))
    }
    return .accepted(kept)
  }

  /// Resumes after the last fix kept in an earlier run.
  package mutating func resume(after timed: TimedFix) {
    last = (ReportedFix(timed), timed.fix.horizontalAccuracy)
  }

  /// Returns the best held fix, if the wait has passed.
  package mutating func acceptDue(at now: Instant) -> AcceptedFix? {
    guard let deadline, deadline <= now else { return nil }
    return acceptBest(at: now)
  }

  /// Returns the best held fix, since no better one can arrive.
  package mutating func acceptBest(at now: Instant) -> AcceptedFix? {
    guard heldCount > 0, let timed = best.best else { return nil }
    let reason = AcceptedFix.Reason.best(of: heldCount, after: max(.zero, now.since(heldSince)))
    discardHeld()
    return accept(timed, reason, at: now)
  }

  /// Discards the held fixes, which are no evidence of the device's place.
  mutating func discardHeld() {
    heldCount = 0
    best.reset()
  }

  /// Forgets all fixes.
  package mutating func reset() {
    discardHeld()
    last = nil
  }

  private mutating func accept(_ timed: TimedFix, _ reason: AcceptedFix.Reason, at now: Instant)
    -> AcceptedFix
  {
    last = (ReportedFix(timed), timed.fix.horizontalAccuracy)
    return AcceptedFix(fix: timed.fix, age: timed.age(at: now), because: reason)
  }

  /// Returns the age of the last kept fix, while it is accurate and recent enough.
  private func ageOfLast(at timed: TimedFix) -> Duration? {
    guard let last, let accuracy = last.accuracy, accuracy <= terms.requiredAccuracy else { return nil }
    let age = Duration.nanoseconds(last.fix.nanoseconds(until: timed))
    return age < terms.recencyThreshold ? age : nil
  }

  private func nearnessProblem(of timed: TimedFix) -> Decision.NonAcceptance? {
    guard let last else { return nil }
    let distance = last.fix.distance(to: timed), filter = terms.filter(for: timed.fix)
    guard terms.ignoresPossibleDuplicates else {
      return distance < filter ? .tooNear(distance: distance, needed: filter) : nil
    }
    let needed = filter + (last.accuracy ?? 0) + (timed.fix.horizontalAccuracy ?? 0)
    return distance > needed ? nil : .possibleDuplicate(distance: distance, needed: needed)
  }
}
