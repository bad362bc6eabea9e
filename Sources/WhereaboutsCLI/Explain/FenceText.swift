import WhereaboutsCore

/// What is said and decided about fences, as a person reads it.
enum FenceText {
  static func line(_ command: FenceCommand) -> String {
    switch command {
    case .add(let fences): "\(count(fences.count)) to be watched: \(names(fences.map(\.id)))"
    case .update(let fences): "\(count(fences.count)) changed: \(names(fences.map(\.id)))"
    case .remove(let ids): "\(count(ids.count)) not to be watched any more: \(names(ids))"
    case .removeAll: "no fence is to be watched any more"
    case .restore(let snapshot): "\(count(snapshot.fences.count)) to be watched on from before"
    }
  }

  static func line(_ decision: FenceDecision) -> String {
    switch decision {
    case .determined(let id, let side, let evidence):
      "fence \(id): first seen \(side.rawValue), \(text(evidence))"
    case .suspected(let id, let kind, let evidence): "fence \(id): \(kind.rawValue)? \(text(evidence))"
    case .dismissed(let id, let kind, let evidence, _):
      "fence \(id): no \(kind.rawValue) after all, \(text(evidence))"
    case .atRest(let id, let kind, let evidence):
      "fence \(id): no \(kind.rawValue), for the device rests; \(text(evidence))"
    case .waiting(let id, let kind, let until):
      "fence \(id): \(kind.rawValue) if it lasts until \(until.iso8601)"
    case .tooShort(let id, let kind, let lasted, let needed):
      "fence \(id): no \(kind.rawValue), it lasted \(TermsText.duration(lasted)) of \(TermsText.duration(needed))"
    case .notAskedFor(let id, let kind, let time):
      "fence \(id): \(kind.rawValue) at \(time.iso8601) is not asked for"
    case .outsideHours(let id, let kind, let time):
      "fence \(id): \(kind.rawValue) at \(time.iso8601) is outside its hours"
    case .tooCoarse(_, let accuracy):
      "fences: the fix is too coarse\(accuracy.map { ", \(Quantities.accuracy($0))" } ?? "")"
    case .tooLate(_, let late): "fences: the fix is \(TermsText.duration(late)) too late"
    case .timeless: "fences: the fix has no time"
    }
  }

  static func line(_ power: FencePower) -> String {
    var parts = ["fences need \(TermsText.demand(power.need)): \(power.reason.rawValue)"]
    if let clearance = power.clearance, clearance.isFinite {
      let fence = power.fence.map { " from \($0)" } ?? ""
      parts.append("\(Quantities.length(clearance))\(fence) at up to \(Quantities.speed(power.topSpeed))")
    }
    if let rest = power.rest { parts.append("rest for \(TermsText.duration(rest))") }
    return parts.joined(separator: ", ")
  }

  private static func text(_ evidence: FenceEvidence) -> String {
    let distance = "\(Quantities.length(evidence.distance)) ± \(Quantities.length(evidence.deviation))"
    return "\((evidence.probability * 100).fixed(1)) % of \((evidence.needed * 100).fixed(1)) %, \(distance)"
  }

  private static func count(_ count: Int) -> String { Quantities.count(count, "fence", "fences") }

  private static func names(_ ids: [FenceID]) -> String {
    let few = ids.prefix(5).map(\.name).joined(separator: ", ")
    return ids.count > 5 ? "\(few) …" : few
  }
}
