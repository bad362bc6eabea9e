import WhereaboutsCore
import WhereaboutsGeodesy

/// The parts of a geometry, as a file gives them: of what they make the area of a fence.
struct FenceShape {
  /// Why they make none.
  enum Trouble: Error {
    /// The reason, where it concerns the geometry as a whole.
    case shape(FenceFileProblem.Kind, String)
    /// What geometry says.
    case area(AreaProblem)
  }

  /// What the area needs besides: a number of metres.
  enum Extent { case none, radius, width }

  var points: [Coordinate] = []
  var lines: [[Coordinate]] = []
  /// Each with its outer ring first; rings are closed, their last corner repeats the first.
  var polygons: [[[Coordinate]]] = []

  /// What the parts need to become an area.
  var extent: Extent {
    if !polygons.isEmpty { return .none }
    if !points.isEmpty { return .radius }
    return lines.isEmpty ? .none : .width
  }

  /// The one area that they make.
  ///
  /// - Parameter metres: the radius or width that ``extent`` asks for.
  func area(metres: Double?) throws(Trouble) -> Area {
    switch (points.count, lines.count, polygons.count) {
    case (0, 0, 0): throw .shape(.missing, "the geometry is empty")
    case (1, 0, 0):
      guard let metres else {
        throw .shape(.missing, "a point without radius: a circle needs one, in metres")
      }
      return .circle(
        try make { () throws(AreaProblem) in try Area.Circle(center: points[0], radius: metres) })
    case (0, 1, 0):
      guard let metres else {
        throw .shape(.missing, "a line without width: a corridor needs one, in metres")
      }
      return .corridor(
        try make { () throws(AreaProblem) in try Area.Corridor(line: lines[0], width: metres) })
    case (0, 0, 1): return .polygon(try polygon(polygons[0]))
    case (0, 0, _):
      var parts: [Area.Polygon] = []
      for rings in polygons { parts.append(try polygon(rings)) }
      return .multiPolygon(try make { () throws(AreaProblem) in try Area.MultiPolygon(parts) })
    case (_, 0, 0): throw .shape(.unsupported, "several points are no area; each needs a feature of its own")
    case (0, _, 0): throw .shape(.unsupported, "several lines are no area; each needs a feature of its own")
    default:
      throw .shape(
        .unsupported, "points, lines and polygons together are no area; each needs its own feature")
    }
  }

  private func polygon(_ rings: [[Coordinate]]) throws(Trouble) -> Area.Polygon {
    guard let exterior = rings.first else { throw .shape(.missing, "a polygon without rings") }
    return try make { () throws(AreaProblem) in
      try Area.Polygon(exterior: exterior, holes: Array(rings.dropFirst()))
    }
  }

  private func make<Value>(_ body: () throws(AreaProblem) -> Value) throws(Trouble) -> Value {
    do { return try body() } catch { throw .area(error) }
  }
}

extension AreaProblem {
  /// What is wrong, without saying where.
  var reason: String {
    switch self {
    case .radius: "radius is not more than 0 and at most \(Int(Area.Circle.greatestRadius)) m"
    case .width: "width is not more than 0 and at most \(Int(Area.Corridor.greatestWidth)) m"
    case .tooFewCorners(let count): "a ring has fewer than three different corners: \(count)"
    case .tooFewPlaces(let count): "a line has fewer than two different places: \(count)"
    case .crossesItself: "a ring crosses or touches itself"
    case .ringsCross: "two rings cross or overlap"
    case .holeOutside: "a hole is not inside its polygon"
    case .edgeTooLong: "an edge joins places that lie opposite each other on the Earth"
    case .tooLarge: "it covers half of the Earth or more"
    case .empty: "the geometry is empty"
    }
  }

  /// The place that it is about, where it is about one.
  var place: Coordinate? {
    switch self {
    case .crossesItself(let place), .ringsCross(let place), .holeOutside(let place),
      .edgeTooLong(from: let place):
      place
    case .radius, .width, .tooFewCorners, .tooFewPlaces, .tooLarge, .empty: nil
    }
  }
}
