package import WhereaboutsCore

extension [UInt8] {
  /// Puts a decision's members: the first names it.
  ///
  /// - Parameter isHidden: leaves out where fixes are.
  package mutating func put(_ decision: Decision, hidingPlace isHidden: Bool = false) {
    switch decision {
    case .refused(let fix, let refusal):
      put("refused", refusal.reason.rawValue)
      put("by", refusal.amount)
      if case .outlier(let outlier) = refusal { put(outlier) }
      put("fix", fix, hidingPlace: isHidden)
    case .fixWithheld(let time):
      put("refused", Refusal.Reason.unauthorized.rawValue)
      put("time", time)
    case .timelineRestarted(let fix): put("timelineRestarted") { $0.put("fix", fix, hidingPlace: isHidden) }
    case .jumpBelieved(let fix, let jump):
      put("jumpBelieved") { $0.put("fix", fix, hidingPlace: isHidden) }
      put("agreeing", jump.agreeing)
      put(jump.outlier)
    case .notKept(let id, let fix, let reason):
      put("notKept", id.number)
      put(reason)
      put("fix", fix, hidingPlace: isHidden)
    case .headingRefused(let heading): put("headingRefused", heading)
    case .motionChanged(let change): put("motionChanged", change)
    case .requestEnded(let id, let terms, let outcome, let waited):
      put("requestEnded", id.number)
      put("after", waited)
      put("terms") { $0.put(terms) }
      put(outcome, hidingPlace: isHidden)
    case .subscriptionEnded(let id, let terms, let lasted):
      put("subscriptionEnded", id.number)
      put("after", lasted)
      put("terms") { $0.put(terms) }
    case .demandChanged(let old, let new, let cause):
      put("demandChanged", new)
      put("from", old)
      put("because", cause)
    case .sourceAskedAgain(let trouble, let demand):
      put("sourceAskedAgain", demand)
      put("trouble", trouble)
    case .sourceRestarted(let silence, let demand):
      put("sourceRestarted", demand)
      put("silentFor", silence)
    case .trackPhase(let id, let phase, let cause):
      put("tracker", id.number)
      put("phase", phase.rawValue)
      put(cause)
    case .signalChanged(let id, let old, let new):
      put("signalChanged", new.rawValue)
      put("from", old.rawValue)
      put("tracker", id.number)
    case .fenceRefused(let id, .duplicate):
      put("fenceRefused", id.name)
      put("because", text: "duplicate")
    case .fenceRefused(let id, .unknownTimeZone(_, let zone)):
      put("fenceRefused", id.name)
      put("because", text: "unknownTimeZone")
      put("timeZone", zone)
    case .fence(let decision): put(decision)
    case .fencePower(let power): put(power)
    case .power(let decision): put(decision)
    case .authorizationAsked(let level): put("authorizationAsked", level.rawValue)
    case .authorizationChanged(let old, let new):
      put("authorizationChanged", new)
      put("from", old)
    case .sourceChanged(let old, let new):
      put("sourceChanged", new)
      put("from", old)
    case .sourcesChanged(let sources):
      if let sources = encodedJSON(sources) { put("sourcesChanged", sources) }
    case .headingsChanged(let headings): put("headingsChanged", headings)
    case .journalStopped(let trouble): put("journalStopped", trouble)
    }
  }

  private mutating func put(_ outlier: Outlier) {
    put("cause", outlier.cause.rawValue)
    put("distance", outlier.distance)
    put("seconds", outlier.seconds)
    put("off", outlier.off)
    put("allowed", outlier.allowed)
  }

  private mutating func put(_ key: StaticString, _ cause: DemandCause) {
    put(key) {
      switch cause.came {
      case .request(let id)?: $0.put("request", id.number)
      case .subscription(let id)?: $0.put("subscription", id.number)
      case .fences?: $0.put("fences", true)
      case nil: break
      }
      $0.put("endedRequests", cause.left) { if case .request(let id) = $0 { id.number } else { nil } }
      $0.put("endedSubscriptions", cause.left) {
        if case .subscription(let id) = $0 { id.number } else { nil }
      }
      if cause.left.contains(.fences) { $0.put("fencesRest", true) }
      $0.put("power", cause.power?.rawValue)
    }
  }

  private mutating func put(_ key: StaticString, _ requesters: [Requester], number: (Requester) -> UInt64?) {
    let numbers = requesters.compactMap(number)
    guard !numbers.isEmpty else { return }
    put(key: key)
    append(UInt8(ascii: "["))
    for number in numbers {
      if last != UInt8(ascii: "[") { append(UInt8(ascii: ",")) }
      append(contentsOf: String(number).utf8)
    }
    append(UInt8(ascii: "]"))
  }
}

extension Refusal {
  /// The number that goes with the reason, where there is one.
  package var amount: Duration? {
    switch self {
    case .fromTheFuture(let duration), .outOfOrder(let duration): duration
    case .invalidAccuracy, .withoutTime, .duplicate, .outlier, .unauthorized: nil
    }
  }
}
