package import WhereaboutsModel
import WhereaboutsGeodesy

// Trackers in a journal: their inputs, written and read, and their output, written only.

extension [UInt8] {
  package mutating func appendJSONMembers(_ terms: TrackTerms) {
    if terms.activity != .other { appendJSONMember("activity", terms.activity.rawValue) }
    appendJSONMember("signal") {
      $0.appendJSONMember("requiredAccuracy", terms.signal.requiredAccuracy)
      $0.appendJSONMember("acceptableAccuracy", terms.signal.acceptableAccuracy)
      $0.appendJSONMember("recheck", terms.signal.recheck)
      $0.appendJSONMember("longestSilence", terms.signal.longestSilence)
    }
    switch terms.method {
    case .estimated(let settings): appendJSONMember("estimated") { $0.appendJSONMembers(settings) }
    case .candidates(let settings): appendJSONMember("candidates") { $0.appendJSONMembers(settings) }
    }
    appendJSONMember("calculationInterval", terms.calculationInterval)
    appendJSONMember("turn", terms.turn)
    if terms.reportsPoints { appendJSONMember("reportsPoints", true) }
    appendJSONMember("trip", terms.trip?.rawValue)
  }

  private mutating func appendJSONMembers(_ settings: OdometerSettings) {
    appendJSONMember("lateness", settings.lateness)
    appendJSONMember("gap", settings.gap)
    appendJSONMember("bridging", settings.bridging.rawValue)
  }

  private mutating func appendJSONMembers(_ settings: CandidateSettings) {
    appendJSONMember("distanceFilter", settings.distanceFilter)
    appendJSONMember("kept", settings.kept)
    appendJSONMember("minimum", settings.minimum)
    appendJSONMember("validity", settings.validity)
    appendJSONMember("leastStep", settings.leastStep)
    appendJSONMember("gap", settings.gap)
  }

  // MARK: Output of a tracker

  package mutating func appendJSONMember(_ key: StaticString, _ update: TrackUpdate) {
    appendJSONMember(key) {
      $0.appendJSONMember("phase", update.phase.rawValue)
      $0.appendJSONMember("totals") { $0.appendJSONMembers(update.totals) }
      $0.appendJSONMember("ahead", update.ahead)
      $0.appendJSONMember("settledTo", update.settledTo)
      $0.appendJSONMember("speed", update.speed)
      $0.appendJSONMember("motion", update.motion.rawValue)
      $0.appendJSONMember("signal", update.signal.rawValue)
      if let fix = update.fix { $0.appendJSONMember("fix", fix) }
      if update.lateFixes != 0 { $0.appendJSONMember("lateFixes", update.lateFixes) }
      if update.duplicates != 0 { $0.appendJSONMember("duplicates", update.duplicates) }
    }
  }

  private mutating func appendJSONMembers(_ totals: TrackTotals) {
    appendJSONMember("distance", totals.distance)
    appendJSONMember("uncertainty", totals.uncertainty)
    appendJSONMember("bridged", totals.bridged)
    appendJSONMember("gaps", totals.gaps)
    appendJSONMember("elapsed", totals.elapsed)
    appendJSONMember("moving", totals.moving)
    appendJSONMember("fastest", totals.fastest)
    appendJSONMember("ascent", totals.ascent)
    appendJSONMember("descent", totals.descent)
    appendJSONMember("segments", totals.segments)
  }

  package mutating func appendJSONMember(_ key: StaticString, _ point: TrackPoint) {
    appendJSONMember(key) {
      $0.appendJSONMember("time", point.time)
      $0.appendJSONMember("lat", point.coordinate.latitude)
      $0.appendJSONMember("lon", point.coordinate.longitude)
      $0.appendJSONMember("distance", point.distance)
      $0.appendJSONMember("uncertainty", point.uncertainty)
      $0.appendJSONMember("speed", point.speed)
      $0.appendJSONMember("height", point.height)
      $0.appendJSONMember("motion", point.motion.rawValue)
      switch point.link {
      case .begins: $0.appendJSONMember("begins", true)
      case .follows: break
      case .bridges(let gap): $0.appendJSONMember("gap", gap)
      }
    }
  }

  private mutating func appendJSONMember(_ key: StaticString, _ gap: TrackPoint.Gap) {
    appendJSONMember(key) {
      $0.appendJSONMember("duration", gap.duration)
      $0.appendJSONMember("geodesic", gap.geodesic)
      $0.appendJSONMember("counted", gap.counted)
      $0.appendJSONMember("uncertainty", gap.uncertainty)
    }
  }

  /// Appends the cause of a tracker's phase: a command, or the reason of a stop.
  package mutating func appendJSONMembers(_ cause: TrackPhase.Cause) {
    switch cause {
    case .asked(let command): appendJSONMember("command", command.rawValue)
    case .unauthorized(let authorization): appendJSONMember("authorization", authorization)
    case .sourceFailed(let problem): appendJSONMember("failed", problem)
    case .sourceEnded(let problem):
      appendJSONMember("ended", true)
      if let problem { appendJSONMember("problem", problem) }
    case .released: appendJSONMember("released", true)
    case .tripEnded(let trip): appendJSONMember("endedTrip", trip.rawValue)
    }
  }
}

extension JSONFields {
  package func trackTerms() throws(FieldError) -> TrackTerms {
    var terms = TrackTerms()
    terms.activity = try choice("activity") ?? .other
    terms.signal = try object("signal").required("signal").signalSettings()
    if let fields = try object("candidates") {
      terms.method = .candidates(try fields.candidateSettings())
    } else {
      terms.method = .estimated(try object("estimated").required("estimated").odometerSettings())
    }
    terms.calculationInterval = try duration("calculationInterval").required("calculationInterval")
    terms.turn = try double("turn").required("turn")
    terms.reportsPoints = try flag("reportsPoints") ?? false
    terms.trip = try text("trip").map { TripID(rawValue: $0) }
    return terms
  }

  private func signalSettings() throws(FieldError) -> SignalStrength.Settings {
    var settings = SignalStrength.Settings()
    settings.requiredAccuracy = try double("requiredAccuracy").required("requiredAccuracy")
    settings.acceptableAccuracy = try double("acceptableAccuracy").required("acceptableAccuracy")
    settings.recheck = try duration("recheck").required("recheck")
    settings.longestSilence = try duration("longestSilence")
    return settings
  }

  private func odometerSettings() throws(FieldError) -> OdometerSettings {
    var settings = OdometerSettings()
    settings.lateness = try duration("lateness").required("lateness")
    settings.gap = try duration("gap").required("gap")
    settings.bridging = try choice("bridging").required("bridging")
    return settings
  }

  private func candidateSettings() throws(FieldError) -> CandidateSettings {
    var settings = CandidateSettings()
    settings.distanceFilter = try double("distanceFilter").required("distanceFilter")
    settings.kept = try count("kept").required("kept")
    settings.minimum = try count("minimum").required("minimum")
    settings.validity = try duration("validity").required("validity")
    settings.leastStep = try double("leastStep").required("leastStep")
    settings.gap = try duration("gap").required("gap")
    return settings
  }
}
