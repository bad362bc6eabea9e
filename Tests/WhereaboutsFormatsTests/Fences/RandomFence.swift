import EngineTestSupport
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

extension SeededGenerator {
  private mutating func optionalValue<Value>(_ share: Double = 0.4, _ value: (inout SeededGenerator) -> Value)
    -> Value?
  {
    chance(share) ? value(&self) : nil
  }

  /// A place anywhere, often near 180° or a pole.
  mutating func place() -> Coordinate {
    let latitude =
      chance(0.2) ? Double.random(in: 80...89, using: &self) : Double.random(in: -85...85, using: &self)
    let longitude = chance(0.4) ? 179.99 : Double.random(in: -180...180, using: &self)
    return Coordinate(latitude: latitude, longitude: longitude)
      ?? Coordinate(uncheckedLatitude: 0, longitude: 0)
  }

  /// Corners around a place at distances in a range, either way around.
  private mutating func ring(around center: Coordinate, _ distances: ClosedRange<Double>) -> [Coordinate] {
    let count = Int.random(in: 4...12, using: &self)
    let first = Double.random(in: 0..<360, using: &self)
    let corners = (0..<count).compactMap { index in
      center.destination(
        azimuth: (first + 360 * (Double(index) + Double.random(in: 0...0.4, using: &self)) / Double(count))
          .truncatingRemainder(dividingBy: 360),
        distance: Double.random(in: distances, using: &self))
    }
    return chance(0.5) ? corners : corners.reversed()
  }

  private mutating func polygon(around center: Coordinate, size: Double) throws -> Area.Polygon {
    let hole = optionalValue { $0.ring(around: center, size * 0.1...size * 0.2) }
    return try Area.Polygon(
      exterior: ring(around: center, size * 0.5...size), holes: hole.map { [$0] } ?? [])
  }

  /// A valid area of any kind, up to a number of metres from its centre.
  mutating func area(upTo greatest: Double) throws -> Area {
    let center = place(), size = Double.random(in: 0...1, using: &self) * greatest + 5
    switch Int.random(in: 0..<4, using: &self) {
    case 0: return .circle(try Area.Circle(center: center, radius: size))
    case 1: return .polygon(try polygon(around: center, size: size))
    case 2:
      let other = center.destination(azimuth: 90, distance: 3 * size) ?? center
      return .multiPolygon(
        try Area.MultiPolygon([polygon(around: center, size: size), polygon(around: other, size: size)]))
    default:
      let end =
        center.destination(azimuth: Double.random(in: 0..<360, using: &self), distance: size) ?? center
      return .corridor(try Area.Corridor(line: [center, end], width: min(size / 10 + 1, 1000)))
    }
  }

  private mutating func text() -> String {
    ["", "home", "Büro \"3\"\\", "日本\n\t\u{1}", "a/b", "🏠"].randomElement(using: &self) ?? ""
  }

  private mutating func json(_ depth: Int = 0) -> JSONValue {
    switch Int.random(in: 0..<(depth < 3 ? 6 : 4), using: &self) {
    case 0: return .null
    case 1: return .bool(chance(0.5))
    case 2:
      return .number(
        chance(0.5)
          ? Double(Int.random(in: -9...9, using: &self)) : Double.random(in: -1e9...1e9, using: &self))
    case 3: return .string(text())
    case 4: return .array((0..<Int.random(in: 0...3, using: &self)).map { _ in json(depth + 1) })
    default:
      return .object(
        Dictionary((0..<3).map { ("\($0)" + text(), json(depth + 1)) }, uniquingKeysWith: { $1 }))
    }
  }

  private mutating func duration() -> Duration {
    chance(0.5)
      ? .seconds(Int.random(in: 0...100_000, using: &self))
      : .nanoseconds(Int64.random(in: 1...9_000_000_000_000_000, using: &self))
  }

  private mutating func hours() -> ActiveHours {
    let windows = (0..<Int.random(in: 0...4, using: &self)).map { _ in
      ActiveHours.Window(
        start: Int.random(in: 0..<10_080, using: &self), minutes: Int.random(in: 1...10_080, using: &self))
    }
    let ahead: Duration =
      chance(0.5) ? .seconds(60 * Int.random(in: -840...840, using: &self)) : .milliseconds(1234)
    return ActiveHours(windows, aheadOfUTC: ahead)
  }

  /// Terms of any kind that mean something.
  mutating func fenceTerms() -> FenceTerms {
    var terms = FenceTerms()
    if chance(0.3) { return terms }
    if chance(0.4) { terms.enterConfidence = Double.random(in: 0.5...0.9999, using: &self) }
    if chance(0.4) { terms.exitConfidence = Double.random(in: 0.5...0.9999, using: &self) }
    if chance(0.4) { terms.hysteresisMargin = Double.random(in: 0...500, using: &self) }
    if chance(0.4) { terms.enterDwell = duration() }
    if chance(0.4) { terms.exitDwell = duration() }
    terms.dwell = optionalValue { $0.duration() }
    if chance(0.4) { terms.notify = Set(FenceEvent.Kind.allCases.filter { _ in chance(0.5) }) }
    terms.reportsInitialSide = chance(0.3)
    terms.once = chance(0.3)
    terms.expiry = optionalValue {
      UTCTime(nanosecondsSince1970: Int64.random(in: 0...4_000_000_000_000_000_000, using: &$0))
    }
    terms.activeHours = optionalValue { $0.hours() }
    if chance(0.4) { terms.responsiveness = duration() }
    return terms
  }

  /// A fence of any kind, up to a number of metres from its centre.
  mutating func fence(_ id: FenceID, upTo greatest: Double) throws -> Fence {
    var properties: [String: JSONValue] = [:]
    for _ in 0..<Int.random(in: 0...3, using: &self) { properties["p" + text()] = json() }
    return Fence(
      id: id, area: try area(upTo: greatest), terms: fenceTerms(), name: optionalValue { $0.text() },
      properties: properties)
  }
}

extension SeededGenerator {
  /// A place in a box.
  mutating func place(in box: BoundingBox) -> Coordinate {
    let latitude = Double.random(in: box.south...box.north, using: &self)
    let longitude = box.west + Double.random(in: 0...1, using: &self) * box.longitudeSpan
    return Coordinate(latitude: latitude, wrappingLongitude: longitude) ?? box.center
  }
}
