package import WhereaboutsModel
import WhereaboutsGeodesy

// Fences and their events as JSON; docs/journal.md describes the form.

extension [UInt8] {
  package mutating func appendJSONMember(_ key: StaticString, _ settings: FenceSettings) {
    appendJSONMember(key) {
      $0.appendJSONMember("lateness", settings.lateness)
      if settings.waitsForLate { $0.appendJSONMember("waitsForLate", true) }
      $0.appendJSONMember("latePolicy", settings.latePolicy.rawValue)
      $0.appendJSONMember("gap", settings.gap)
      $0.appendJSONMember("topSpeed", settings.topSpeed)
      $0.appendJSONMember("savesPower", settings.savesPower)
      $0.appendJSONMember("warmUp", settings.warmUp)
      $0.appendJSONMember("delayAfterRest", settings.delayAfterRest)
    }
  }

  private mutating func appendJSONMember(_ key: StaticString, _ zone: TimeZoneRules) {
    appendJSONMember(key) {
      $0.appendJSONMember("name", zone.name)
      $0.appendJSONMember("firstOffset", zone.firstOffset)
      $0.appendJSONMember("transitions", zone.transitions) { bytes, transition in
        bytes.appendJSONObject {
          $0.appendJSONMember("time", Int(transition.time))
          $0.appendJSONMember("offset", transition.offset)
        }
      }
      $0.appendJSONMember("yearly", zone.yearly?.text)
    }
  }

  /// Appends a member that is a list of fences.
  package mutating func appendJSONMember(_ key: StaticString, _ fences: [Fence]) {
    appendJSONMember(key, fences) { bytes, fence in bytes.appendJSONObject { $0.appendJSONMembers(fence) } }
  }

  /// Appends a fence's members.
  package mutating func appendJSONMembers(_ fence: Fence) {
    appendJSONMember("id", fence.id.name)
    appendJSONMember("name", fence.name)
    appendJSONMember("area") { $0.appendJSONMembers(fence.area) }
    appendJSONMember("terms") { $0.appendJSONMembers(fence.terms) }
    if !fence.properties.isEmpty {
      appendJSONKey("properties")
      appendJSON(.object(fence.properties), .exact)
    }
  }

  private mutating func appendJSONMembers(_ terms: FenceTerms) {
    appendJSONMember("enterConfidence", terms.enterConfidence)
    appendJSONMember("exitConfidence", terms.exitConfidence)
    appendJSONMember("hysteresisMargin", terms.hysteresisMargin)
    appendJSONMember("enterDwell", terms.enterDwell)
    appendJSONMember("exitDwell", terms.exitDwell)
    appendJSONMember("dwell", terms.dwell)
    appendJSONMember("notify", FenceEvent.Kind.allCases.filter(terms.notify.contains)) {
      $0.appendJSONString($1.rawValue)
    }
    if terms.reportsInitialSide { appendJSONMember("reportsInitialSide", true) }
    if terms.once { appendJSONMember("once", true) }
    appendJSONMember("expiry", terms.expiry)
    if let hours = terms.activeHours {
      appendJSONMember("activeHours") {
        $0.appendJSONMember("windows", hours.windows) { bytes, window in
          bytes.appendJSONObject {
            $0.appendJSONMember("start", window.start)
            $0.appendJSONMember("minutes", window.minutes)
          }
        }
        $0.appendJSONMember("aheadOfUTC", hours.aheadOfUTC)
        if let zone = hours.zone { $0.appendJSONMember("zone", zone) }
      }
    }
    appendJSONMember("responsiveness", terms.responsiveness)
  }

  // MARK: Areas

  private mutating func appendJSONMembers(_ area: Area) {
    switch area {
    case .circle(let circle):
      appendJSONMember("type", text: "Point")
      appendJSONKey("coordinates")
      append(circle.center)
      appendJSONMember("radius", circle.radius)
    case .polygon(let polygon):
      appendJSONMember("type", text: "Polygon")
      appendJSONKey("coordinates")
      append(polygon)
    case .multiPolygon(let all):
      appendJSONMember("type", text: "MultiPolygon")
      appendJSONMember("coordinates", all.polygons) { $0.append($1) }
    case .corridor(let corridor):
      appendJSONMember("type", text: "LineString")
      appendJSONMember("coordinates", corridor.line) { $0.append($1) }
      appendJSONMember("width", corridor.width)
    }
  }

  private mutating func append(_ polygon: Area.Polygon) {
    appendJSONArray([polygon.exterior] + polygon.holes) { bytes, ring in
      bytes.appendJSONArray(ring) { $0.append($1) }
    }
  }

  private mutating func append(_ place: Coordinate) {
    append(UInt8(ascii: "["))
    appendJSON(place.longitude, .exact)
    append(UInt8(ascii: ","))
    appendJSON(place.latitude, .exact)
    append(UInt8(ascii: "]"))
  }
}
