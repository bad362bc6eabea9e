import WhereaboutsModel
import WhereaboutsGeodesy

/// A reader of a fence from a feature, or from a bare geometry, in well-formed JSON.
struct GeoJSONFeature {
  private let object: GeoJSONObject
  private let scanner: JSONScanner
  private let ordinal: Int
  /// The id that it states, once that has been read.
  private(set) var id: String?

  init(_ object: GeoJSONObject, in scanner: JSONScanner, ordinal: Int) {
    self.object = object
    self.scanner = scanner
    self.ordinal = ordinal
  }

  /// Returns the fence, but for an id of its own.
  mutating func draft(_ reader: FenceReader) throws(FenceParseError) -> FenceDraft {
    if let crs = object.crs { try GeoJSONReferenceSystem.check(scanner.at(crs)) }
    var idStart = object.id
    if let idStart { id = try explicitID(at: idStart) }
    var (shape, start) = try geometry()
    if let edges = object.edges {
      var walk = scanner.at(edges)
      shape.isGeodesic = walk.text() == "geodesic"
    }
    var properties = FenceProperties(extent: shape.extent)
    if let position = object.properties { try properties.read(scanner.at(position)) }
    if id == nil, let (text, position) = properties.id {
      id = text
      idStart = position
    }
    let area = try shape.area(properties, reader, at: start) { nearest(to: $0, from: start) }
    return FenceDraft(
      ordinal: ordinal, offset: idStart ?? object.start, id: id, area: area, terms: try properties.terms(),
      name: properties.name, properties: properties.otherProperties)
  }

  private func explicitID(at position: Int) throws(FenceParseError) -> String {
    var walk = scanner.at(position)
    if let text = walk.text() { return text }
    walk.position = position
    guard let range = walk.number() else {
      throw FenceParseError(.badValue, at: position, "id is neither text nor a number")
    }
    return String(decoding: UnsafeRawBufferPointer(rebasing: scanner.bytes[range]), as: UTF8.self)
  }

  /// Returns the parts of the geometry, and where it begins.
  private func geometry() throws(FenceParseError) -> (FenceShape, start: Int) {
    guard let typeStart = object.type else {
      let isFix = object.latitude != nil && object.longitude != nil
      throw FenceParseError(
        .notFences, at: object.start,
        isFix ? "a fix of a recording, not a feature" : "an object without type, so nothing of GeoJSON")
    }
    var walk = scanner.at(typeStart)
    var geometry = GeoJSONGeometry(scanner)
    guard walk.text() == "Feature" else {
      try geometry.read(object)
      return (geometry.shape, object.start)
    }
    guard let start = object.geometry else {
      throw FenceParseError(
        .missing, at: object.start, object.hasGeometryMember ? "its geometry is null" : "no geometry")
    }
    try geometry.read(at: start)
    return (geometry.shape, start)
  }

  /// Returns the offset of the geometry's position nearest to a place.
  private func nearest(to place: Coordinate, from start: Int) -> Int? {
    var walk = scanner.at(start)
    guard walk.skipValue() else { return nil }
    let end = walk.position
    var best: (offset: Int, distance: Double)?
    for offset in start..<end where scanner.bytes[offset] == UInt8(ascii: "[") {
      // Only the innermost brackets hold numbers.
      var positions = GeoJSONPositions(scanner.at(offset))
      guard scanner.at(offset).isAtNumber, let corner = try? positions.position() else { continue }
      let distance = corner.distance(to: place)
      if best.map({ distance < $0.distance }) ?? true { best = (offset, distance) }
    }
    return best?.offset
  }
}

extension JSONScanner {
  /// Whether the array that begins here holds a number first.
  fileprivate var isAtNumber: Bool {
    var walk = self
    guard walk.accept("["), let first = walk.peek() else { return false }
    return first == UInt8(ascii: "-") || first.asciiDigit != nil
  }
}
