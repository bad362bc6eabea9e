package import WhereaboutsModel

// Power states and settings as JSON; docs/journal.md describes the form.

extension [UInt8] {
  package mutating func appendJSONMember(_ key: StaticString, _ state: PowerState) {
    appendJSONMember(key) {
      $0.appendJSONMember("foreground", state.isForeground)
      if let isCharging = state.isCharging { $0.appendJSONMember("charging", isCharging) }
      $0.appendJSONMember("battery", state.batteryLevel)
      if state.isLowPowerMode { $0.appendJSONMember("lowPowerMode", true) }
    }
  }

  package mutating func appendJSONMembers(_ decision: PowerDecision) {
    appendJSONMember("power", decision.reason.rawValue)
    appendJSONMember("demand", decision.demand)
    appendJSONMember("preset", decision.preset)
    appendJSONMember("rule", decision.rule)
    appendJSONMember("ruleName", decision.ruleName)
    appendJSONMember("state", decision.state)
    appendJSONMember("speed", decision.speed)
    appendJSONMember("stillFor", decision.stillFor)
  }

  package mutating func appendJSONMember(_ key: StaticString, _ settings: PowerSettings) {
    guard let json = encodedJSON(settings) else { return }
    appendJSONMember(key, json)
  }
}

extension JSONFields {
  package func powerState() throws(FieldError) -> PowerState {
    PowerState(
      isForeground: try flag("foreground") ?? true, isCharging: try flag("charging"),
      batteryLevel: try double("battery"), isLowPowerMode: try flag("lowPowerMode") ?? false)
  }

  /// Returns the settings under `power`, if any: an engine without them never reduces its demand.
  package func powerSettings() throws(FieldError) -> PowerSettings? {
    guard let value = self["power"] else { return nil }
    do { return try value.decoded(as: PowerSettings.self) } catch {
      throw FieldError(rule: "power is no settings of power")
    }
  }
}
