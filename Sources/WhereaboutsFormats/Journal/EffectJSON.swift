package import WhereaboutsCore
import WhereaboutsGeodesy

extension [UInt8] {
  /// Puts an effect's members: the first says what is to be done.
  package mutating func put(_ effect: Effect) {
    switch effect {
    case .demand(let demand): put("demand", demand)
    case .askAuthorization(let level): put("askAuthorization", level.rawValue)
    case .wake(let instant):
      if let instant { put("wake", instant) } else { put("wake", text: "never") }
    case .finish(let ids, let outcome):
      put("finish", ids.map(\.number))
      put(outcome)
    case .progress(let id, let answer):
      put("progress", id.number)
      put(answer)
    case .tell(let id, let event):
      put("tell", id.number)
      put(event)
    case .finishSubscription(let id): put("finishSubscription", id.number)
    case .fence(let note): put(note)
    case .status(let status): put("status", status)
    case .decided(let decision): put("decided") { $0.put(decision) }
    }
  }

  package mutating func put(_ key: StaticString, _ demand: Demand) {
    put(key) {
      switch demand.fixes {
      case .off: if demand.headings == nil { $0.put("off", true) }
      case .significantChanges: $0.put("significantChanges", true)
      case .continuous(let wanted):
        $0.put("accuracy", wanted.accuracy)
        $0.put("distanceFilter", wanted.distanceFilter)
        if wanted.interval != .zero { $0.put("interval", wanted.interval) }
        $0.put("activity", wanted.activity.rawValue)
      }
      if let headings = demand.headings { $0.put("headings", headings.filter) }
    }
  }

  /// Puts how a request ended: its name, and the fix or the reason that goes with it.
  package mutating func put(_ outcome: RequestOutcome, hidingPlace isHidden: Bool = false) {
    put("outcome", text: outcome.name)
    switch outcome {
    case .unauthorized(let authorization): put("authorization", authorization)
    case .sourceFailed(let trouble, _): put("trouble", trouble)
    case .reached, .settled, .timedOut, .completedEarly, .cancelled, .sourceEnded: break
    }
    if let answer = outcome.answer { put(answer, hidingPlace: isHidden) }
  }

  /// Puts a fix with its age and the level it reaches.
  package mutating func put(_ answer: Answer, hidingPlace isHidden: Bool = false) {
    put("age", answer.age)
    if let level = answer.level { put("reached", level) }
    put("fix", answer.fix, hidingPlace: isHidden)
  }

  /// Puts what a subscriber is told.
  package mutating func put(_ event: SubscriptionEvent) {
    switch event {
    case .fix(let fix): put("fix", fix)
    case .accepted(let accepted): put(accepted)
    case .visit(let visit): put("visit", visit)
    case .motion(let change): put("motion", change)
    case .heading(let heading): put("heading", heading)
    case .track(let update): put("track", update)
    case .trackPoint(let point): put("trackPoint", point)
    case .trackPhase(let phase, let cause):
      put("phase", phase.rawValue)
      put(cause)
    case .headingUnusable: put("headingUnusable", true)
    case .headingsUnavailable(let trouble): put("headingsUnavailable", trouble)
    case .trouble(let trouble): put("trouble", trouble)
    case .authorization(let authorization): put("authorization", authorization)
    }
  }

  package mutating func put(_ key: StaticString, _ visit: Visit) {
    put(key) {
      $0.put("lat", visit.coordinate.latitude)
      $0.put("lon", visit.coordinate.longitude)
      $0.put("hacc", visit.accuracy)
      $0.put("arrival", visit.arrival)
      $0.put("departure", visit.departure)
      $0.put("leftBefore", visit.leftBefore)
    }
  }

  package mutating func put(_ key: StaticString, _ status: ServiceStatus) {
    put(key) {
      $0.put("authorization", status.authorization)
      $0.put("headings", status.headings)
      $0.put("source", status.source)
      if !status.sources.isEmpty, let sources = encodedJSON(status.sources) { $0.put("sources", sources) }
    }
  }

  package mutating func put(_ key: StaticString, _ headings: ServiceStatus.HeadingAvailability) {
    switch headings {
    case .unknown: put(key, text: "unknown")
    case .available: put(key, text: "available")
    case .unavailable(let trouble): put(key) { $0.put("unavailable", trouble) }
    }
  }

  package mutating func put(_ key: StaticString, _ source: ServiceStatus.Source) {
    switch source {
    case .working: put(key, text: "working")
    case .unavailable(let trouble): put(key) { $0.put("unavailable", trouble) }
    case .failed(let trouble): put(key) { $0.put("failed", trouble) }
    case .ended(nil): put(key, text: "ended")
    case .ended(let trouble?): put(key) { $0.put("ended", trouble) }
    }
  }
}

extension RequestOutcome {
  /// Its name in JSON.
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
