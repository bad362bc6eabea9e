/// Why something is no area.
public enum AreaProblem: Error, Hashable, Sendable {
  /// A radius that is no number, not positive, or absurdly large; metres.
  case radius(Double)
  /// A width that is no number, not positive, or absurdly large; metres.
  case width(Double)
  /// A ring that has fewer than three different corners; how many it has.
  case tooFewCorners(Int)
  /// A line that has fewer than two different places; how many it has.
  case tooFewPlaces(Int)
  /// A ring crosses itself there. To touch itself is no fault.
  case crossesItself(Coordinate)
  /// Two rings of one polygon, or two polygons of one area, cross or overlap there.
  case ringsCross(Coordinate)
  /// A hole is not inside its polygon; one of its corners.
  case holeOutside(Coordinate)
  /// An edge between places that lie opposite each other on the Earth, from here; it has no direction.
  case edgeTooLong(from: Coordinate)
  /// It is half of the Earth or more, so that which side is inside can't be told.
  case tooLarge
  /// There is nothing in it: no polygon, a ring narrower than 1 mm, or edges that all cancel.
  case empty
}
