import WhereaboutsFormats
package import WhereaboutsEngine
import WhereaboutsModel

extension [UInt8] {
  /// Appends an input's members: the first names the kind.
  package mutating func appendJSONMembers(_ input: Input) {
    switch input {
    case .signal(let signal): appendJSONMembers(signal)
    case .request(let id, let terms):
      appendJSONMember("request", id.number)
      appendJSONMembers(terms)
    case .follow(let id): appendJSONMember("follow", id.number)
    case .completeNow(let id): appendJSONMember("completeNow", id.number)
    case .cancel(let id): appendJSONMember("cancel", id.number)
    case .subscribe(let id, let terms):
      appendJSONMember("subscribe", id.number)
      appendJSONMembers(terms)
    case .unsubscribe(let id): appendJSONMember("unsubscribe", id.number)
    case .track(let id, let command):
      appendJSONMember("tracker", id.number)
      appendJSONMember("command", command.rawValue)
    case .fences(let command): appendJSONMembers(command)
    case .restore(let left): if let left = encodedJSON(left) { appendJSONMember("restore", left) }
    case .endTrip(let id): appendJSONMember("endTrip", id.rawValue)
    case .power(let state): appendJSONMember("power", state)
    case .wake: appendJSONMember("wake", true)
    }
  }

  private mutating func appendJSONMembers(_ signal: SourceSignal) {
    switch signal {
    case .fix(let fix, let rule):
      appendJSONMember("fix", fix)
      if rule != .sinceArrival { appendJSONMember("age", rule.rawValue) }
    case .heading(let heading): appendJSONMember("heading", heading)
    case .headingsUnavailable(let problem): appendJSONMember("headingsUnavailable", problem)
    case .authorization(let authorization): appendJSONMember("authorization", authorization)
    case .satellites(let sky): appendJSONMember("satellites", sky)
    case .segmentBegan: appendJSONMember("segmentBegan", true)
    case .unavailable(let problem): appendJSONMember("unavailable", problem)
    case .failed(let problem): appendJSONMember("failed", problem)
    case .sources(let sources): if let sources = encodedJSON(sources) { appendJSONMember("sources", sources) }
    case .wakeCapacity(let count, let radius):
      appendJSONMember("wakeCapacity", count)
      appendJSONMember("greatestRadius", radius)
    case .woke(let reason): appendJSONMember("woke", reason.rawValue)
    case .ended: appendJSONMember("ended", true)
    }
  }
}

extension [UInt8] {
  mutating func appendJSONMembers(_ command: FenceCommand) {
    switch command {
    case .add(let fences): appendJSONMember("addFences", fences)
    case .update(let fences): appendJSONMember("updateFences", fences)
    case .remove(let ids): appendJSONMember("removeFences", ids.map(\.name)) { $0.appendJSONString($1) }
    case .removeAll: appendJSONMember("removeAllFences", true)
    case .share(let registry):
      if let registry = encodedJSON(registry) { appendJSONMember("sharedFences", registry) }
    }
  }
}
