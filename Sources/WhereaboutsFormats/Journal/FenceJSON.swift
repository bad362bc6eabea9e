package import WhereaboutsCore
import WhereaboutsGeodesy

// Fences and what happens at them, as JSON; docs/journal.md describes it.

extension [UInt8] {
  mutating func put(_ command: FenceCommand) {
    switch command {
    case .add(let fences): put("addFences", fences)
    case .update(let fences): put("updateFences", fences)
    case .remove(let ids): put("removeFences", ids.map(\.name)) { $0.appendJSONString($1) }
    case .removeAll: put("removeAllFences", true)
    }
  }

  mutating func put(_ key: StaticString, _ settings: FenceSettings) {
    put(key) {
      $0.put("lateness", settings.lateness)
      if settings.waitsForLate { $0.put("waitsForLate", true) }
      $0.put("latePolicy", settings.latePolicy.rawValue)
      $0.put("gap", settings.gap)
      $0.put("topSpeed", settings.topSpeed)
      $0.put("savesPower", settings.savesPower)
      $0.put("warmUp", settings.warmUp)
      $0.put("delayAfterRest", settings.delayAfterRest)
    }
  }

  private mutating func put(_ key: StaticString, _ zone: TimeZoneRules) {
    put(key) {
      $0.put("name", zone.name)
      $0.put("firstOffset", zone.firstOffset)
      $0.put("transitions", zone.transitions) { bytes, transition in
        bytes.putObject {
          $0.put("time", Int(transition.time))
          $0.put("offset", transition.offset)
        }
      }
      $0.put("yearly", zone.yearly?.text)
    }
  }

  private mutating func put(_ key: StaticString, _ fences: [Fence]) {
    put(key, fences) { bytes, fence in bytes.putObject { $0.put(fence) } }
  }

  /// Puts a fence's members.
  package mutating func put(_ fence: Fence) {
    put("id", fence.id.name)
    put("name", fence.name)
    put("area") { $0.put(fence.area) }
    put("terms") { $0.put(fence.terms) }
    if !fence.properties.isEmpty { put("properties", ExactJSON(.object(fence.properties))) }
  }

  private mutating func put(_ terms: FenceTerms) {
    put("enterConfidence", terms.enterConfidence)
    put("exitConfidence", terms.exitConfidence)
    put("hysteresisMargin", terms.hysteresisMargin)
    put("enterDwell", terms.enterDwell)
    put("exitDwell", terms.exitDwell)
    put("dwell", terms.dwell)
    put("notify", FenceEvent.Kind.allCases.filter(terms.notify.contains)) {
      $0.appendJSONString($1.rawValue)
    }
    if terms.tellsInitialSide { put("tellsInitialSide", true) }
    if terms.once { put("once", true) }
    put("expiry", terms.expiry)
    if let hours = terms.activeHours {
      put("activeHours") {
        $0.put("windows", hours.windows) { bytes, window in
          bytes.putObject {
            $0.put("start", window.start)
            $0.put("minutes", window.minutes)
          }
        }
        $0.put("aheadOfUTC", hours.aheadOfUTC)
        if let zone = hours.zone { $0.put("zone", zone) }
      }
    }
    put("responsiveness", terms.responsiveness)
  }

  // MARK: Areas

  private mutating func put(_ area: Area) {
    switch area {
    case .circle(let circle):
      put("type", text: "Point")
      put(key: "coordinates")
      append(circle.center)
      put("radius", circle.radius)
    case .polygon(let polygon):
      put("type", text: "Polygon")
      put(key: "coordinates")
      append(polygon)
    case .multiPolygon(let all):
      put("type", text: "MultiPolygon")
      put("coordinates", all.polygons) { $0.append($1) }
    case .corridor(let corridor):
      put("type", text: "LineString")
      put("coordinates", corridor.line) { $0.append($1) }
      put("width", corridor.width)
    }
  }

  private mutating func append(_ polygon: Area.Polygon) {
    append([polygon.exterior] + polygon.holes) { bytes, ring in
      bytes.append(ring) { $0.append($1) }
    }
  }

  private mutating func append(_ place: Coordinate) {
    append(UInt8(ascii: "["))
    append(exactly: place.longitude)
    append(UInt8(ascii: ","))
    append(exactly: place.latitude)
    append(UInt8(ascii: "]"))
  }

  private mutating func append(exactly number: Double) {
    if number == 0, number.sign == .minus { append("-0") } else { appendShortest(number) }
  }

  // MARK: Lists

  mutating func put<Value>(
    _ key: StaticString, _ elements: some Sequence<Value>, _ element: (inout [UInt8], Value) -> Void
  ) {
    put(key: key)
    append(elements, element)
  }

  private mutating func append<Value>(
    _ elements: some Sequence<Value>, _ element: (inout [UInt8], Value) -> Void
  ) {
    append(UInt8(ascii: "["))
    var isFirst = true
    for value in elements {
      if !isFirst { append(UInt8(ascii: ",")) }
      isFirst = false
      element(&self, value)
    }
    append(UInt8(ascii: "]"))
  }
}

extension ExactJSON {
  /// The same with digits for numbers. Members in the order of their names, so that it is always written alike.
  init(_ value: JSONValue) {
    self =
      switch value {
      case .null: .null
      case .bool(let flag): .flag(flag)
      case .number(let number): .exact(number)
      case .string(let text): .text(text)
      case .array(let values): .array(values.map { ExactJSON($0) })
      case .object(let members):
        .object(
          JSONFields(members: members.sorted { $0.key < $1.key }.map { ($0.key, ExactJSON($0.value)) }))
      }
  }
}
