package import WhereaboutsModel

// Motion as JSON; docs/journal.md describes the form.

extension [UInt8] {
  package mutating func appendJSONMember(_ key: StaticString, _ change: Motion.Change) {
    appendJSONMember(key) {
      $0.appendJSONMember("from", change.from.rawValue)
      $0.appendJSONMember("to", change.to.rawValue)
      $0.appendJSONMember("time", change.time)
      $0.appendJSONMember("since", change.since)
      $0.appendJSONMember("speed", change.speed)
      $0.appendJSONMembers(change.because)
    }
  }

  private mutating func appendJSONMembers(_ reason: Motion.Change.Reason) {
    switch reason {
    case .stood(let seconds): appendJSONMember("stood", seconds)
    case .displaced(let metres, let error, let seconds):
      appendJSONMember("displaced", metres)
      appendJSONMember("error", error)
      appendJSONMember("in", seconds)
    case .statedSpeed(let speed): appendJSONMember("statedSpeed", speed)
    case .typicalSpeeds(let probability): appendJSONMember("probability", probability)
    case .silence(let seconds): appendJSONMember("silence", seconds)
    case .begunAnew: appendJSONMember("begunAnew", true)
    }
  }

  package mutating func appendJSONMember(_ key: StaticString, _ settings: Motion.Settings) {
    appendJSONMember(key) {
      $0.appendJSONMember("stopTime", settings.stopTime)
      $0.appendJSONMember("silence", settings.silence)
      $0.appendJSONMember("confidence", settings.confidence)
    }
  }
}

extension JSONFields {
  package func motionSettings() throws(FieldError) -> Motion.Settings {
    var settings = Motion.Settings()
    settings.stopTime = try duration("stopTime").required("stopTime")
    settings.silence = try duration("silence").required("silence")
    settings.confidence = try double("confidence").required("confidence")
    return settings
  }
}
