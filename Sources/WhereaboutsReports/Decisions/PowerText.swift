import WhereaboutsModel

/// The host's power state and power decisions as text.
enum PowerText {
  /// Returns `power: on battery, 42 %, in the background`.
  static func line(_ state: PowerState) -> String { "power: \(text(state))" }

  static func text(_ state: PowerState) -> String {
    var parts: [String] = []
    switch state.isCharging {
    case true?: parts.append("on external power")
    case false?: parts.append("on battery")
    case nil: break
    }
    if let level = state.batteryLevel { parts.append("battery at \(share(level))") }
    if state.isLowPowerMode { parts.append("low-power mode") }
    parts.append(state.isForeground ? "in the foreground" : "in the background")
    return parts.joined(separator: ", ")
  }

  /// Returns `power balanced by rule 2 (at night): source asked for 10 m, every 400 m`, then
  /// `, for the device is on a highway, 118 km/h`.
  static func line(_ decision: PowerDecision) -> String {
    var reason = text(decision.reason)
    switch decision.reason {
    case .highway, .walking: if let speed = decision.speed { reason += ", \(Quantities.speed(speed))" }
    case .still: if let still = decision.stillFor { reason += " for \(TermsText.duration(still))" }
    case .asAsked, .preset, .significantChangesOnly, .foreground, .background, .backgroundOnBattery: break
    }
    let asked = decision.demand == .off ? "" : ": source asked for \(TermsText.demand(decision.demand))"
    return "power \(preset(decision))\(asked): \(reason); \(text(decision.state))"
  }

  /// Returns `balanced by rule 2 (at night)`.
  static func preset(_ decision: PowerDecision) -> String {
    guard let rule = decision.rule else { return decision.preset }
    let name = decision.ruleName.map { " (\($0.sanitizedToOneLine))" } ?? ""
    return "\(decision.preset) by rule \(rule + 1)\(name)"
  }

  static func text(_ reason: PowerDecision.Reason) -> String {
    switch reason {
    case .asAsked: "as asked"
    case .preset: "the preset allows no more"
    case .walking: "the preset allows no more on foot"
    case .highway: "the preset allows no more on a highway"
    case .still: "the device stands still"
    case .significantChangesOnly: "the preset allows significant changes only"
    case .foreground: "significant changes only, as configured"
    case .background: "significant changes only in the background"
    case .backgroundOnBattery: "significant changes only in the background on battery"
    }
  }

  private static func share(_ level: Double) -> String { "\((level * 100).fixed(0)) %" }
}
