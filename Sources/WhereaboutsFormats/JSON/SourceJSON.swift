package import WhereaboutsModel

// Demands on a source and its status as JSON.

extension [UInt8] {
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
      if demand.watchesSignificantChanges { $0.appendJSONMember("watchesSignificantChanges", true) }
      if let headings = demand.headings { $0.appendJSONMember("headings", headings.filter) }
      if !demand.wakeRegions.isEmpty {
        $0.appendJSONMember("wakeRegions", demand.wakeRegions.map(\.identifier)) { $0.appendJSONString($1) }
      }
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
    case .unavailable(let problem): appendJSONMember(key) { $0.appendJSONMember("unavailable", problem) }
    }
  }

  package mutating func appendJSONMember(_ key: StaticString, _ source: ServiceStatus.Source) {
    switch source {
    case .working: appendJSONMember(key, text: "working")
    case .unavailable(let problem): appendJSONMember(key) { $0.appendJSONMember("unavailable", problem) }
    case .failed(let problem): appendJSONMember(key) { $0.appendJSONMember("failed", problem) }
    case .ended(nil): appendJSONMember(key, text: "ended")
    case .ended(let problem?): appendJSONMember(key) { $0.appendJSONMember("ended", problem) }
    }
  }
}
