import WhereaboutsModel

/// Acceptance terms and reasons of refusal as text.
enum AcceptanceText {
  /// Returns `fixes worth keeping: up to 10 m, 1 min 00 s and 50 m apart, or the best of 10 or of 10 s, by car`.
  static func terms(_ terms: AcceptanceTerms) -> String {
    let filter =
      terms.activity == .walk || terms.activity == .run ? terms.walkingDistanceFilter : terms.distanceFilter
    let apart = "\(TermsText.duration(terms.recencyThreshold)) and \(Quantities.length(filter)) apart"
    let best = "or the best of \(terms.maximumTries.grouped) or of \(TermsText.duration(terms.wait))"
    let accuracy = "up to \(Quantities.accuracy(terms.requiredAccuracy))"
    let parts = ["fixes for a log: \(accuracy)", apart, best] + TermsText.activity(terms.activity)
    return parts.joined(separator: ", ")
  }

  static func reason(_ reason: Decision.NonAcceptance) -> String {
    switch reason {
    case .recentEnough(let age): "the last is accurate and \(TermsText.duration(age)) old"
    case .tooNear(let distance, let needed):
      "\(Quantities.length(distance)) from the last, \(Quantities.length(needed)) needed"
    case .possibleDuplicate(let distance, let needed):
      "possibly the same place as the last, \(Quantities.length(distance)) off; \(Quantities.length(needed)) needed"
    case .held(let count): "inaccurate: held as candidate \(count.grouped)"
    }
  }

  /// Returns the reason without its numbers.
  static func kind(_ reason: Decision.NonAcceptance) -> String {
    switch reason {
    case .recentEnough: "recent enough"
    case .tooNear: "too near"
    case .possibleDuplicate: "possible duplicate"
    case .held: "held"
    }
  }
}
