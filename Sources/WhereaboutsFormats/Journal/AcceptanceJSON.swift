package import WhereaboutsCore

// Which fixes are kept, as JSON; docs/journal.md describes it.

extension [UInt8] {
  package mutating func put(_ terms: AcceptanceTerms) {
    put("requiredAccuracy", terms.requiredAccuracy)
    put("recencyThreshold", terms.recencyThreshold)
    put("wait", terms.wait)
    put("maximumTries", terms.maximumTries)
    put("distanceFilter", terms.distanceFilter)
    put("walkingDistanceFilter", terms.walkingDistanceFilter)
    put("highwayDistanceFilter", terms.highwayDistanceFilter)
    put("highwaySpeed", terms.highwaySpeed)
    put("highwayRecency", terms.highwayRecency)
    put("ignoresPossibleDuplicates", terms.ignoresPossibleDuplicates)
    put("activity", terms.activity.rawValue)
  }

  package mutating func put(_ accepted: AcceptedFix) {
    switch accepted.because {
    case .accurate: put("accepted", text: "accurate")
    case .best(let count, let duration):
      put("accepted", text: "best")
      put("of", count)
      put("after", duration)
    }
    put("age", accepted.age)
    put("fix", accepted.fix)
  }

  package mutating func put(_ reason: NotKept) {
    switch reason {
    case .recentEnough(let age):
      put("because", text: "recent enough")
      put("age", age)
    case .tooNear(let distance, let needed):
      put("because", text: "too near")
      put("distance", distance)
      put("needed", needed)
    case .possibleDuplicate(let distance, let needed):
      put("because", text: "possible duplicate")
      put("distance", distance)
      put("needed", needed)
    case .held(let count):
      put("because", text: "held")
      put("held", count)
    }
  }
}

extension JSONFields {
  func acceptanceTerms() throws(Mistake) -> AcceptanceTerms {
    var terms = AcceptanceTerms()
    terms.requiredAccuracy = try double("requiredAccuracy").needed("requiredAccuracy")
    terms.recencyThreshold = try duration("recencyThreshold").needed("recencyThreshold")
    terms.wait = try duration("wait").needed("wait")
    terms.maximumTries = try count("maximumTries").needed("maximumTries")
    terms.distanceFilter = try double("distanceFilter").needed("distanceFilter")
    terms.walkingDistanceFilter = try double("walkingDistanceFilter").needed("walkingDistanceFilter")
    terms.highwayDistanceFilter = try double("highwayDistanceFilter").needed("highwayDistanceFilter")
    terms.highwaySpeed = try double("highwaySpeed").needed("highwaySpeed")
    terms.highwayRecency = try duration("highwayRecency").needed("highwayRecency")
    terms.ignoresPossibleDuplicates = try flag("ignoresPossibleDuplicates").needed(
      "ignoresPossibleDuplicates")
    terms.activity = try choice("activity").needed("activity")
    return terms
  }
}
