import WhereaboutsCore
import WhereaboutsGeodesy

// What `ModelJSON` writes, read again. Values are taken as they stand where the model's own types take them: a journal
// must give back what an engine was given, sensible or not.

extension JSONFields {
  func fix() throws(Mistake) -> Fix {
    let latitude = try double("lat").needed("lat"), longitude = try double("lon").needed("lon")
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw Mistake(rule: "lat or lon out of range", kind: .badCoordinate)
    }
    var fix = Fix(
      coordinate: coordinate, time: try utcTime("time"), source: try choice("source") ?? .scripted,
      isSimulated: try flag("simulated") ?? false)
    fix.horizontalAccuracy = try double("hacc")
    fix.verticalAccuracy = try double("vacc")
    fix.isAccuracyEstimated = try flag("estimated") ?? false
    fix.heightAboveGeoid = try double("alt")
    fix.heightAboveEllipsoid = try double("altHAE")
    fix.speed = try double("speed")
    fix.speedAccuracy = try double("speedAcc")
    fix.course = try double("track")
    fix.courseAccuracy = try double("trackAcc")
    fix.climb = try double("climb")
    if let code: UInt8 = try integer("mode") {
      guard let mode = FixMode(rawValue: code) else { throw Mistake(rule: "mode is neither 2 nor 3") }
      fix.mode = mode
    }
    fix.solution = try choice("status")
    fix.satellitesUsed = try integer("used")
    fix.satellitesInView = try integer("seen")
    fix.horizontalDilution = try float("hdop")
    fix.verticalDilution = try float("vdop")
    fix.positionDilution = try float("pdop")
    return fix
  }

  func heading() throws(Mistake) -> Heading {
    let heading = Heading(
      degrees: try double("degrees").needed("degrees"),
      reference: try choice("reference").needed("reference"),
      accuracy: try double("accuracy"), time: try utcTime("time"))
    guard let heading else { throw Mistake(rule: "degrees is no angle", kind: .badNumber) }
    return heading
  }

  func satellitesInView() throws(Mistake) -> SatellitesInView {
    var sky = SatellitesInView(satellites: [], time: try utcTime("time"))
    for element in try array("list").needed("list") {
      guard case .object(let fields) = element else { throw Mistake(rule: "a satellite is no object") }
      sky.satellites.append(try fields.satellite())
    }
    return sky
  }

  private func satellite() throws(Mistake) -> SatellitesInView.Satellite {
    SatellitesInView.Satellite(
      constellation: try choice("system").needed("system"), number: try integer("number").needed("number"),
      elevation: try float("elevation"), azimuth: try float("azimuth"), signal: try float("signal"),
      isUsed: try flag("used") ?? false)
  }

  func trouble() throws(Mistake) -> SourceTrouble {
    SourceTrouble(
      SourceTrouble.Code(rawValue: try text("code").needed("code")),
      message: try text("message").needed("message"), remedy: try text("remedy"))
  }

  func authorization() throws(Mistake) -> Authorization {
    Authorization(
      try choice("status").needed("status"), accuracy: try choice("accuracy") ?? .full,
      noticesChanges: try flag("noticesChanges") ?? true, remedy: try text("remedy"))
  }

  func level(_ name: String) throws(Mistake) -> AccuracyLevel {
    switch try self[name].needed(name) {
    case .text(let text):
      if let level = AccuracyLevel.named(text) { return level }
    case .object(let fields):
      let level = AccuracyLevel.custom(
        worstAccuracy: try fields.double("accuracy").needed("accuracy"),
        maxAge: try fields.duration("age").needed("age"))
      if let level { return level }
    default: break
    }
    throw Mistake(rule: "\(name) is no level of accuracy")
  }

  func requestTerms() throws(Mistake) -> RequestTerms {
    RequestTerms(
      level: try level("level"), timeout: try duration("timeout"),
      timeoutStarts: try choice("timeoutStarts") ?? .whenRequested, settle: try duration("settle"),
      activity: try choice("activity") ?? .other)
  }

  func subscriptionTerms() throws(Mistake) -> SubscriptionTerms {
    if let fields = try object("fixes") { return .fixes(try fields.fixTerms()) }
    if let fields = try object("significantChanges") {
      var terms = SignificantChangeTerms()
      terms.distance = try fields.real("distance").needed("distance")
      terms.interval = try fields.duration("interval").needed("interval")
      terms.farDistance = try fields.real("farDistance").needed("farDistance")
      return .significantChanges(terms)
    }
    if let fields = try object("visits") {
      var terms = VisitTerms()
      terms.radius = try fields.real("radius").needed("radius")
      terms.minimumStay = try fields.duration("minimumStay").needed("minimumStay")
      return .visits(terms)
    }
    if let fields = try object("headings") {
      var terms = HeadingTerms()
      terms.filter = try fields.real("filter").needed("filter")
      terms.reference = try fields.choice("reference")
      return .headings(terms)
    }
    if let fields = try object("accepted") { return .accepted(try fields.acceptanceTerms()) }
    if try flag("motions") == true { return .motions }
    if let fields = try object("track") { return .track(try fields.trackTerms()) }
    throw Mistake(rule: "a subscription to nothing known")
  }

  func outlierSettings() throws(Mistake) -> OutlierSettings {
    var settings = OutlierSettings()
    settings.maximumSpeed = try double("maximumSpeed")
    settings.maximumAcceleration = try double("maximumAcceleration")
    settings.tolerance = try double("tolerance").needed("tolerance")
    settings.agreeing = try count("agreeing").needed("agreeing")
    settings.memory = try duration("memory").needed("memory")
    settings.assumedAccuracy = try double("assumedAccuracy").needed("assumedAccuracy")
    settings.leastAccuracy = try double("leastAccuracy").needed("leastAccuracy")
    return settings
  }

  /// A number that is one: terms can't be compared without.
  func real(_ name: String) throws(Mistake) -> Double? {
    guard let value = try double(name) else { return nil }
    guard !value.isNaN else { throw Mistake(rule: "\(name) is no number", kind: .badNumber) }
    return value
  }

  /// A number that can be counted down from for ever.
  func count(_ name: String) throws(Mistake) -> Int? {
    guard let value: Int = try integer(name) else { return nil }
    guard value >= Int(Int32.min) else { throw Mistake(rule: "\(name) is too small", kind: .badNumber) }
    return value
  }

  private func fixTerms() throws(Mistake) -> FixTerms {
    var terms = FixTerms(level: try level("level"))
    terms.distanceFilter = try real("distanceFilter") ?? 0
    terms.elasticity = try real("elasticity") ?? 0
    terms.minimumInterval = try duration("minimumInterval") ?? .zero
    terms.maximumCount = try count("maximumCount")
    terms.duration = try duration("duration")
    terms.lastFixUpTo = try duration("lastFixUpTo")
    terms.activity = try choice("activity") ?? .other
    return terms
  }
}
