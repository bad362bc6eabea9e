package import WhereaboutsModel

// Outcomes of requests and events of subscriptions as JSON.

extension [UInt8] {
  /// Appends a request's outcome: its name, and its fix or reason.
  package mutating func appendJSONMembers(_ outcome: RequestOutcome, hidingPlace isHidden: Bool = false) {
    appendJSONMember("outcome", text: outcome.name)
    switch outcome {
    case .unauthorized(let authorization): appendJSONMember("authorization", authorization)
    case .sourceFailed(let problem, _): appendJSONMember("problem", problem)
    case .reached, .settled, .timedOut, .completedEarly, .cancelled, .sourceEnded: break
    }
    if let answer = outcome.answer { appendJSONMembers(answer, hidingPlace: isHidden) }
  }

  /// Appends a fix with its age and the level that the fix reaches.
  package mutating func appendJSONMembers(_ answer: Answer, hidingPlace isHidden: Bool = false) {
    appendJSONMember("age", answer.age)
    if let level = answer.level { appendJSONMember("reached", level) }
    appendJSONMember("fix", answer.fix, hidingPlace: isHidden)
  }

  /// Appends a subscription's event.
  package mutating func appendJSONMembers(_ event: SubscriptionEvent) {
    switch event {
    case .fix(let fix): appendJSONMember("fix", fix)
    case .accepted(let accepted): appendJSONMembers(accepted)
    case .visit(let visit): appendJSONMember("visit", visit)
    case .motion(let change): appendJSONMember("motion", change)
    case .heading(let heading): appendJSONMember("heading", heading)
    case .track(let update): appendJSONMember("track", update)
    case .trackPoint(let point): appendJSONMember("trackPoint", point)
    case .trackPhase(let phase, let cause):
      appendJSONMember("phase", phase.rawValue)
      appendJSONMembers(cause)
    case .headingUnusable: appendJSONMember("headingUnusable", true)
    case .headingsUnavailable(let problem): appendJSONMember("headingsUnavailable", problem)
    case .problem(let problem): appendJSONMember("problem", problem)
    case .authorization(let authorization): appendJSONMember("authorization", authorization)
    }
  }
}

extension RequestOutcome {
  /// The name in JSON.
  package var name: StaticString {
    switch self {
    case .reached: "reached"
    case .settled: "settled"
    case .timedOut: "timedOut"
    case .unauthorized: "unauthorized"
    case .completedEarly: "completedEarly"
    case .cancelled: "cancelled"
    case .sourceFailed: "sourceFailed"
    case .sourceEnded: "sourceEnded"
    }
  }
}
