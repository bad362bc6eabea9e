/// The reason for which an area is invalid.
public enum AreaError: Error, Hashable, Sendable {
  /// The radius is NaN, not positive, or too large; in metres.
  case radius(Double)
  /// The width is NaN, not positive, or too large; in metres.
  case width(Double)
  /// A ring has fewer than three different corners. The value is their number.
  case tooFewCorners(Int)
  /// A line has fewer than two different places. The value is their number.
  case tooFewPlaces(Int)
  /// A ring crosses itself at the given place. A ring may touch itself.
  case crossesItself(Coordinate)
  /// Two rings of one polygon, or two polygons of one area, cross or overlap at the given place.
  case ringsCross(Coordinate)
  /// A hole is not inside its polygon. The value is one of the hole's corners.
  case holeOutside(Coordinate)
  /// An edge joins nearly opposite places on the Earth and has no direction. The value is the start of the edge.
  case edgeTooLong(from: Coordinate)
  /// The area is half of the Earth or more, so that its inside is ambiguous.
  case tooLarge
  /// The area is empty: no polygon, a ring narrower than 1 mm, or only edges that cancel each other.
  case empty
}

extension AreaError: CustomStringConvertible {
  /// The reason as text for a log, without coordinates.
  public var description: String {
    switch self {
    case .radius: "radius is not more than 0 and at most \(Int(Area.Circle.greatestRadius / 1000)) km"
    case .width: "width is not more than 0 and at most \(Int(Area.Corridor.greatestWidth / 1000)) km"
    case .tooFewCorners(let count): "a ring has fewer than three different corners: \(count)"
    case .tooFewPlaces(let count): "a line has fewer than two different places: \(count)"
    case .crossesItself: "a ring crosses itself"
    case .ringsCross: "two rings cross or overlap"
    case .holeOutside: "a hole is not inside its polygon"
    case .edgeTooLong: "an edge joins places that lie opposite each other on the Earth"
    case .tooLarge: "it covers half of the Earth or more"
    case .empty: "the geometry is empty"
    }
  }
}
