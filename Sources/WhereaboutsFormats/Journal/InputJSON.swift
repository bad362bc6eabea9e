package import WhereaboutsCore

extension [UInt8] {
  /// Puts an input's members: the first says what happened.
  package mutating func put(_ input: Input) {
    switch input {
    case .signal(let signal): put(signal)
    case .request(let id, let terms):
      put("request", id.number)
      put(terms)
    case .follow(let id): put("follow", id.number)
    case .completeNow(let id): put("completeNow", id.number)
    case .cancel(let id): put("cancel", id.number)
    case .subscribe(let id, let terms):
      put("subscribe", id.number)
      put(terms)
    case .unsubscribe(let id): put("unsubscribe", id.number)
    case .track(let id, let command):
      put("tracker", id.number)
      put("command", command.rawValue)
    case .fences(let command): put(command)
    case .restore(let left): if let left = encodedJSON(left) { put("restore", left) }
    case .endTrip(let id): put("endTrip", id.rawValue)
    case .power(let state): put("power", state)
    case .wake: put("wake", true)
    }
  }

  private mutating func put(_ signal: SourceSignal) {
    switch signal {
    case .fix(let fix, let rule):
      put("fix", fix)
      if rule != .sinceArrival { put("age", rule.rawValue) }
    case .heading(let heading): put("heading", heading)
    case .headingsUnavailable(let trouble): put("headingsUnavailable", trouble)
    case .authorization(let authorization): put("authorization", authorization)
    case .satellites(let sky): put("satellites", sky)
    case .segmentBegan: put("segmentBegan", true)
    case .unavailable(let trouble): put("unavailable", trouble)
    case .failed(let trouble): put("failed", trouble)
    case .sources(let sources): if let sources = encodedJSON(sources) { put("sources", sources) }
    case .ended: put("ended", true)
    }
  }
}
