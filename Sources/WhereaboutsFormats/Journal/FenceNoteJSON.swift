package import WhereaboutsCore
import WhereaboutsGeodesy

// What is told and decided about fences, as JSON; docs/journal.md describes it. It is written, not read.

extension [UInt8] {
  /// Puts what a watch over fences says: the first member says what it is.
  package mutating func put(_ note: FenceNote) {
    switch note {
    case .event(let event): put(event)
    case .revised(let id, let event?):
      put("fenceRevised", id.number)
      put(event)
    case .revised(let id, nil):
      put("fenceRevised", id.number)
      put("withdrawn", true)
    case .decided(let decision): put(decision)
    case .removed(let id, let end):
      put("fenceRemoved", id.name)
      put("because", end.rawValue)
    }
  }

  /// Puts an event's members.
  ///
  /// - Parameter isHidden: leaves out where it was.
  package mutating func put(_ event: FenceEvent, hidingPlace isHidden: Bool = false) {
    put("fence", event.fence.name)
    put("event", event.kind.rawValue)
    put("id", event.id.number)
    put("manner", event.manner.rawValue)
    put("time", event.time)
    put("timeUncertainty", event.timeUncertainty)
    put("lastBefore", event.lastBefore)
    put("firstAfter", event.firstAfter)
    if !isHidden {
      put("lat", event.place.latitude)
      put("lon", event.place.longitude)
    }
    put("confidence", event.confidence)
    put("decided", event.decided)
    put("decidedBy", event.decidedBy, hidingPlace: isHidden)
    put("pending", event.pending)
  }

  package mutating func put(_ decision: FenceDecision) {
    switch decision {
    case .determined(let id, let side, let evidence):
      put("fenceDetermined", id.name)
      put("side", side.rawValue)
      put(evidence)
    case .suspected(let id, let kind, let evidence): put("fenceSuspected", id, kind, evidence)
    case .dismissed(let id, let kind, let evidence, let since):
      put("fenceDismissed", id, kind, evidence)
      put("since", since)
    case .atRest(let id, let kind, let evidence): put("fenceAtRest", id, kind, evidence)
    case .waiting(let id, let kind, let until):
      put("fenceWaiting", id, kind)
      put("until", until)
    case .tooShort(let id, let kind, let lasted, let needed):
      put("fenceTooShort", id, kind)
      put("lasted", lasted)
      put("needed", needed)
    case .notAskedFor(let id, let kind, let time):
      put("fenceNotAskedFor", id, kind)
      put("time", time)
    case .outsideHours(let id, let kind, let time):
      put("fenceOutsideHours", id, kind)
      put("time", time)
    case .tooCoarse(let time, let accuracy):
      put("fencesTooCoarse", time)
      put("hacc", accuracy)
    case .tooLate(let time, let late):
      put("fencesTooLate", time)
      put("by", late)
    case .doubted(let time, let probability):
      put("fencesDoubted", time)
      put("probability", probability)
    case .timeless: put("fencesTimeless", true)
    }
  }

  private mutating func put(_ key: StaticString, _ id: FenceID, _ kind: FenceEvent.Kind) {
    put(key, id.name)
    put("event", kind.rawValue)
  }

  private mutating func put(
    _ key: StaticString, _ id: FenceID, _ kind: FenceEvent.Kind, _ evidence: FenceEvidence
  ) {
    put(key, id, kind)
    put(evidence)
  }

  private mutating func put(_ evidence: FenceEvidence) {
    put("at", evidence.time)
    put("probability", evidence.probability)
    put("needed", evidence.needed)
    put("distance", evidence.distance)
    put("deviation", evidence.deviation)
  }

  package mutating func put(_ power: FencePower) {
    put("fencePower", power.reason.rawValue)
    put("need", power.need)
    put("clearance", power.clearance)
    put("fence", power.fence?.name)
    put("topSpeed", power.topSpeed)
    put("rest", power.rest)
  }
}
