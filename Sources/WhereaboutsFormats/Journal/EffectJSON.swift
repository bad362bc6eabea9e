package import WhereaboutsCore
import WhereaboutsGeodesy

extension [UInt8] {
  /// Appends an effect's members: the first names the action.
  package mutating func appendJSONMembers(_ effect: Effect) {
    switch effect {
    case .demand(let demand): appendJSONMember("demand", demand)
    case .askAuthorization(let level): appendJSONMember("askAuthorization", level.rawValue)
    case .wake(let instant):
      if let instant { appendJSONMember("wake", instant) } else { appendJSONMember("wake", text: "never") }
    case .finish(let ids, let outcome):
      appendJSONMember("finish", ids.map(\.number))
      appendJSONMembers(outcome)
    case .progress(let id, let answer):
      appendJSONMember("progress", id.number)
      appendJSONMembers(answer)
    case .tell(let id, let event):
      appendJSONMember("tell", id.number)
      appendJSONMembers(event)
    case .finishSubscription(let id): appendJSONMember("finishSubscription", id.number)
    case .fence(let note): appendJSONMembers(note)
    case .status(let status): appendJSONMember("status", status)
    case .decided(let decision): appendJSONMember("decided") { $0.appendJSONMembers(decision) }
    }
  }

  package mutating func appendJSONMember(_ key: StaticString, _ demand: Demand) {
    appendJSONMember(key) {
      switch demand.fixes {
      case .off: if demand.headings == nil { $0.appendJSONMember("off", true) }
      case .significantChanges: $0.appendJSONMember("significantChanges", true)
      case .continuous(let wanted):
        $0.appendJSONMember("accuracy", wanted.accuracy)
        $0.appendJSONMember("distanceFilter", wanted.distanceFilter)
        if wanted.interval != .zero { $0.appendJSONMember("interval", wanted.interval) }
        $0.appendJSONMember("activity", wanted.activity.rawValue)
      }
      if let headings = demand.headings { $0.appendJSONMember("headings", headings.filter) }
    }
  }

  /// Appends a request's outcome: its name, and its fix or reason.
  package mutating func appendJSONMembers(_ outcome: RequestOutcome, hidingPlace isHidden: Bool = false) {
    appendJSONMember("outcome", text: outcome.name)
    switch outcome {
    case .unauthorized(let authorization): appendJSONMember("authorization", authorization)
    case .sourceFailed(let trouble, _): appendJSONMember("trouble", trouble)
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
    case .headingsUnavailable(let trouble): appendJSONMember("headingsUnavailable", trouble)
    case .trouble(let trouble): appendJSONMember("trouble", trouble)
    case .authorization(let authorization): appendJSONMember("authorization", authorization)
    }
  }

  package mutating func appendJSONMember(_ key: StaticString, _ visit: Visit) {
    appendJSONMember(key) {
      $0.appendJSONMember("lat", visit.coordinate.latitude)
      $0.appendJSONMember("lon", visit.coordinate.longitude)
      $0.appendJSONMember("hacc", visit.accuracy)
      $0.appendJSONMember("arrival", visit.arrival)
      $0.appendJSONMember("departure", visit.departure)
      $0.appendJSONMember("leftBefore", visit.leftBefore)
    }
  }

  package mutating func appendJSONMember(_ key: StaticString, _ status: ServiceStatus) {
    appendJSONMember(key) {
      $0.appendJSONMember("authorization", status.authorization)
      $0.appendJSONMember("headings", status.headings)
      $0.appendJSONMember("source", status.source)
      if !status.sources.isEmpty, let sources = encodedJSON(status.sources) {
        $0.appendJSONMember("sources", sources)
      }
    }
  }

  package mutating func appendJSONMember(_ key: StaticString, _ headings: ServiceStatus.HeadingAvailability) {
    switch headings {
    case .unknown: appendJSONMember(key, text: "unknown")
    case .available: appendJSONMember(key, text: "available")
    case .unavailable(let trouble): appendJSONMember(key) { $0.appendJSONMember("unavailable", trouble) }
    }
  }

  package mutating func appendJSONMember(_ key: StaticString, _ source: ServiceStatus.Source) {
    switch source {
    case .working: appendJSONMember(key, text: "working")
    case .unavailable(let trouble): appendJSONMember(key) { $0.appendJSONMember("unavailable", trouble) }
    case .failed(let trouble): appendJSONMember(key) { $0.appendJSONMember("failed", trouble) }
    case .ended(nil): appendJSONMember(key, text: "ended")
    case .ended(let trouble?): appendJSONMember(key) { $0.appendJSONMember("ended", trouble) }
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
