package import WhereaboutsModel
import WhereaboutsGeodesy

// Fence records and decisions as JSON; docs/journal.md describes the form. Written only, never read.

extension [UInt8] {
  /// Appends a fence record's members: the first names the kind.
  package mutating func appendJSONMembers(_ record: FenceRecord) {
    switch record {
    case .event(let event): appendJSONMembers(event)
    case .revised(let id, let event?):
      appendJSONMember("fenceRevised", id.number)
      appendJSONMembers(event)
    case .revised(let id, nil):
      appendJSONMember("fenceRevised", id.number)
      appendJSONMember("withdrawn", true)
    case .decided(let decision): appendJSONMembers(decision)
    case .removed(let id, let end):
      appendJSONMember("fenceRemoved", id.name)
      appendJSONMember("because", end.rawValue)
    }
  }

  /// Appends an event's members.
  ///
  /// - Parameter isHidden: whether the position is left out.
  package mutating func appendJSONMembers(_ event: FenceEvent, hidingPlace isHidden: Bool = false) {
    appendJSONMember("fence", event.fence.name)
    appendJSONMember("event", event.kind.rawValue)
    appendJSONMember("id", event.id.number)
    appendJSONMember("manner", event.manner.rawValue)
    appendJSONMember("time", event.time)
    appendJSONMember("timeUncertainty", event.timeUncertainty)
    appendJSONMember("lastBefore", event.lastBefore)
    appendJSONMember("firstAfter", event.firstAfter)
    if !isHidden {
      appendJSONMember("lat", event.place.latitude)
      appendJSONMember("lon", event.place.longitude)
    }
    appendJSONMember("confidence", event.confidence)
    appendJSONMember("decided", event.decided)
    appendJSONMember("decidedBy", event.decidedBy, hidingPlace: isHidden)
    appendJSONMember("pending", event.pending)
  }

  /// Appends a decision's members.
  ///
  /// - Parameter key: the key of the evidence's time. The digests of journals need `at`, which is the key of the moment
  ///   in the lines of `whereabouts explain`.
  package mutating func appendJSONMembers(_ decision: FenceDecision, evidenceTime key: StaticString = "at") {
    switch decision {
    case .determined(let id, let side, let evidence):
      appendJSONMember("fenceDetermined", id.name)
      appendJSONMember("side", side.rawValue)
      appendJSONMembers(evidence, key)
    case .suspected(let id, let kind, let evidence):
      appendJSONMembers("fenceSuspected", id, kind, evidence, key)
    case .dismissed(let id, let kind, let evidence, let since):
      appendJSONMembers("fenceDismissed", id, kind, evidence, key)
      appendJSONMember("since", since)
    case .atRest(let id, let kind, let evidence): appendJSONMembers("fenceAtRest", id, kind, evidence, key)
    case .waiting(let id, let kind, let until):
      appendJSONMembers("fenceWaiting", id, kind)
      appendJSONMember("until", until)
    case .tooShort(let id, let kind, let lasted, let needed):
      appendJSONMembers("fenceTooShort", id, kind)
      appendJSONMember("lasted", lasted)
      appendJSONMember("needed", needed)
    case .notAskedFor(let id, let kind, let time):
      appendJSONMembers("fenceNotAskedFor", id, kind)
      appendJSONMember("time", time)
    case .outsideHours(let id, let kind, let time):
      appendJSONMembers("fenceOutsideHours", id, kind)
      appendJSONMember("time", time)
    case .tooCoarse(let time, let accuracy):
      appendJSONMember("fencesTooCoarse", time)
      appendJSONMember("hacc", accuracy)
    case .tooLate(let time, let late):
      appendJSONMember("fencesTooLate", time)
      appendJSONMember("by", late)
    case .doubted(let time, let probability):
      appendJSONMember("fencesDoubted", time)
      appendJSONMember("probability", probability)
    case .timeless: appendJSONMember("fencesTimeless", true)
    }
  }

  private mutating func appendJSONMembers(_ key: StaticString, _ id: FenceID, _ kind: FenceEvent.Kind) {
    appendJSONMember(key, id.name)
    appendJSONMember("event", kind.rawValue)
  }

  private mutating func appendJSONMembers(
    _ key: StaticString, _ id: FenceID, _ kind: FenceEvent.Kind, _ evidence: FenceDecision.Evidence,
    _ timeKey: StaticString
  ) {
    appendJSONMembers(key, id, kind)
    appendJSONMembers(evidence, timeKey)
  }

  private mutating func appendJSONMembers(_ evidence: FenceDecision.Evidence, _ timeKey: StaticString) {
    appendJSONMember(timeKey, evidence.time)
    appendJSONMember("probability", evidence.probability)
    appendJSONMember("needed", evidence.needed)
    appendJSONMember("distance", evidence.distance)
    appendJSONMember("deviation", evidence.deviation)
  }

  package mutating func appendJSONMembers(_ power: FencePower) {
    appendJSONMember("fencePower", power.reason.rawValue)
    appendJSONMember("need", power.need)
    appendJSONMember("clearance", power.clearance)
    appendJSONMember("fence", power.fence?.name)
    appendJSONMember("topSpeed", power.topSpeed)
    appendJSONMember("rest", power.rest)
  }
}
