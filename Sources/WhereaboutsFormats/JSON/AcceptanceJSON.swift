package import WhereaboutsModel

// Acceptance settings as JSON; docs/journal.md describes the form.

extension [UInt8] {
  package mutating func appendJSONMembers(_ terms: AcceptanceTerms) {
    appendJSONMember("requiredAccuracy", terms.requiredAccuracy)
    appendJSONMember("recencyThreshold", terms.recencyThreshold)
    appendJSONMember("wait", terms.wait)
    appendJSONMember("maximumTries", terms.maximumTries)
    appendJSONMember("distanceFilter", terms.distanceFilter)
    appendJSONMember("walkingDistanceFilter", terms.walkingDistanceFilter)
    appendJSONMember("highwayDistanceFilter", terms.highwayDistanceFilter)
    appendJSONMember("highwaySpeed", terms.highwaySpeed)
    appendJSONMember("highwayRecency", terms.highwayRecency)
    appendJSONMember("ignoresPossibleDuplicates", terms.ignoresPossibleDuplicates)
    appendJSONMember("activity", terms.activity.rawValue)
  }

  package mutating func appendJSONMembers(_ accepted: AcceptedFix) {
    switch accepted.because {
    case .accurate: appendJSONMember("accepted", text: "accurate")
    case .best(let count, let duration):
      appendJSONMember("accepted", text: "best")
      appendJSONMember("of", count)
      appendJSONMember("after", duration)
    }
    appendJSONMember("age", accepted.age)
    appendJSONMember("fix", accepted.fix)
  }

  package mutating func appendJSONMembers(_ reason: Decision.NonAcceptance) {
    switch reason {
    case .recentEnough(let age):
      appendJSONMember("because", text: "recent enough")
      appendJSONMember("age", age)
    case .tooNear(let distance, let needed):
      appendJSONMember("because", text: "too near")
      appendJSONMember("distance", distance)
      appendJSONMember("needed", needed)
    case .possibleDuplicate(let distance, let needed):
      appendJSONMember("because", text: "possible duplicate")
      appendJSONMember("distance", distance)
      appendJSONMember("needed", needed)
    case .held(let count):
      appendJSONMember("because", text: "held")
      appendJSONMember("held", count)
    }
  }
}

extension JSONFields {
  package func acceptanceTerms() throws(FieldError) -> AcceptanceTerms {
    var terms = AcceptanceTerms()
    terms.requiredAccuracy = try double("requiredAccuracy").required("requiredAccuracy")
    terms.recencyThreshold = try duration("recencyThreshold").required("recencyThreshold")
    terms.wait = try duration("wait").required("wait")
    terms.maximumTries = try count("maximumTries").required("maximumTries")
    terms.distanceFilter = try double("distanceFilter").required("distanceFilter")
    terms.walkingDistanceFilter = try double("walkingDistanceFilter").required("walkingDistanceFilter")
    terms.highwayDistanceFilter = try double("highwayDistanceFilter").required("highwayDistanceFilter")
    terms.highwaySpeed = try double("highwaySpeed").required("highwaySpeed")
    terms.highwayRecency = try duration("highwayRecency").required("highwayRecency")
    terms.ignoresPossibleDuplicates = try flag("ignoresPossibleDuplicates").required(
      "ignoresPossibleDuplicates")
    terms.activity = try choice("activity").required("activity")
    return terms
  }
}
