package import WhereaboutsModel

extension [UInt8] {
  /// Appends a decision's members: the first names the decision.
  ///
  /// - Parameter isHidden: whether the positions of fixes are left out.
  package mutating func appendJSONMembers(_ decision: Decision, hidingPlace isHidden: Bool = false) {
    switch decision {
    case .refused(let fix, let refusal):
      appendJSONMember("refused", refusal.reason.rawValue)
      appendJSONMember("by", refusal.amount)
      if case .outlier(let outlier) = refusal { appendJSONMembers(outlier) }
      appendJSONMember("fix", fix, hidingPlace: isHidden)
    case .fixWithheld(let time):
      appendJSONMember("refused", Refusal.Reason.unauthorized.rawValue)
      appendJSONMember("time", time)
    case .timelineRestarted(let fix):
      appendJSONMember("timelineRestarted") { $0.appendJSONMember("fix", fix, hidingPlace: isHidden) }
    case .jumpBelieved(let fix, let jump):
      appendJSONMember("jumpBelieved") { $0.appendJSONMember("fix", fix, hidingPlace: isHidden) }
      appendJSONMember("agreeing", jump.agreeing)
      appendJSONMembers(jump.outlier)
    case .notAccepted(let id, let fix, let reason):
      appendJSONMember("notAccepted", id.number)
      appendJSONMembers(reason)
      appendJSONMember("fix", fix, hidingPlace: isHidden)
    case .headingRefused(let heading): appendJSONMember("headingRefused", heading)
    case .motionChanged(let change): appendJSONMember("motionChanged", change)
    case .requestEnded(let id, let terms, let outcome, let waited):
      appendJSONMember("requestEnded", id.number)
      appendJSONMember("after", waited)
      appendJSONMember("terms") { $0.appendJSONMembers(terms) }
      appendJSONMembers(outcome, hidingPlace: isHidden)
    case .subscriptionEnded(let id, let terms, let lasted):
      appendJSONMember("subscriptionEnded", id.number)
      appendJSONMember("after", lasted)
      appendJSONMember("terms") { $0.appendJSONMembers(terms) }
    case .demandChanged(let old, let new, let cause):
      appendJSONMember("demandChanged", new)
      appendJSONMember("from", old)
      appendJSONMember("because", cause)
    case .sourceAskedAgain(let problem, let demand):
      appendJSONMember("sourceAskedAgain", demand)
      appendJSONMember("problem", problem)
    case .sourceRestarted(let silence, let demand):
      appendJSONMember("sourceRestarted", demand)
      appendJSONMember("silentFor", silence)
    case .trackPhase(let id, let phase, let cause):
      appendJSONMember("tracker", id.number)
      appendJSONMember("phase", phase.rawValue)
      appendJSONMembers(cause)
    case .signalChanged(let id, let old, let new):
      appendJSONMember("signalChanged", new.rawValue)
      appendJSONMember("from", old.rawValue)
      appendJSONMember("tracker", id.number)
    case .fenceRefused(let id, .duplicate):
      appendJSONMember("fenceRefused", id.name)
      appendJSONMember("because", text: "duplicate")
    case .fenceRefused(let id, .unknownTimeZone(_, let zone)):
      appendJSONMember("fenceRefused", id.name)
      appendJSONMember("because", text: "unknownTimeZone")
      appendJSONMember("timeZone", zone)
    case .fence(let decision): appendJSONMembers(decision)
    case .fencePower(let power): appendJSONMembers(power)
    case .wakeRegionsChanged(let count, let isCrowded):
      appendJSONMember("wakeRegions", count)
      appendJSONMember("crowded", isCrowded)
    case .power(let decision): appendJSONMembers(decision)
    case .authorizationAsked(let level): appendJSONMember("authorizationAsked", level.rawValue)
    case .authorizationChanged(let old, let new):
      appendJSONMember("authorizationChanged", new)
      appendJSONMember("from", old)
    case .sourceChanged(let old, let new):
      appendJSONMember("sourceChanged", new)
      appendJSONMember("from", old)
    case .sourcesChanged(let sources):
      if let sources = encodedJSON(sources) { appendJSONMember("sourcesChanged", sources) }
    case .headingsChanged(let headings): appendJSONMember("headingsChanged", headings)
    case .journalStopped(let problem): appendJSONMember("journalStopped", problem)
    }
  }

  private mutating func appendJSONMembers(_ outlier: Outlier) {
    appendJSONMember("cause", outlier.cause.rawValue)
    appendJSONMember("distance", outlier.distance)
    appendJSONMember("seconds", outlier.seconds)
    appendJSONMember("off", outlier.off)
    appendJSONMember("allowed", outlier.allowed)
  }

  private mutating func appendJSONMember(_ key: StaticString, _ cause: Decision.DemandCause) {
    appendJSONMember(key) {
      switch cause.came {
      case .request(let id)?: $0.appendJSONMember("request", id.number)
      case .subscription(let id)?: $0.appendJSONMember("subscription", id.number)
      case .fences?: $0.appendJSONMember("fences", true)
      case nil: break
      }
      $0.appendJSONMember("endedRequests", cause.left) {
        if case .request(let id) = $0 { id.number } else { nil }
      }
      $0.appendJSONMember("endedSubscriptions", cause.left) {
        if case .subscription(let id) = $0 { id.number } else { nil }
      }
      if cause.left.contains(.fences) { $0.appendJSONMember("fencesRest", true) }
      $0.appendJSONMember("power", cause.power?.rawValue)
    }
  }

  private mutating func appendJSONMember(
    _ key: StaticString, _ requesters: [Decision.Requester], number: (Decision.Requester) -> UInt64?
  ) {
    let numbers = requesters.compactMap(number)
    guard !numbers.isEmpty else { return }
    appendJSONMember(key, numbers)
  }
}

extension Refusal {
  /// The duration that belongs to the reason, if any.
  package var amount: Duration? {
    switch self {
    case .fromTheFuture(let duration), .outOfOrder(let duration): duration
    case .invalidAccuracy, .withoutTime, .duplicate, .outlier, .unauthorized: nil
    }
  }
}
