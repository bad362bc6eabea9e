import WhereaboutsModel
import WhereaboutsGeodesy

/// The parts of a geometry in a file, from which the area of a fence is made.
struct FenceShape {
  /// The reason why the parts make no area.
  enum ShapeError: Error {
    /// The reason, where it concerns the geometry as a whole.
    case shape(FenceFileProblem.Kind, String)
    /// An error of the area itself.
    case area(AreaError)
  }

  /// The number of metres that the area needs besides its parts.
  enum Extent { case none, radius, width }

  var points: [Coordinate] = []
  var lines: [[Coordinate]] = []
  /// Each with its outer ring first; rings are closed, their last corner repeats the first.
  var polygons: [[[Coordinate]]] = []
  /// Whether edges are geodesics, and not straight in degrees of longitude and latitude.
  var isGeodesic = false

  /// The number of metres that the parts need to become an area.
  var extent: Extent {
    if !polygons.isEmpty { return .none }
    if !points.isEmpty { return .radius }
    return lines.isEmpty ? .none : .width
  }

  /// Returns the area that the parts make.
  ///
  /// - Parameter metres: the radius or width that ``extent`` requires.
  func area(metres: Double?) throws(ShapeError) -> Area {
    switch (points.count, lines.count, polygons.count) {
    case (0, 0, 0): throw .shape(.missing, "the geometry is empty")
    case (1, 0, 0):
      guard let metres else {
        throw .shape(.missing, "a point without radius: a circle needs one, in metres")
      }
      return .circle(
        try make { () throws(AreaError) in try Area.Circle(center: points[0], radius: metres) })
    case (0, 1, 0):
      guard let metres else {
        throw .shape(.missing, "a line without width: a corridor needs one, in metres")
      }
      let line = try path(lines[0])
      return .corridor(try make { () throws(AreaError) in try Area.Corridor(line: line, width: metres) })
    case (0, 0, 1): return .polygon(try polygon(polygons[0]))
    case (0, 0, _):
      var parts: [Area.Polygon] = []
      for rings in polygons { parts.append(try polygon(rings)) }
      return .multiPolygon(try make { () throws(AreaError) in try Area.MultiPolygon(parts) })
    case (_, 0, 0): throw .shape(.unsupported, "several points are no area; each needs a feature of its own")
    case (0, _, 0): throw .shape(.unsupported, "several lines are no area; each needs a feature of its own")
    default:
      throw .shape(
        .unsupported, "points, lines and polygons together are no area; each needs its own feature")
    }
  }

  private func polygon(_ rings: [[Coordinate]]) throws(ShapeError) -> Area.Polygon {
    guard let written = rings.first else { throw .shape(.missing, "a polygon without rings") }
    let exterior = try path(written)
    var holes: [[Coordinate]] = []
    for ring in rings.dropFirst() { holes.append(try path(ring)) }
    return try make { () throws(AreaError) in try Area.Polygon(exterior: exterior, holes: holes) }
  }

  /// Returns the places of a path, with more in between if geodesics need them to follow its lines.
  private func path(_ places: [Coordinate]) throws(ShapeError) -> [Coordinate] {
    if isGeodesic { return places }
    guard let path = DegreeEdges.geodesics(through: places) else {
      throw .shape(.badGeometry, "its edges are too long to be followed")
    }
    return path
  }

  private func make<Value>(_ body: () throws(AreaError) -> Value) throws(ShapeError) -> Value {
    do { return try body() } catch { throw .area(error) }
  }
}

extension FenceShape {
  /// Returns the area that the parts make, with the stated radius or width, or the reader's default. Errors are
  /// located at the beginning of the parts.
  ///
  /// - Parameter finder: returns the offset of the position nearest to a place.
  func area(
    _ properties: FenceProperties, _ reader: FenceReader, at start: Int,
    finder: (Coordinate) -> Int? = { _ in nil }
  ) throws(FenceParseError) -> Area {
    let stated = try properties.extentInMetres()
    let metres: Double? =
      switch extent {
      case .none: nil
      case .radius: stated?.metres ?? reader.defaultRadius
      case .width: stated?.metres ?? reader.defaultWidth
      }
    do throws(ShapeError) {
      return try area(metres: metres)
    } catch {
      switch error {
      case .shape(let kind, let reason): throw FenceParseError(kind, at: start, reason)
      case .area(let problem):
        let isExtent = problem.concernsExtent
        let position = isExtent ? stated?.offset : problem.coordinate.flatMap(finder)
        throw FenceParseError(isExtent ? .badValue : .badGeometry, at: position ?? start, problem.description)
      }
    }
  }
}

extension Coordinate {
  /// Returns the place of a position of a file. A longitude may be a turn too far, as maps that scroll on write them.
  static func fenceCoordinate(latitude: Double, longitude: Double, at offset: Int) throws(FenceParseError)
    -> Coordinate
  {
    guard latitude >= -90, latitude <= 90 else {
      throw FenceParseError(
        .badCoordinate, at: offset, "the latitude is out of range; it comes second, after the longitude")
    }
    let place =
      Coordinate(latitude: latitude, longitude: longitude)
      ?? (longitude.magnitude <= 360 ? Coordinate(latitude: latitude, wrappingLongitude: longitude) : nil)
    guard let place else {
      throw FenceParseError(.badCoordinate, at: offset, "the longitude is out of range")
    }
    return place
  }
}

extension AreaError {
  /// Whether the problem concerns the radius or width, and not the geometry.
  fileprivate var concernsExtent: Bool {
    switch self {
    case .radius, .width: true
    case .tooFewCorners, .tooFewPlaces, .crossesItself, .ringsCross, .holeOutside, .edgeTooLong, .tooLarge,
      .empty:
      false
    }
  }

  /// The place that it is about, where it is about one.
  fileprivate var coordinate: Coordinate? {
    switch self {
    case .crossesItself(let place), .ringsCross(let place), .holeOutside(let place),
      .edgeTooLong(from: let place):
      place
    case .radius, .width, .tooFewCorners, .tooFewPlaces, .tooLarge, .empty: nil
    }
  }
}
