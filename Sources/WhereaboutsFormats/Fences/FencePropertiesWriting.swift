package import WhereaboutsModel
import WhereaboutsGeodesy

extension [UInt8] {
  /// Appends the properties of a fence's feature: its name, its radius or width, its terms other than the defaults, and
  /// its owner's data by name.
  ///
  /// The owner's data under the name of a term is left out, since a reader would confuse it with the term.
  mutating func appendJSONProperties(of fence: Fence) {
    appendJSONObject {
      $0.appendJSONMember("name", fence.name)
      switch fence.area {
      case .circle(let circle): $0.appendJSONMember("radius", circle.radius)
      case .corridor(let corridor): $0.appendJSONMember("width", corridor.width)
      case .polygon, .multiPolygon: break
      }
      $0.appendTermProperties(fence.terms)
      let reserved = fence.reservedNames
      for (name, value) in fence.properties.sorted(by: { $0.key < $1.key }) where !reserved.contains(name) {
        $0.appendJSONKey(named: name)
        $0.appendJSON(value, .plain)
      }
    }
  }

  /// Appends the terms that differ from the defaults, each within its valid range. The reader begins with the same
  /// defaults. By default a fence has no dwell event, expiry or active hours, and `nil` is never written.
  mutating func appendTermProperties(_ terms: FenceTerms, omitting usual: FenceTerms = FenceTerms()) {
    func number(_ value: Double, _ range: ClosedRange<Double>, _ usual: Double) -> Double? {
      let value = Swift.min(Swift.max(value, range.lowerBound), range.upperBound)
      return value == usual || value.isNaN ? nil : value
    }
    func duration(_ value: Duration, _ usual: Duration?) -> Duration? {
      let value = Swift.min(Swift.max(value, .zero), DurationText.maxDuration)
      return value == usual ? nil : value
    }
    appendJSONMember("enterConfidence", number(terms.enterConfidence, 0.5...0.9999, usual.enterConfidence))
    appendJSONMember("exitConfidence", number(terms.exitConfidence, 0.5...0.9999, usual.exitConfidence))
    appendJSONMember(
      "hysteresisMargin", number(terms.hysteresisMargin, 0...1_000_000, usual.hysteresisMargin))
    appendJSONMember("enterDwell", duration(terms.enterDwell, usual.enterDwell))
    appendJSONMember("exitDwell", duration(terms.exitDwell, usual.exitDwell))
    appendJSONMember("dwell", terms.dwell.flatMap { duration($0, nil) })
    if terms.notify != usual.notify {
      appendJSONMember("notify", FenceEvent.Kind.allCases.filter { terms.notify.contains($0) }) {
        $0.appendJSONString($1.rawValue)
      }
    }
    if terms.reportsInitialSide != usual.reportsInitialSide {
      appendJSONMember("reportsInitialSide", terms.reportsInitialSide)
    }
    if terms.once != usual.once { appendJSONMember("once", terms.once) }
    appendJSONMember("expiry", terms.expiry)
    if let hours = terms.activeHours {
      appendJSONMember("activeHours", ActiveHours.rules(for: hours.windows)) { $0.appendJSONString($1) }
      appendJSONMember("timeZone", hours.zone?.name)
      if hours.zone == nil, hours.aheadOfUTC != .zero { appendUTCOffset(hours.aheadOfUTC) }
    }
    appendJSONMember("responsiveness", duration(terms.responsiveness, usual.responsiveness))
  }

  private mutating func appendUTCOffset(_ ahead: Duration) {
    // Limited to valid offsets; in text form only for whole minutes.
    let ahead = Swift.min(Swift.max(ahead, .seconds(-86_400)), .seconds(86_400))
    let (seconds, attoseconds) = ahead.components
    guard attoseconds == 0, seconds % 60 == 0, seconds.magnitude < 86_400 else {
      return appendJSONMember("utcOffset", ahead)
    }
    appendJSONKey("utcOffset")
    append(seconds < 0 ? "\"-" : "\"+")
    appendDigits(Int(seconds.magnitude / 3600), count: 2)
    append(":")
    appendDigits(Int(seconds.magnitude / 60 % 60), count: 2)
    append("\"")
  }
}

extension Fence {
  /// The members of properties that are not its owner's to use.
  package var reservedNames: Set<String> {
    var names = FenceTermsReader.names
    if terms.activeHours == nil { names.subtract(FenceTermsReader.clockNames) }
    if name != nil { names.insert("name") }
    switch area {
    case .circle: names.insert("radius")
    case .corridor: names.insert("width")
    case .polygon, .multiPolygon: break
    }
    return names
  }
}
