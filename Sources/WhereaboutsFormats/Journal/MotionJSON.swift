package import WhereaboutsCore

// How the device moves, as JSON; docs/journal.md describes it.

extension [UInt8] {
  package mutating func put(_ key: StaticString, _ change: MotionChange) {
    put(key) {
      $0.put("from", change.from.rawValue)
      $0.put("to", change.to.rawValue)
      $0.put("time", change.time)
      $0.put("since", change.since)
      $0.put("speed", change.speed)
      $0.put(change.because)
    }
  }

  private mutating func put(_ reason: MotionChange.Reason) {
    switch reason {
    case .stood(let seconds): put("stood", seconds)
    case .displaced(let metres, let error, let seconds):
      put("displaced", metres)
      put("error", error)
      put("in", seconds)
    case .statedSpeed(let speed): put("statedSpeed", speed)
    case .typicalSpeeds(let probability): put("probability", probability)
    case .silence(let seconds): put("silence", seconds)
    case .begunAnew: put("begunAnew", true)
    }
  }

  package mutating func put(_ key: StaticString, _ settings: MotionSettings) {
    put(key) {
      $0.put("stopTime", settings.stopTime)
      $0.put("silence", settings.silence)
      $0.put("confidence", settings.confidence)
    }
  }
}

extension JSONFields {
  func motionSettings() throws(Mistake) -> MotionSettings {
    var settings = MotionSettings()
    settings.stopTime = try duration("stopTime").needed("stopTime")
    settings.silence = try duration("silence").needed("silence")
    settings.confidence = try double("confidence").needed("confidence")
    guard !settings.confidence.isNaN else {
      throw Mistake(rule: "confidence is no number", kind: .badNumber)
    }
    return settings
  }
}
