import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy

/// Decisions and their inputs as text.
struct DecisionText {
  /// Whether the text shows coordinates.
  var showsPlaces: Bool

  /// Returns the line for a request or another input; `nil` for a source's signal, which only its decisions describe.
  func line(_ input: Input) -> String? {
    switch input {
    case .request(let id, let terms): "request \(id.number) added: \(TermsText.request(terms))"
    case .completeNow(let id): "request \(id.number) asked to end with its best fix"
    case .cancel(let id): "request \(id.number) was cancelled"
    case .subscribe(let id, let terms): "subscription \(id.number) added: \(TermsText.subscription(terms))"
    case .unsubscribe(let id): "subscription \(id.number) was cancelled"
    case .signal(.segmentBegan): "the source begins a new segment"
    case .track(let id, let command): "tracker \(id.number) is to \(command.rawValue)"
    case .fences(let command): FenceText.line(command)
    case .restore(let left): TermsText.restoration(left)
    case .endTrip(let id): "trip \(id) is over"
    case .power(let state): PowerText.line(state)
    case .signal, .follow, .wake: nil
    }
  }

  func line(_ decision: Decision) -> String {
    switch decision {
    case .refused(let fix, let refusal): "fix refused: \(reason(refusal))\(place(fix))"
    case .fixWithheld: "fix refused: \(reason(.unauthorized))"
    case .timelineRestarted(let fix):
      """
      the time of the fixes went back or was corrected: a new timeline begins\
      \(fix.time.map { " at \($0.iso8601)" } ?? "")\(place(fix))
      """
    case .jumpBelieved(let fix, let jump): "jump accepted: \(text(jump))\(place(fix))"
    case .notAccepted(let id, let fix, let reason):
      "subscription \(id.number) does not log the fix: \(AcceptanceText.reason(reason))\(place(fix))"
    case .headingRefused: "heading refused: its stated accuracy is unusable"
    case .motionChanged(let change): MotionText.line(change)
    case .requestEnded(let id, _, let outcome, let waited):
      "request \(id.number) \(outcomeText(outcome, after: TermsText.duration(waited)))"
    case .subscriptionEnded(let id, _, let lasted):
      "subscription \(id.number) over after \(TermsText.duration(lasted))"
    case .demandChanged(_, let new, let cause):
      new == .off
        ? "source off: \(text(cause, isOff: true))"
        : "source asked for \(TermsText.demand(new)): \(text(cause, isOff: false))"
    case .sourceAskedAgain(let problem, let demand):
      "source asked again for \(TermsText.demand(demand)): it could not \(problem.message)"
    case .sourceRestarted(let silence, let demand):
      "source stopped and started for \(TermsText.demand(demand)): no fix for \(TermsText.duration(silence))"
    case .trackPhase(let id, let phase, let cause): "tracker \(id.number) \(phase.rawValue): \(text(cause))"
    case .signalChanged(let id, let old, let new):
      "tracker \(id.number): signal \(text(new)), was \(text(old))"
    case .fenceRefused(let id, .duplicate): "fence \(id) refused: another fence has this id"
    case .fenceRefused(let id, .unknownTimeZone(_, let zone)):
      "fence \(id) refused: the time zone \(zone) is unknown"
    case .fence(let decision): FenceText.line(decision)
    case .fencePower(let power): FenceText.line(power)
    case .wakeRegionsChanged(let count, let isCrowded):
      FenceText.line(wakeRegions: count, isCrowded: isCrowded)
    case .power(let decision): PowerText.line(decision)
    case .authorizationAsked(let level): "permission requested: \(level.rawValue)"
    case .authorizationChanged(let old, let new): "permission: \(text(new)), was \(text(old))"
    case .sourceChanged(let old, let new): source(new, was: old)
    case .sourcesChanged(let sources): "sources: \(sources.map(SourceText.short).joined(separator: "; "))"
    case .headingsChanged(.available): "headings are available"
    case .headingsChanged(.unknown): "it is unknown whether headings are available"
    case .headingsChanged(.unavailable(let problem)): "no headings: could not \(problem.message)"
    case .journalStopped(let problem): "the journal stopped: could not \(problem.message)"
    }
  }

  // MARK: Parts

  func reason(_ refusal: Refusal) -> String {
    switch refusal {
    case .invalidAccuracy: "its accuracy is negative or not a number"
    case .fromTheFuture(let duration): "\(TermsText.duration(duration)) from the future"
    case .withoutTime: "no time: its age is unknown"
    case .duplicate: "a duplicate of an earlier fix"
    case .outOfOrder(let duration): "\(TermsText.duration(duration)) older than a fix already used"
    case .outlier(let outlier): text(outlier)
    case .unauthorized: "the permission is missing"
    }
  }

