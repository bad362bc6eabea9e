package import WhereaboutsModel
import WhereaboutsGeodesy

/// Fences with their places, terms and states as text.
package enum FenceDetails {
  /// The maximum number of events shown for a fence.
  package static let eventLimit = 5

  /// Returns a line for each fence, without coordinates.
  package static func table(_ fences: [Fence], _ states: [FenceID: FenceState]) -> [String] {
    let rows = fences.map { fence in
      [
        fence.id.name, fence.name ?? "", ShapeText.shape(fence.area),
        ShapeText.state(states[fence.id]), ShapeText.terms(fence.terms).joined(separator: ", "),
      ].map(\.sanitizedToOneLine)
    }
    return TextTable.lines(rows)
  }

  /// Returns the lines of a fence.
  ///
  /// - Parameters:
  ///   - state: the last known state of the fence, if any.
  ///   - events: the events of the fence in their final form, the oldest first.
  package static func lines(
    _ fence: Fence, _ state: FenceState?, events: [ReportedFenceEvent]
  ) -> [String] {
    var entries = [("Fence", fence.name.map { "\(fence.id)  (\($0))" } ?? fence.id.name)]
    entries.append(("Shape", ShapeText.shape(fence.area)))
    entries.append((placeLabel(fence.area), place(fence.area)))
    let terms = ShapeText.terms(fence.terms)
    entries.append(("Terms", terms.isEmpty ? "as usual" : terms[0]))
    entries += terms.dropFirst().map { ("", $0) }
    let properties = fence.properties.sorted { $0.key < $1.key }
    for (index, property) in properties.enumerated() {
      entries.append((index == 0 ? "Keeps" : "", "\(property.key) = \(Self.text(property.value))"))
    }
    let side = ShapeText.state(state)
    entries.append(("Device", side.isEmpty ? "not known" : side))
    let text = FenceEventText([fence])
    for (index, event) in events.suffix(eventLimit).enumerated() {
      entries.append((index == 0 ? "Events" : "", text.line(event)))
    }
    if events.count > eventLimit {
      entries.append(("", "and \((events.count - eventLimit).grouped) before"))
    }
    return entries.map { "\($0.0.padded(to: 8))\($0.1)" }
  }

  private static func placeLabel(_ area: Area) -> String {
    switch area {
    case .circle: "Middle"
    case .polygon, .multiPolygon: "Corners"
    case .corridor: "Line"
    }
  }

  private static func place(_ area: Area) -> String {
    switch area {
    case .circle(let circle): text([circle.center])
    case .polygon(let polygon): text(polygon.exterior)
    case .multiPolygon(let multi): text(multi.polygons.flatMap(\.exterior))
    case .corridor(let corridor): text(corridor.line)
    }
  }

  private static func text(_ places: [Coordinate]) -> String {
    let few = places.prefix(8).map { "\($0.latitude.fixed(6)),\($0.longitude.fixed(6))" }
    let rest = places.count > few.count ? " and \((places.count - few.count).grouped) more" : ""
    return few.joined(separator: " ") + rest
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .number(let number):
      number == number.rounded() && number.magnitude < 1e15 ? "\(Int(number))" : "\(number)"
    case .string(let text): text
    case .array(let values): "[\(values.map(text).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }.joined(separator: ", "))}"
    }
  }
}
