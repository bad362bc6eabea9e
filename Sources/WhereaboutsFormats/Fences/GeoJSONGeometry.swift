import WhereaboutsGeodesy

/// Reads a geometry of GeoJSON, whose JSON has been found to be well formed.
struct GeoJSONGeometry {
  private let scanner: JSONScanner
  private(set) var shape = FenceShape()

  /// How deep collections may be nested in collections; RFC 7946 advises against any.
  private static let deepest = 8

  init(_ scanner: JSONScanner) { self.scanner = scanner }

  /// Adds the geometry that begins there.
  mutating func read(at position: Int, depth: Int = 0) throws(FenceRefusal) {
    var walk = scanner.at(position)
    guard walk.peek() == UInt8(ascii: "{"), let object = walk.geoJSONObject() else {
      throw FenceRefusal(.malformed, at: position, "geometry is no object")
    }
    try read(object, depth: depth)
  }

  /// Adds a geometry.
  mutating func read(_ object: GeoJSONObject, depth: Int = 0) throws(FenceRefusal) {
    guard let typeStart = object.type else {
      throw FenceRefusal(.missing, at: object.start, "a geometry without type")
    }
    var walk = scanner.at(typeStart)
    guard let type = walk.text() else {
      throw FenceRefusal(.malformed, at: typeStart, "the type of a geometry is no text")
    }
    if type == "GeometryCollection" { return try readCollection(object, depth: depth) }
    guard let start = object.coordinates else {
      throw FenceRefusal(.missing, at: object.start, "a geometry without coordinates")
    }
    var positions = GeoJSONPositions(scanner.at(start))
    switch type {
    case "Point": shape.points.append(try positions.position())
    case "LineString": shape.lines.append(try positions.line())
    case "Polygon": shape.polygons.append(try positions.polygon())
    case "MultiPoint": shape.points.append(contentsOf: try positions.line())
    case "MultiLineString":
      var lines: [[Coordinate]] = []
      try positions.forEachElement("lines") { (each) throws(FenceRefusal) in lines.append(try each.line()) }
      shape.lines.append(contentsOf: lines)
    case "MultiPolygon":
      var polygons: [[[Coordinate]]] = []
      try positions.forEachElement("polygons") { (each) throws(FenceRefusal) in
        polygons.append(try each.polygon())
      }
      shape.polygons.append(contentsOf: polygons)
    case "Circle":
      throw FenceRefusal(
        .unsupported, at: typeStart, "GeoJSON has no circles; one is a Point with a radius in its properties")
    default:
      throw FenceRefusal(.unsupported, at: typeStart, "a geometry of a type that GeoJSON does not have")
    }
  }

  private mutating func readCollection(_ object: GeoJSONObject, depth: Int) throws(FenceRefusal) {
    guard depth < Self.deepest else {
      throw FenceRefusal(.unsupported, at: object.start, "collections nested more than 8 deep")
    }
    guard let start = object.geometries else {
      throw FenceRefusal(.missing, at: object.start, "a collection without geometries")
    }
    var walk = scanner.at(start)
    guard walk.take("[") else { throw FenceRefusal(.malformed, at: start, "geometries is no array") }
    guard !walk.take("]") else { return }
    repeat {
      _ = walk.peek()
      try read(at: walk.position, depth: depth + 1)
      guard walk.skipValue() else { return }
    } while walk.take(",")
  }
}

/// Reads arrays of positions, whose JSON has been found to be well formed.
struct GeoJSONPositions {
  private var scanner: JSONScanner

  init(_ scanner: JSONScanner) { self.scanner = scanner }

  /// One position: longitude, latitude, and perhaps a height, which is passed over.
  mutating func position() throws(FenceRefusal) -> Coordinate {
    let start = here
    guard scanner.take("["), let longitude = try number(), scanner.take(","), let latitude = try number()
    else {
      throw FenceRefusal(.malformed, at: start, "a position is not an array of longitude and latitude")
    }
    while scanner.take(",") {
      guard try number() != nil else {
        throw FenceRefusal(.malformed, at: here, "a position holds something else than numbers")
      }
    }
    guard scanner.take("]") else {
      throw FenceRefusal(.malformed, at: here, "a position holds something else than numbers")
    }
    return try Coordinate.ofFence(latitude: latitude, longitude: longitude, at: start)
  }

  /// Positions of a line, however many.
  mutating func line() throws(FenceRefusal) -> [Coordinate] {
    var places: [Coordinate] = []
    try forEachElement("positions") { (each) throws(FenceRefusal) in places.append(try each.position()) }
    return places
  }

  /// The rings of a polygon, each closed.
  mutating func polygon() throws(FenceRefusal) -> [[Coordinate]] {
    var rings: [[Coordinate]] = []
    try forEachElement("rings") { (each) throws(FenceRefusal) in
      let start = each.here
      let ring = try each.line()
      guard ring.first == ring.last else {
        throw FenceRefusal(.badGeometry, at: start, "a ring is open: its last position is not its first")
      }
      guard ring.count >= 4 else {
        throw FenceRefusal(.badGeometry, at: start, "a ring has fewer than four positions: \(ring.count)")
      }
      rings.append(ring)
    }
    return rings
  }

  /// Calls at each element of an array.
  mutating func forEachElement(
    _ name: StaticString, _ body: (inout GeoJSONPositions) throws(FenceRefusal) -> Void
  ) throws(FenceRefusal) {
    guard scanner.take("[") else { throw FenceRefusal(.malformed, at: here, "no array of \(name)") }
    guard !scanner.take("]") else { return }
    repeat { try body(&self) } while scanner.take(",")
    guard scanner.take("]") else { throw FenceRefusal(.malformed, at: here, "no array of \(name)") }
  }

  /// Where the next value stands.
  private var here: Int {
    mutating get {
      _ = scanner.peek()
      return scanner.position
    }
  }

  /// The next value where it is a number.
  private mutating func number() throws(FenceRefusal) -> Double? {
    let start = here
    guard let range = scanner.number() else {
      scanner.position = start
      return nil
    }
    guard let value = Decimal.parse(UnsafeRawBufferPointer(rebasing: scanner.bytes[range])) else {
      throw FenceRefusal(.badCoordinate, at: start, "a coordinate is no number, or too large")
    }
    return value
  }
}
