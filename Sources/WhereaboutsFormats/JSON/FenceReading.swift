package import WhereaboutsModel
import WhereaboutsGeodesy

// Reading of fences from JSON. Terms are read unchanged; an area must be valid.

extension JSONFields {
  package func fences(_ name: String) throws(FieldError) -> [Fence] {
    var fences: [Fence] = []
    for value in try array(name).required(name) { fences.append(try Self.object(value).fence()) }
    return fences
  }

  package func fenceIDs(_ name: String) throws(FieldError) -> [FenceID] {
    try texts(name).map { FenceID($0) }
  }

  package func fenceSettings() throws(FieldError) -> FenceSettings {
    var settings = FenceSettings()
    settings.lateness = try duration("lateness").required("lateness")
    settings.waitsForLate = try flag("waitsForLate") ?? false
    settings.latePolicy = try choice("latePolicy").required("latePolicy")
    settings.gap = try duration("gap").required("gap")
    settings.topSpeed = try double("topSpeed")
    settings.savesPower = try flag("savesPower").required("savesPower")
    settings.warmUp = try duration("warmUp").required("warmUp")
    settings.delayAfterRest = try duration("delayAfterRest") ?? settings.delayAfterRest
    return settings
  }

  private func fence() throws(FieldError) -> Fence {
    Fence(
      id: FenceID(try text("id").required("id")), area: try object("area").required("area").area(),
      terms: try object("terms").required("terms").fenceTerms(), name: try text("name"),
      properties: try object("properties")?.jsonValues ?? [:])
  }

  private func fenceTerms() throws(FieldError) -> FenceTerms {
    var terms = FenceTerms()
    terms.enterConfidence = try double("enterConfidence").required("enterConfidence")
    terms.exitConfidence = try double("exitConfidence").required("exitConfidence")
    terms.hysteresisMargin = try double("hysteresisMargin").required("hysteresisMargin")
    terms.enterDwell = try duration("enterDwell").required("enterDwell")
    terms.exitDwell = try duration("exitDwell").required("exitDwell")
    terms.dwell = try duration("dwell")
    terms.notify = Set(try texts("notify").compactMap { FenceEvent.Kind(rawValue: $0) })
    terms.reportsInitialSide = try flag("reportsInitialSide") ?? false
    terms.once = try flag("once") ?? false
    terms.expiry = try utcTime("expiry")
    if let hours = try object("activeHours") {
      var windows: [ActiveHours.Window] = []
      for value in try hours.array("windows").required("windows") {
        let window = try Self.object(value)
        windows.append(
          ActiveHours.Window(
            start: try window.count("start").required("start"),
            minutes: try window.count("minutes").required("minutes")))
      }
      terms.activeHours = ActiveHours(
        windows, aheadOfUTC: try hours.duration("aheadOfUTC").required("aheadOfUTC"))
      terms.activeHours?.zone = try hours.object("zone").map { (zone) throws(FieldError) in
        try zone.timeZone()
      }
    }
    terms.responsiveness = try duration("responsiveness").required("responsiveness")
    return terms
  }

  private func timeZone() throws(FieldError) -> TimeZoneRules {
    do {
      return try ExactJSON.object(self).decoded(as: TimeZoneRules.self)
    } catch {
      throw FieldError(rule: "zone is none")
    }
  }

  private func area() throws(FieldError) -> Area {
    do {
      return try ExactJSON.object(self).decoded(as: AreaForm.self).area
    } catch {
      throw FieldError(rule: "area is none")
    }
  }

  private func texts(_ name: String) throws(FieldError) -> [String] {
    var texts: [String] = []
    for value in try array(name).required(name) {
      guard case .text(let text) = value else { throw FieldError(rule: "\(name) is not all texts") }
      texts.append(text)
    }
    return texts
  }

  private static func object(_ value: ExactJSON) throws(FieldError) -> JSONFields {
    guard case .object(let fields) = value else { throw FieldError(rule: "no object") }
    return fields
  }

  /// The members by their names; of two with one name the first counts.
  private var jsonValues: [String: JSONValue] {
    Dictionary(members.map { ($0.name, $0.value.jsonValue) }) { first, _ in first }
  }
}
