package import WhereaboutsCore
import WhereaboutsGeodesy

// Trackers in a journal: what they are asked, written and read, and what they tell, written alone.

extension [UInt8] {
  mutating func put(_ terms: TrackTerms) {
    if terms.activity != .other { put("activity", terms.activity.rawValue) }
    put("signal") {
      $0.put("requiredAccuracy", terms.signal.requiredAccuracy)
      $0.put("acceptableAccuracy", terms.signal.acceptableAccuracy)
      $0.put("recheck", terms.signal.recheck)
      $0.put("longestSilence", terms.signal.longestSilence)
    }
    switch terms.method {
    case .estimated(let settings): put("estimated") { $0.put(settings) }
    case .candidates(let settings): put("candidates") { $0.put(settings) }
    }
    put("calculationInterval", terms.calculationInterval)
    put("turn", terms.turn)
    if terms.tellsPoints { put("tellsPoints", true) }
    put("trip", terms.trip?.rawValue)
  }

  private mutating func put(_ settings: OdometerSettings) {
    put("lateness", settings.lateness)
    put("gap", settings.gap)
    put("bridging", settings.bridging.rawValue)
  }

  private mutating func put(_ settings: CandidateSettings) {
    put("distanceFilter", settings.distanceFilter)
    put("kept", settings.kept)
    put("minimum", settings.minimum)
    put("validity", settings.validity)
    put("leastStep", settings.leastStep)
    put("gap", settings.gap)
  }

  // MARK: What a tracker tells

  package mutating func put(_ key: StaticString, _ update: TrackUpdate) {
    put(key) {
      $0.put("phase", update.phase.rawValue)
      $0.put("totals") { $0.put(update.totals) }
      $0.put("ahead", update.ahead)
      $0.put("settledTo", update.settledTo)
      $0.put("speed", update.speed)
      $0.put("motion", update.motion.rawValue)
      $0.put("signal", update.signal.rawValue)
      if let fix = update.fix { $0.put("fix", fix) }
      if update.leftOut != 0 { $0.put("leftOut", update.leftOut) }
      if update.doubled != 0 { $0.put("doubled", update.doubled) }
    }
  }

  private mutating func put(_ totals: TrackTotals) {
    put("distance", totals.distance)
    put("uncertainty", totals.uncertainty)
    put("bridged", totals.bridged)
    put("gaps", totals.gaps)
    put("elapsed", totals.elapsed)
    put("moving", totals.moving)
    put("fastest", totals.fastest)
    put("ascent", totals.ascent)
    put("descent", totals.descent)
    put("segments", totals.segments)
  }

  package mutating func put(_ key: StaticString, _ point: TrackPoint) {
    put(key) {
      $0.put("time", point.time)
      $0.put("lat", point.coordinate.latitude)
      $0.put("lon", point.coordinate.longitude)
      $0.put("distance", point.distance)
      $0.put("uncertainty", point.uncertainty)
      $0.put("speed", point.speed)
      $0.put("height", point.height)
      $0.put("motion", point.motion.rawValue)
      switch point.link {
      case .begins: $0.put("begins", true)
      case .follows: break
      case .bridges(let gap): $0.put("gap", gap)
      }
    }
  }

  private mutating func put(_ key: StaticString, _ gap: TrackGap) {
    put(key) {
      $0.put("duration", gap.duration)
      $0.put("geodesic", gap.geodesic)
      $0.put("counted", gap.counted)
      $0.put("uncertainty", gap.uncertainty)
    }
  }

  /// Puts why a tracker does what it is doing: what it was told, or what stopped it.
  package mutating func put(_ cause: TrackPhaseCause) {
    switch cause {
    case .asked(let command): put("command", command.rawValue)
    case .unauthorized(let authorization): put("authorization", authorization)
    case .sourceFailed(let trouble): put("failed", trouble)
    case .sourceEnded(let trouble):
      put("ended", true)
      if let trouble { put("trouble", trouble) }
    case .released: put("released", true)
    }
  }
}

extension JSONFields {
  func trackTerms() throws(Mistake) -> TrackTerms {
    var terms = TrackTerms()
    terms.activity = try choice("activity") ?? .other
    terms.signal = try object("signal").needed("signal").signalSettings()
    if let fields = try object("candidates") {
      terms.method = .candidates(try fields.candidateSettings())
    } else {
      terms.method = .estimated(try object("estimated").needed("estimated").odometerSettings())
    }
    terms.calculationInterval = try duration("calculationInterval").needed("calculationInterval")
    terms.turn = try double("turn").needed("turn")
    terms.tellsPoints = try flag("tellsPoints") ?? false
    terms.trip = try text("trip").map { TripID(rawValue: $0) }
    return terms
  }

  private func signalSettings() throws(Mistake) -> SignalSettings {
    SignalSettings(
      requiredAccuracy: try double("requiredAccuracy").needed("requiredAccuracy"),
      acceptableAccuracy: try double("acceptableAccuracy").needed("acceptableAccuracy"),
      recheck: try duration("recheck").needed("recheck"), longestSilence: try duration("longestSilence"))
  }

  private func odometerSettings() throws(Mistake) -> OdometerSettings {
    var settings = OdometerSettings()
    settings.lateness = try duration("lateness").needed("lateness")
    settings.gap = try duration("gap").needed("gap")
    settings.bridging = try choice("bridging").needed("bridging")
    return settings
  }

  private func candidateSettings() throws(Mistake) -> CandidateSettings {
    CandidateSettings(
      distanceFilter: try double("distanceFilter").needed("distanceFilter"),
      kept: try count("kept").needed("kept"), minimum: try count("minimum").needed("minimum"),
      validity: try duration("validity").needed("validity"),
      leastStep: try double("leastStep").needed("leastStep"), gap: try duration("gap").needed("gap"))
  }
}
