import WhereaboutsEngine
import WhereaboutsModel

/// The terms of requests and subscriptions as text.
enum TermsText {
  /// Returns a description of the state that an earlier process left.
  static func restoration(_ left: Restoration) -> String {
    var parts: [String] = []
    if let fences = left.fences { parts.append(Quantities.count(fences.registry.count, "fence")) }
    if !left.trips.isEmpty { parts.append(Quantities.count(left.trips.count, "trip")) }
    if !left.since.isEmpty {
      parts.append("\(Quantities.count(left.since.count, "fix", "fixes")) after them")
    }
    return parts.isEmpty ? "no earlier state" : "resumes with \(parts.joined(separator: ", "))"
  }

  /// Returns `house (15 m, no older than 15 s), within 10 s`.
  static func request(_ terms: RequestTerms) -> String {
    var parts = [FixText.level(terms.level).trimmingComma]
    if let timeout = terms.timeout {
      let start = terms.timeoutStarts == .whenAuthorized ? " of permission" : ""
      parts.append("within \(duration(timeout))\(start)")
    }
    if let settle = terms.settle { parts.append("or once settled for \(duration(settle))") }
    parts += activity(terms.activity)
    return parts.joined(separator: ", ")
  }

  /// Returns `fixes for block (100 m, no older than 1 min 00 s), every 50 m`.
  static func subscription(_ terms: SubscriptionTerms) -> String {
    switch terms {
    case .fixes(let terms): fixes(terms)
    case .significantChanges(let terms):
      "significant changes of \(Quantities.length(terms.distance)) in \(duration(terms.interval))"
    case .visits(let terms):
      "visits of \(duration(terms.minimumStay)) within \(Quantities.length(terms.radius))"
    case .accepted(let terms): AcceptanceText.terms(terms)
    case .motions: "motion"
    case .headings(let terms): headings(terms)
    case .track(let terms): track(terms)
    }
  }

  private static func fixes(_ terms: FixTerms) -> String {
    var parts = ["fixes for \(FixText.level(terms.level).trimmingComma)"]
    if terms.distanceFilter > 0 { parts.append("every \(Quantities.length(terms.distanceFilter))") }
    if terms.elasticity > 0 { parts.append("stretched by speed") }
    if terms.minimumInterval > .zero { parts.append("\(duration(terms.minimumInterval)) apart") }
    if let count = terms.maximumCount { parts.append("at most \(count.grouped)") }
    if let lasting = terms.duration { parts.append("for \(duration(lasting))") }
    if let age = terms.lastFixUpTo {
      parts.append("starting with the last fix if at most \(duration(age)) old")
    }
    parts += activity(terms.activity)
    return parts.joined(separator: ", ")
  }

  private static func headings(_ terms: HeadingTerms) -> String {
    let north = terms.reference.map { " from \($0.rawValue) north" } ?? ""
    return "headings\(north), every \(terms.filter.fixed(0))°"
  }

  private static func track(_ terms: TrackTerms) -> String {
    var parts = ["distance"]
    if case .candidates(let settings) = terms.method {
      parts.append("from the best of \(settings.kept.grouped) fixes")
    }
    parts.append("reported every \(duration(terms.calculationInterval)) or \(terms.turn.fixed(0))°")
    parts.append("strong up to \(Quantities.length(terms.signal.requiredAccuracy))")
    parts += activity(terms.activity)
    return parts.joined(separator: ", ")
  }

  static func activity(_ activity: Activity) -> [String] {
    activity == .other ? [] : ["by \(activity.rawValue)"]
  }

  /// Returns `15 m`, with the distance filter, the activity and the headings of the demand.
  static func demand(_ demand: Demand) -> String {
    var parts: [String] = []
    switch demand.fixes {
    case .off: break
    case .significantChanges: parts.append("significant changes")
    case .continuous(let wanted):
      parts.append(Quantities.accuracy(wanted.accuracy))
      if wanted.distanceFilter > 0 { parts.append("every \(Quantities.length(wanted.distanceFilter))") }
      if wanted.interval > .zero { parts.append("every \(duration(wanted.interval))") }
      parts += activity(wanted.activity)
    }
    if demand.watchesSignificantChanges { parts.append("significant changes") }
    if let headings = demand.headings { parts.append("headings every \(headings.filter.fixed(0))°") }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }

  /// Returns a duration as text.
  static func duration(_ duration: Duration) -> String { Quantities.duration(duration.inSeconds) }
}

extension String {
  /// The text without a trailing comma. The text of a level without a name ends in a comma.
  fileprivate var trimmingComma: String { hasSuffix(",") ? String(dropLast()) : self }
}
