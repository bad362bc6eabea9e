import WhereaboutsGeodesy

/// A reader of a GeoJSON geometry, from well-formed JSON.
struct GeoJSONGeometry {
  private let scanner: JSONScanner
  private(set) var shape = FenceShape()

  /// The limit of nested collections; RFC 7946 advises against any nesting.
  private static let maxDepth = 8

  init(_ scanner: JSONScanner) { self.scanner = scanner }

  /// Adds the geometry that begins there.
  mutating func read(at position: Int, depth: Int = 0) throws(FenceParseError) {
    var walk = scanner.at(position)
    guard walk.peek() == UInt8(ascii: "{"), let object = walk.geoJSONObject() else {
      throw FenceParseError(.malformed, at: position, "geometry is no object")
    }
    try read(object, depth: depth)
  }

  /// Adds a geometry.
  mutating func read(_ object: GeoJSONObject, depth: Int = 0) throws(FenceParseError) {
    guard let typeStart = object.type else {
      throw FenceParseError(.missing, at: object.start, "a geometry without type")
    }
    var walk = scanner.at(typeStart)
    guard let type = walk.text() else {
      throw FenceParseError(.malformed, at: typeStart, "the type of a geometry is no text")
    }
    if type == "GeometryCollection" { return try readCollection(object, depth: depth) }
    guard let start = object.coordinates else {
      throw FenceParseError(.missing, at: object.start, "a geometry without coordinates")
    }
    var positions = GeoJSONPositions(scanner.at(start))
    switch type {
    case "Point": shape.points.append(try positions.position())
    case "LineString": shape.lines.append(try positions.line())
    case "Polygon": shape.polygons.append(try positions.polygon())
    case "MultiPoint": shape.points.append(contentsOf: try positions.line())
    case "MultiLineString":
      var lines: [[Coordinate]] = []
      try positions.forEachElement("lines") { (each) throws(FenceParseError) in lines.append(try each.line())
      }
      shape.lines.append(contentsOf: lines)
    case "MultiPolygon":
      var polygons: [[[Coordinate]]] = []
      try positions.forEachElement("polygons") { (each) throws(FenceParseError) in
        polygons.append(try each.polygon())
      }
      shape.polygons.append(contentsOf: polygons)
    case "Circle":
      throw FenceParseError(
        .unsupported, at: typeStart, "GeoJSON has no circles; one is a Point with a radius in its properties")
    default:
      throw FenceParseError(.unsupported, at: typeStart, "a geometry of a type that GeoJSON does not have")
    }
  }

  private mutating func readCollection(_ object: GeoJSONObject, depth: Int) throws(FenceParseError) {
    guard depth < Self.maxDepth else {
      throw FenceParseError(.unsupported, at: object.start, "collections nested more than 8 deep")
    }
    guard let start = object.geometries else {
      throw FenceParseError(.missing, at: object.start, "a collection without geometries")
    }
    var walk = scanner.at(start)
    guard walk.accept("[") else { throw FenceParseError(.malformed, at: start, "geometries is no array") }
    guard !walk.accept("]") else { return }
    repeat {
      _ = walk.peek()
      try read(at: walk.position, depth: depth + 1)
      guard walk.skipValue() else { return }
    } while walk.accept(",")
  }
}

/// A reader of arrays of positions, from well-formed JSON.
struct GeoJSONPositions {
  private var scanner: JSONScanner

  init(_ scanner: JSONScanner) { self.scanner = scanner }

  /// Returns one position: longitude, latitude, and an optional height, which is skipped.
  mutating func position() throws(FenceParseError) -> Coordinate {
    let start = currentOffset
    guard scanner.accept("["), let longitude = try number(), scanner.accept(","), let latitude = try number()
    else {
      throw FenceParseError(.malformed, at: start, "a position is not an array of longitude and latitude")
    }
    while scanner.accept(",") {
      guard try number() != nil else {
        throw FenceParseError(.malformed, at: currentOffset, "a position holds something else than numbers")
      }
    }
    guard scanner.accept("]") else {
      throw FenceParseError(.malformed, at: currentOffset, "a position holds something else than numbers")
    }
    return try Coordinate.fenceCoordinate(latitude: latitude, longitude: longitude, at: start)
  }

  /// Positions of a line, however many.
  mutating func line() throws(FenceParseError) -> [Coordinate] {
    var places: [Coordinate] = []
    try forEachElement("positions") { (each) throws(FenceParseError) in places.append(try each.position()) }
    return places
  }

  /// Reads the rings of a polygon, each closed.
  mutating func polygon() throws(FenceParseError) -> [[Coordinate]] {
    var rings: [[Coordinate]] = []
    try forEachElement("rings") { (each) throws(FenceParseError) in
      let start = each.currentOffset
      let ring = try each.line()
      guard ring.first == ring.last else {
        throw FenceParseError(.badGeometry, at: start, "a ring is open: its last position is not its first")
      }
      guard ring.count >= 4 else {
        throw FenceParseError(.badGeometry, at: start, "a ring has fewer than four positions: \(ring.count)")
      }
      rings.append(ring)
    }
    return rings
  }

  /// Calls at each element of an array.
  mutating func forEachElement(
    _ name: StaticString, _ body: (inout GeoJSONPositions) throws(FenceParseError) -> Void
  ) throws(FenceParseError) {
    guard scanner.accept("[") else {
      throw FenceParseError(.malformed, at: currentOffset, "no array of \(name)")
    }
    guard !scanner.accept("]") else { return }
    repeat { try body(&self) } while scanner.accept(",")
    guard scanner.accept("]") else {
      throw FenceParseError(.malformed, at: currentOffset, "no array of \(name)")
    }
  }

  /// The offset of the next value.
  private var currentOffset: Int {
    mutating get {
      _ = scanner.peek()
      return scanner.position
    }
  }

  /// Reads the next value where it is a number.
  private mutating func number() throws(FenceParseError) -> Double? {
    let start = currentOffset
    guard let range = scanner.number() else {
      scanner.position = start
      return nil
    }
    guard let value = Decimal.parse(UnsafeRawBufferPointer(rebasing: scanner.bytes[range])) else {
      throw FenceParseError(.badCoordinate, at: start, "a coordinate is no number, or too large")
    }
    return value
  }
}
