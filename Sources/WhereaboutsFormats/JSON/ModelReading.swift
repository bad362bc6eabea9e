package import WhereaboutsModel
import WhereaboutsGeodesy

// Reading of the model's types from JSON. Values are accepted as far as the types accept them: a journal must return
// an engine's exact input, sensible or not.

extension JSONFields {
  package func heading() throws(FieldError) -> Heading {
    let heading = Heading(
      degrees: try double("degrees").required("degrees"),
      reference: try choice("reference").required("reference"),
      accuracy: try double("accuracy"), time: try utcTime("time"))
    guard let heading else { throw FieldError(rule: "degrees is no angle", kind: .badNumber) }
    return heading
  }

  package func satellitesInView() throws(FieldError) -> SatellitesInView {
    var sky = SatellitesInView(satellites: [], time: try utcTime("time"))
    for element in try array("list").required("list") {
      guard case .object(let fields) = element else { throw FieldError(rule: "a satellite is no object") }
      sky.satellites.append(try fields.satellite())
    }
    return sky
  }

  private func satellite() throws(FieldError) -> SatellitesInView.Satellite {
    SatellitesInView.Satellite(
      constellation: try choice("system").required("system"),
      number: try integer("number").required("number"),
      elevation: try float("elevation"), azimuth: try float("azimuth"), signal: try float("signal"),
      isUsed: try flag("used") ?? false)
  }

  package func problem() throws(FieldError) -> SourceProblem {
    SourceProblem(
      SourceProblem.Code(rawValue: try text("code").required("code")),
      message: try text("message").required("message"), remedy: try text("remedy"))
  }

  package func authorization() throws(FieldError) -> Authorization {
    Authorization(
      try choice("status").required("status"), accuracy: try choice("accuracy") ?? .full,
      noticesChanges: try flag("noticesChanges") ?? true, remedy: try text("remedy"))
  }

  package func level(_ name: String) throws(FieldError) -> AccuracyLevel {
    switch try self[name].required(name) {
    case .text(let text):
      if let level = AccuracyLevel.named(text) { return level }
    case .object(let fields):
      let level = AccuracyLevel.custom(
        worstAccuracy: try fields.double("accuracy").required("accuracy"),
        maxAge: try fields.duration("age").required("age"))
      if let level { return level }
    default: break
    }
    throw FieldError(rule: "\(name) is no level of accuracy")
  }

  package func requestTerms() throws(FieldError) -> RequestTerms {
    RequestTerms(
      level: try level("level"), timeout: try duration("timeout"),
      timeoutStarts: try choice("timeoutStarts") ?? .whenRequested, settle: try duration("settle"),
      activity: try choice("activity") ?? .other)
  }

  package func subscriptionTerms() throws(FieldError) -> SubscriptionTerms {
    if let fields = try object("fixes") { return .fixes(try fields.fixTerms()) }
    if let fields = try object("significantChanges") {
      var terms = SignificantChangeTerms()
      terms.distance = try fields.double("distance").required("distance")
      terms.interval = try fields.duration("interval").required("interval")
      terms.farDistance = try fields.double("farDistance").required("farDistance")
      return .significantChanges(terms)
    }
    if let fields = try object("visits") {
      var terms = VisitTerms()
      terms.radius = try fields.double("radius").required("radius")
      terms.minimumStay = try fields.duration("minimumStay").required("minimumStay")
      return .visits(terms)
    }
    if let fields = try object("headings") {
      var terms = HeadingTerms()
      terms.filter = try fields.double("filter").required("filter")
      terms.reference = try fields.choice("reference")
      return .headings(terms)
    }
    if let fields = try object("accepted") { return .accepted(try fields.acceptanceTerms()) }
    if try flag("motions") == true { return .motions }
    if let fields = try object("track") { return .track(try fields.trackTerms()) }
    throw FieldError(rule: "an unknown kind of subscription")
  }

  package func outlierSettings() throws(FieldError) -> Outlier.Settings {
    var settings = Outlier.Settings()
    settings.maximumSpeed = try double("maximumSpeed")
    settings.maximumAcceleration = try double("maximumAcceleration")
    settings.tolerance = try double("tolerance").required("tolerance")
    settings.agreeing = try count("agreeing").required("agreeing")
    settings.memory = try duration("memory").required("memory")
    settings.assumedAccuracy = try double("assumedAccuracy").required("assumedAccuracy")
    settings.leastAccuracy = try double("leastAccuracy").required("leastAccuracy")
    return settings
  }

  /// Returns a whole number of at least `Int32.min`, so that counting down never overflows.
  package func count(_ name: String) throws(FieldError) -> Int? {
    guard let value: Int = try integer(name) else { return nil }
    guard value >= Int(Int32.min) else { throw FieldError(rule: "\(name) is too small", kind: .badNumber) }
    return value
  }

  private func fixTerms() throws(FieldError) -> FixTerms {
    var terms = FixTerms(level: try level("level"))
    terms.distanceFilter = try double("distanceFilter") ?? 0
    terms.elasticity = try double("elasticity") ?? 0
    terms.minimumInterval = try duration("minimumInterval") ?? .zero
    terms.maximumCount = try count("maximumCount")
    terms.duration = try duration("duration")
    terms.lastFixUpTo = try duration("lastFixUpTo")
    terms.activity = try choice("activity") ?? .other
    return terms
  }
}