  /// Returns `the device can't be 213 m away after 1 s (767 km/h); it is 210 m off, and 41 m are possible`.
  private func text(_ outlier: Outlier) -> String {
    let away = Quantities.length(outlier.distance), after = Quantities.duration(outlier.seconds)
    let speed = outlier.impliedSpeed.map { " (\(Quantities.speed($0)))" } ?? ""
    let off = "\(Quantities.length(outlier.off)) off, \(Quantities.length(outlier.allowed)) possible"
    return switch outlier.cause {
    case .place: "the device can't be in two places at once, \(away) apart: \(off)"
    case .speed, .acceleration: "the device can't have moved \(away) in \(after)\(speed): \(off)"
    }
  }

  private func text(_ jump: Outlier.BelievedJump) -> String {
    let away = "\(Quantities.length(jump.outlier.distance)) in \(Quantities.duration(jump.outlier.seconds))"
    return jump.agreeing == 1
      ? "\(away), because no earlier fix supports the previous one"
      : "\(away), since \(Quantities.count(jump.agreeing, "fix", "fixes")) agree"
  }

  private func outcomeText(_ outcome: RequestOutcome, after waited: String) -> String {
    let best = outcome.answer.map { "; best \(text($0))" } ?? "; no fix"
    return switch outcome {
    case .reached(let answer): "answered after \(waited): \(text(answer))"
    case .settled(let answer): "settled after \(waited): \(text(answer))"
    case .timedOut: "timed out after \(waited)\(best)"
    case .unauthorized(let authorization):
      "ended after \(waited): the permission is missing, \(text(authorization))"
    case .completedEarly: "ended early after \(waited)\(best)"
    case .cancelled: "cancelled after \(waited)"
    case .sourceFailed(let problem, _): "ended after \(waited): could not \(problem.message)\(best)"
    case .sourceEnded: "ended after \(waited): the source ended\(best)"
    }
  }

  private func text(_ cause: TrackPhase.Cause) -> String {
    switch cause {
    case .asked(let command): "command \(command.rawValue)"
    case .unauthorized(let authorization): "the permission is missing, \(text(authorization))"
    case .sourceFailed(let problem), .sourceEnded(let problem?): "could not \(problem.message)"
    case .sourceEnded(nil): "the source ended"
    case .released: "it was cancelled"
    case .tripEnded(let trip): "trip \(trip) has ended"
    }
  }

  private func text(_ signal: SignalStrength) -> String {
    switch signal {
    case .invalid: "absent"
    case .weak: "weak"
    case .consistentlyWeak: "weak for long; poorer fixes are used"
    case .strong: "strong"
    }
  }

  /// Returns `24 m (block), 3 s old`.
  private func text(_ answer: Answer) -> String {
    let accuracy = answer.fix.horizontalAccuracy.map(Quantities.accuracy) ?? "accuracy not known"
    let level = answer.level.map { " (\($0.name))" } ?? ""
    let age = answer.age < .milliseconds(50) ? "new" : "\(TermsText.duration(answer.age)) old"
    return "\(accuracy)\(level), \(age)\(place(answer.fix))"
  }

  private func text(_ authorization: Authorization) -> String {
    let accuracy = authorization.isAllowed && authorization.accuracy == .reduced ? ", reduced accuracy" : ""
    return "\(authorization.status.rawValue)\(accuracy)"
  }

  private func text(_ cause: Decision.DemandCause, isOff: Bool) -> String {
    var parts: [String] = []
    if isOff, cause.came == nil, cause.power == nil, let last = cause.left.last, cause.left.count == 1 {
      return "\(name(last)) ended, the last"
    }
    if let came = cause.came { parts.append("\(name(came)) came") }
    switch cause.left.count {
    case 0: break
    case 1...3: parts.append("\(cause.left.map(name).joined(separator: ", ")) ended")
    case let count: parts.append("\(count.grouped) consumers ended")
    }
    if let reason = cause.power { parts.append("power: \(reason.rawValue)") }
    return parts.joined(separator: ", ")
  }

  private func name(_ requester: Decision.Requester) -> String {
    switch requester {
    case .request(let id): "request \(id.number)"
    case .subscription(let id): "subscription \(id.number)"
    case .fences: "fences"
    }
  }

  private func source(_ new: ServiceStatus.Source, was old: ServiceStatus.Source) -> String {
    switch new {
    case .working:
      if case .failed = old { "the source is tried again" } else { "the source delivers" }
    case .unavailable(let problem): "the source is unavailable: could not \(problem.message)"
    // A timeout is part of the caller's terms, not a problem of the source.
    case .failed(let problem) where problem.code == .timedOut:
      "the replay ended at its time limit: could not \(problem.message)"
    case .failed(let problem): "the source failed: could not \(problem.message)"
    case .ended(nil): "the source ended"
    case .ended(let problem?): "the source ended: could not \(problem.message)"
    }
  }

  private func place(_ fix: Fix) -> String {
    guard showsPlaces else { return "" }
    return " at \(fix.coordinate.latitude.fixed(6)), \(fix.coordinate.longitude.fixed(6))"
  }
}
