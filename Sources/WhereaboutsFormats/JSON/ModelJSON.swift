package import WhereaboutsModel
import WhereaboutsGeodesy

// The model's types as JSON objects, exact and without spaces; docs/journal.md describes the form.

extension [UInt8] {
  package mutating func appendJSONMember(_ key: StaticString, _ heading: Heading) {
    appendJSONMember(key) {
      $0.appendJSONMember("degrees", heading.degrees)
      $0.appendJSONMember("reference", heading.reference.rawValue)
      $0.appendJSONMember("accuracy", heading.accuracy)
      $0.appendJSONMember("time", heading.time)
    }
  }

  package mutating func appendJSONMember(_ key: StaticString, _ sky: SatellitesInView) {
    appendJSONMember(key) {
      $0.appendJSONMember("time", sky.time)
      $0.appendJSONMember("list", sky.satellites) { bytes, satellite in
        bytes.appendJSONObject {
          $0.appendJSONMember("system", satellite.constellation.rawValue)
          $0.appendJSONMember("number", Int(satellite.number))
          $0.appendJSONMember("elevation", satellite.elevation)
          $0.appendJSONMember("azimuth", satellite.azimuth)
          $0.appendJSONMember("signal", satellite.signal)
          if satellite.isUsed { $0.appendJSONMember("used", true) }
        }
      }
    }
  }

  package mutating func appendJSONMember(_ key: StaticString, _ problem: SourceProblem) {
    appendJSONMember(key) {
      $0.appendJSONMember("code", problem.code.rawValue)
      $0.appendJSONMember("message", problem.message)
      $0.appendJSONMember("remedy", problem.remedy)
    }
  }

  package mutating func appendJSONMember(_ key: StaticString, _ authorization: Authorization) {
    appendJSONMember(key) {
      $0.appendJSONMember("status", authorization.status.rawValue)
      $0.appendJSONMember("accuracy", authorization.accuracy.rawValue)
      if !authorization.noticesChanges { $0.appendJSONMember("noticesChanges", false) }
      $0.appendJSONMember("remedy", authorization.remedy)
    }
  }

  /// Appends a level: a standard level by its name, another by its numbers.
  package mutating func appendJSONMember(_ key: StaticString, _ level: AccuracyLevel) {
    if AccuracyLevel.named(level.name) == level { return appendJSONMember(key, level.name) }
    appendJSONMember(key) {
      $0.appendJSONMember("accuracy", level.worstAccuracy)
      $0.appendJSONMember("age", level.maxAge)
    }
  }

  package mutating func appendJSONMembers(_ terms: RequestTerms) {
    appendJSONMember("level", terms.level)
    appendJSONMember("timeout", terms.timeout)
    if terms.timeoutStarts != .whenRequested {
      appendJSONMember("timeoutStarts", terms.timeoutStarts.rawValue)
    }
    appendJSONMember("settle", terms.settle)
    if terms.activity != .other { appendJSONMember("activity", terms.activity.rawValue) }
  }

  package mutating func appendJSONMembers(_ terms: SubscriptionTerms) {
    switch terms {
    case .fixes(let terms): appendJSONMember("fixes") { $0.appendJSONMembers(terms) }
    case .significantChanges(let terms):
      appendJSONMember("significantChanges") {
        $0.appendJSONMember("distance", terms.distance)
        $0.appendJSONMember("interval", terms.interval)
        $0.appendJSONMember("farDistance", terms.farDistance)
      }
    case .visits(let terms):
      appendJSONMember("visits") {
        $0.appendJSONMember("radius", terms.radius)
        $0.appendJSONMember("minimumStay", terms.minimumStay)
      }
    case .accepted(let terms): appendJSONMember("accepted") { $0.appendJSONMembers(terms) }
    case .motions: appendJSONMember("motions", true)
    case .headings(let terms):
      appendJSONMember("headings") {
        $0.appendJSONMember("filter", terms.filter)
        $0.appendJSONMember("reference", terms.reference?.rawValue)
      }
    case .track(let terms): appendJSONMember("track") { $0.appendJSONMembers(terms) }
    }
  }

  package mutating func appendJSONMember(_ key: StaticString, _ settings: Outlier.Settings) {
    appendJSONMember(key) {
      $0.appendJSONMember("maximumSpeed", settings.maximumSpeed)
      $0.appendJSONMember("maximumAcceleration", settings.maximumAcceleration)
      $0.appendJSONMember("tolerance", settings.tolerance)
      $0.appendJSONMember("agreeing", settings.agreeing)
      $0.appendJSONMember("memory", settings.memory)
      $0.appendJSONMember("assumedAccuracy", settings.assumedAccuracy)
      $0.appendJSONMember("leastAccuracy", settings.leastAccuracy)
    }
  }

  private mutating func appendJSONMembers(_ terms: FixTerms) {
    appendJSONMember("level", terms.level)
    if terms.distanceFilter != 0 { appendJSONMember("distanceFilter", terms.distanceFilter) }
    if terms.elasticity != 0 { appendJSONMember("elasticity", terms.elasticity) }
    if terms.minimumInterval != .zero { appendJSONMember("minimumInterval", terms.minimumInterval) }
    appendJSONMember("maximumCount", terms.maximumCount)
    appendJSONMember("duration", terms.duration)
    appendJSONMember("lastFixUpTo", terms.lastFixUpTo)
    if terms.activity != .other { appendJSONMember("activity", terms.activity.rawValue) }
  }
}
