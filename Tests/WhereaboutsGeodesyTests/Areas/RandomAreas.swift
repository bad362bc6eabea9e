import RealModule
import WhereaboutsTesting

@testable import WhereaboutsGeodesy

/// Areas and places near them, made from random numbers.
struct RandomAreas {
  var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }

  /// Evenly many of each order of magnitude.
  mutating func scale(_ range: ClosedRange<Double>) -> Double {
    .exp(number(.log(range.lowerBound) ... .log(range.upperBound)))
  }

  /// Anywhere, and often where things are special.
  mutating func place() -> Coordinate {
    let anywhere = Coordinate.random(using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return Coordinate(latitude: 90, longitude: anywhere.longitude)!
    case 1: return Coordinate(latitude: -90 + scale(1e-6...1), longitude: anywhere.longitude)!
    case 2: return Coordinate(latitude: anywhere.latitude, longitude: 180 - scale(1e-6...1))!
    case 3: return Coordinate(latitude: anywhere.latitude, longitude: -180)!
    default: return anywhere
    }
  }

  /// A ring of corners around a place at distances in some part of a size.
  mutating func star(
    around center: Coordinate, corners: Int, distance: ClosedRange<Double>
  ) -> [Coordinate] {
    let turn = number(0...360)
    return (0..<corners).map { i in
      center.destination(
        azimuth: turn + 360 * (Double(i) + number(0...0.8)) / Double(corners), distance: number(distance))!
    }
  }

  /// A place up to a distance from another, mostly nearer.
  mutating func place(near center: Coordinate, within distance: Double) -> Coordinate {
    center.destination(azimuth: number(0...360), distance: number(0...1) * distance)!
  }

  /// An area of one of the kinds, within a size of a place.
  mutating func area(_ kind: Int, around center: Coordinate, size: Double) throws -> Area {
    let corners = Int.random(in: 3...20, using: &random)
    switch kind % 4 {
    case 0: return .circle(try Area.Circle(center: center, radius: size))
    case 1:
      return .polygon(
        try Area.Polygon(exterior: star(around: center, corners: corners, distance: size * 0.5...size)))
    case 2:
      return .polygon(
        try Area.Polygon(
          exterior: star(around: center, corners: corners + 10, distance: size * 0.7...size),
          holes: [star(around: center, corners: corners, distance: size * 0.1...size * 0.3)]))
    default:
      let line = (0..<corners).map { _ in place(near: center, within: size) }
      return .corridor(try Area.Corridor(line: line, width: min(size, 2_000_000) * number(0.01...0.5)))
    }
  }
}
