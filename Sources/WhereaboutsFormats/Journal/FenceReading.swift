import WhereaboutsCore
import WhereaboutsGeodesy

// What `FenceJSON` writes, read again. Terms are taken as they stand; an area must be one.

extension JSONFields {
  func fences(_ name: String) throws(Mistake) -> [Fence] {
    var fences: [Fence] = []
    for value in try array(name).needed(name) { fences.append(try Self.object(value).fence()) }
    return fences
  }

  func fenceIDs(_ name: String) throws(Mistake) -> [FenceID] {
    try texts(name).map { FenceID($0) }
  }

  func fenceSettings() throws(Mistake) -> FenceSettings {
    var settings = FenceSettings()
    settings.lateness = try duration("lateness").needed("lateness")
    settings.waitsForLate = try flag("waitsForLate") ?? false
    settings.latePolicy = try choice("latePolicy").needed("latePolicy")
    settings.gap = try duration("gap").needed("gap")
    settings.topSpeed = try real("topSpeed")
    settings.savesPower = try flag("savesPower").needed("savesPower")
    settings.warmUp = try duration("warmUp").needed("warmUp")
    settings.delayAfterRest = try duration("delayAfterRest") ?? settings.delayAfterRest
    return settings
  }

  private func fence() throws(Mistake) -> Fence {
    Fence(
      id: FenceID(try text("id").needed("id")), area: try object("area").needed("area").area(),
      terms: try object("terms").needed("terms").fenceTerms(), name: try text("name"),
      properties: try object("properties")?.plain ?? [:])
  }

  private func fenceTerms() throws(Mistake) -> FenceTerms {
    var terms = FenceTerms()
    terms.enterConfidence = try real("enterConfidence").needed("enterConfidence")
    terms.exitConfidence = try real("exitConfidence").needed("exitConfidence")
    terms.hysteresisMargin = try real("hysteresisMargin").needed("hysteresisMargin")
    terms.enterDwell = try duration("enterDwell").needed("enterDwell")
    terms.exitDwell = try duration("exitDwell").needed("exitDwell")
    terms.dwell = try duration("dwell")
    terms.notify = Set(try texts("notify").compactMap { FenceEvent.Kind(rawValue: $0) })
    terms.tellsInitialSide = try flag("tellsInitialSide") ?? false
    terms.once = try flag("once") ?? false
    terms.expiry = try utcTime("expiry")
    if let hours = try object("activeHours") {
      var windows: [ActiveHours.Window] = []
      for value in try hours.array("windows").needed("windows") {
        let window = try Self.object(value)
        windows.append(
          ActiveHours.Window(
            start: try window.count("start").needed("start"),
            minutes: try window.count("minutes").needed("minutes")))
      }
      terms.activeHours = ActiveHours(
        windows, aheadOfUTC: try hours.duration("aheadOfUTC").needed("aheadOfUTC"))
      terms.activeHours?.zone = try hours.object("zone").map { (zone) throws(Mistake) in try zone.timeZone() }
    }
    terms.responsiveness = try duration("responsiveness").needed("responsiveness")
    return terms
  }

  private func timeZone() throws(Mistake) -> TimeZoneRules {
    do {
      return try ExactJSON.object(self).decoded(as: TimeZoneRules.self)
    } catch {
      throw Mistake(rule: "zone is none")
    }
  }

  private func area() throws(Mistake) -> Area {
    do {
      return try ExactJSON.object(self).decoded(as: AreaForm.self).area
    } catch {
      throw Mistake(rule: "area is none")
    }
  }

  private func texts(_ name: String) throws(Mistake) -> [String] {
    var texts: [String] = []
    for value in try array(name).needed(name) {
      guard case .text(let text) = value else { throw Mistake(rule: "\(name) is not all texts") }
      texts.append(text)
    }
    return texts
  }

  private static func object(_ value: ExactJSON) throws(Mistake) -> JSONFields {
    guard case .object(let fields) = value else { throw Mistake(rule: "no object") }
    return fields
  }

  /// The members by their names; of two with one name the first counts.
  private var plain: [String: JSONValue] {
    Dictionary(members.map { ($0.name, $0.value.plain) }) { first, _ in first }
  }
}
