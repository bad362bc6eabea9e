package import WhereaboutsCore

// The host's power and what is made of it, as JSON; docs/journal.md describes it.

extension [UInt8] {
  package mutating func put(_ key: StaticString, _ state: PowerState) {
    put(key) {
      $0.put("foreground", state.isForeground)
      if let isCharging = state.isCharging { $0.put("charging", isCharging) }
      $0.put("battery", state.batteryLevel)
      if state.isLowPowerMode { $0.put("lowPowerMode", true) }
    }
  }

  package mutating func put(_ decision: PowerDecision) {
    put("power", decision.reason.rawValue)
    put("demand", decision.demand)
    put("preset", decision.preset)
    put("rule", decision.rule)
    put("ruleName", decision.ruleName)
    put("state", decision.state)
    put("speed", decision.speed)
    put("stillFor", decision.stillFor)
  }

  mutating func put(_ key: StaticString, _ settings: PowerSettings) {
    guard let json = encodedJSON(settings) else { return }
    put(key, json)
  }
}

extension JSONFields {
  func powerState() throws(Mistake) -> PowerState {
    PowerState(
      isForeground: try flag("foreground") ?? true, isCharging: try flag("charging"),
      batteryLevel: try double("battery"), isLowPowerMode: try flag("lowPowerMode") ?? false)
  }

  /// The settings under `power`, where there are any: an engine without them asks for what is needed.
  func powerSettings() throws(Mistake) -> PowerSettings? {
    guard let value = self["power"] else { return nil }
    do { return try value.decoded(as: PowerSettings.self) } catch {
      throw Mistake(rule: "power is no settings of power")
    }
  }
}
