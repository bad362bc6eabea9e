package import WhereaboutsModel
package import WhereaboutsGeodesy

/// The shape and the terms of a fence as text, without its position.
package enum ShapeText {
  /// Returns `circle of 50 m`, `polygon of 5 corners, 1 hole` or `corridor of 1.20 km, 40 m wide`.
  package static func shape(_ area: Area) -> String {
    switch area {
    case .circle(let circle): return "circle, \(Quantities.length(circle.radius)) around"
    case .polygon(let polygon): return "polygon of \(corners(polygon))"
    case .multiPolygon(let multi):
      let corners = multi.polygons.reduce(0) { $0 + $1.exterior.count }
      return "\(Quantities.count(multi.polygons.count, "polygon")) of \(Quantities.count(corners, "corner"))"
    case .corridor(let corridor):
      let length = zip(corridor.line, corridor.line.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
      return "corridor of \(Quantities.length(length)), \(Quantities.length(corridor.width)) wide"
    }
  }

  private static func corners(_ polygon: Area.Polygon) -> String {
    let holes = polygon.holes.isEmpty ? "" : ", \(Quantities.count(polygon.holes.count, "hole"))"
    return "\(Quantities.count(polygon.exterior.count, "corner"))\(holes)"
  }

  /// Returns the terms that differ from the default, each named like its option: `entered after 30 s inside`, `reports exit`.
  package static func terms(_ terms: FenceTerms) -> [String] {
    let usual = FenceTerms()
    var parts: [String] = []
    func add(_ isOther: Bool, _ text: @autoclosure () -> String) { if isOther { parts.append(text()) } }
    add(
      terms.enterConfidence != usual.enterConfidence,
      "entered when \(FenceEventText.requiredPercent(terms.enterConfidence)) sure")
    add(
      terms.exitConfidence != usual.exitConfidence,
      "left when \(FenceEventText.requiredPercent(terms.exitConfidence)) sure")
    add(
      terms.hysteresisMargin != usual.hysteresisMargin,
      "left when \(Quantities.length(terms.hysteresisMargin)) beyond")
    add(terms.enterDwell != usual.enterDwell, "entered after \(seconds(terms.enterDwell)) inside")
    add(terms.exitDwell != usual.exitDwell, "left after \(seconds(terms.exitDwell)) outside")
    if let dwell = terms.dwell { parts.append("stayed after \(seconds(dwell))") }
    add(terms.notify != usual.notify, "reports \(kinds(terms.notify))")
    add(terms.reportsInitialSide, "reports the first side")
    add(terms.once, "once")
    if let expiry = terms.expiry { parts.append("until \(expiry.dateText) \(expiry.clockText)") }
    if let hours = terms.activeHours {
      parts.append(hours.windows.isEmpty ? "reports at no time" : "reports at \(hours.text)")
    }
    add(terms.responsiveness != usual.responsiveness, "may wait \(seconds(terms.responsiveness))")
    return parts
  }

  private static func seconds(_ duration: Duration) -> String { Quantities.duration(duration.inSeconds) }

  private static func kinds(_ kinds: Set<FenceEvent.Kind>) -> String {
    let names = FenceEvent.Kind.allCases.filter(kinds.contains).map(\.rawValue)
    return names.isEmpty ? "nothing" : names.joined(separator: ", ")
  }

  /// Returns `inside since 2024-05-14 17:04:12`, `outside`, or an empty text for an unknown side.
  package static func state(_ state: FenceState?) -> String {
    guard let state, state.side != .unknown else { return "" }
    let since = state.since.map { " since \($0.dateText) \($0.clockText)" } ?? ""
    return "\(state.side.rawValue)\(since)"
  }
}
