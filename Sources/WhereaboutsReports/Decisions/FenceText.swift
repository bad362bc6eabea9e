import WhereaboutsEngine
import WhereaboutsModel

/// Fence records and fence decisions as text.
enum FenceText {
  static func line(_ command: FenceCommand) -> String {
    switch command {
    case .add(let fences): "\(count(fences.count)) added: \(names(fences.map(\.id)))"
    case .update(let fences): "\(count(fences.count)) changed: \(names(fences.map(\.id)))"
    case .remove(let ids): "\(count(ids.count)) removed: \(names(ids))"
    case .removeAll: "all fences removed"
    case .share(let registry): "\(count(registry.count)) shared with other devices"
    }
  }

  static func line(_ decision: FenceDecision) -> String {
    guard let fence = decision.fence else { return "fences: \(reason(decision))" }
    return "fence \(fence): \(reason(decision))"
  }

  /// Returns the text of a decision without its fence.
  static func reason(_ decision: FenceDecision) -> String {
    switch decision {
    case .determined(_, let side, let evidence): "it is \(side.rawValue) at first: \(text(evidence))"
    case .suspected(_, let kind, let evidence):
      "\(likelyPhrase(kind)), below the required confidence: \(text(evidence))"
    case .dismissed(_, let kind, let evidence, let since):
      "\(notHappenedPhrase(kind)) after all; it seemed likely since \(since.clockText): \(text(evidence))"
    case .atRest(_, let kind, let evidence):
      "\(notHappenedPhrase(kind)): the fixes wander while the device rests; \(text(evidence))"
    case .waiting(_, let kind, let until):
      "\(happenedPhrase(kind)) if that lasts until \(until.clockText)"
    case .tooShort(_, let kind, let lasted, let needed):
      "\(notHappenedPhrase(kind)): it lasted \(TermsText.duration(lasted)), and \(TermsText.duration(needed)) count"
    case .notAskedFor(_, let kind, let time):
      "\(happenedPhrase(kind)) at \(time.clockText), an event kind the fence does not report"
    case .outsideHours(_, let kind, let time):
      "\(happenedPhrase(kind)) at \(time.clockText), outside the active hours"
    case .tooCoarse(_, let accuracy):
      "the fix is too coarse to decide\(accuracy.map { ", \(Quantities.accuracy($0))" } ?? "")"
    case .tooLate(_, let late): "the fix is \(TermsText.duration(late)) too late to be used"
    case .doubted(_, let probability):
      "the fix may be an outlier, \(FenceEventText.percent(probability)) probable, and waits for the next one"
    case .timeless: "the fix has no time"
    }
  }

  /// Returns the line for a record; `nil` for a record that holds only a decision.
  static func line(_ record: FenceRecord) -> String? {
    switch record {
    case .event(let event): "fence \(event.fence): \(text(event))"
    case .revised(_, let event?): "fence \(event.fence): revised by a late fix: \(text(event))"
    case .revised(let id, nil): "fences: event \(id.number) did not happen, according to a late fix"
    case .removed(let id, .once): "fence \(id): removed after its one event"
    case .removed(let id, .expired): "fence \(id): expired"
    case .decided: nil
    }
  }

  /// Returns `left at 17:04:12 ±0.6 s, 97 % sure, known after 3.0 s`.
  static func text(_ event: FenceEvent) -> String {
    let reported = ReportedFenceEvent(event)
    var parts = [
      "\(FenceEventText.word(reported)) at \(event.time.clockText) ±\(Quantities.duration(roundedToTenths(event.timeUncertainty)))",
      "\(FenceEventText.percent(event.confidence)) sure",
    ]
    if let lastSeen = reported.lastSeen { parts.append("unseen since \(lastSeen.clockText)") }
    if event.manner == .passedThrough { parts.append("passed through") }
    parts.append("known after \(Quantities.duration(roundedToTenths(reported.latency)))")
    return parts.joined(separator: ", ")
  }

  private static func roundedToTenths(_ seconds: Double) -> Double { (seconds * 10).rounded() / 10 }

  private static func likelyPhrase(_ kind: FenceEvent.Kind) -> String {
    switch kind {
    case .enter: "it seems to have entered"
    case .exit: "it seems to have left"
    case .dwell: "it seems to have stayed"
    }
  }

  private static func happenedPhrase(_ kind: FenceEvent.Kind) -> String {
    switch kind {
    case .enter: "it has entered"
    case .exit: "it has left"
    case .dwell: "it has stayed"
    }
  }

  private static func notHappenedPhrase(_ kind: FenceEvent.Kind) -> String {
    switch kind {
    case .enter: "it has not entered"
    case .exit: "it has not left"
    case .dwell: "it has not stayed"
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

  static func line(wakeRegions count: Int, isCrowded: Bool) -> String {
    let crowd = isCrowded ? ": more fences are near than regions" : ""
    return "\(Quantities.count(count, "region", "regions")) can wake the program\(crowd)"
  }

  /// Returns `81.0 % sure where 95.0 % are needed, 12 m ±6.0 m outside`.
  static func text(_ evidence: FenceDecision.Evidence) -> String {
    let (sure, needed) = percent(evidence.probability, of: evidence.needed)
    return
      "\(sure) sure where \(needed) are needed, \(place(evidence.distance)) ±\(Quantities.length(evidence.deviation))"
  }

  /// Returns a confidence and the required one. The confidence is rounded down, so that less than required never looks
  /// sufficient.
  static func percent(_ probability: Double, of needed: Double) -> (sure: String, needed: String) {
    let places = needed > 0.999 ? 2 : 1, scale = places == 2 ? 1e4 : 1e3
    // A share such as 0.57 is a little less than 57 % as a binary number.
    let sure = (probability * scale + 1e-6).rounded(.down) / scale
    return ("\((sure * 100).fixed(places)) %", "\((needed * 100).fixed(places)) %")
  }

  /// Returns `12 m outside`.
  static func place(_ distance: Double) -> String {
    "\(Quantities.length(distance.magnitude)) \(distance <= 0 ? "inside" : "outside")"
  }

  private static func count(_ count: Int) -> String { Quantities.count(count, "fence", "fences") }

  private static func names(_ ids: [FenceID]) -> String {
    let few = ids.prefix(5).map(\.name).joined(separator: ", ")
    return ids.count > 5 ? "\(few) …" : few
  }
}
