import WhereaboutsModel
import WhereaboutsGeodesy

/// A placemark of KML while the parser reports its elements.
struct KMLPlacemark {
  /// The placemark's number, counted from 1.
  let ordinal: Int
  /// The placemark's offset.
  let offset: Int
  /// Its own id, or the one among its data.
  let id: String?
  var name: String?
  var shape = FenceShape()
  /// The offset of the outermost geometry.
  private(set) var geometryStart: Int?
  /// The rings of the polygon that is open.
  var outer: [Coordinate]?
  var holes: [[Coordinate]] = []
  /// The reason of a refusal, once known.
  var refusal: FenceParseError?

  private var data: [(name: String, value: String)] = []

  init(ordinal: Int, offset: Int, id: String?) {
    self.ordinal = ordinal
    self.offset = offset
    self.id = id.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Adds a member of the owner's data; empty text adds nothing.
  mutating func add(_ member: String, _ text: String) {
    if !text.isEmpty { data.append((member, text)) }
  }

  /// Records the offset of a geometry, if it is the first.
  mutating func recordGeometry(at offset: Int) {
    if geometryStart == nil { geometryStart = offset }
  }

  /// Returns the fence, but for an id of its own.
  func draft(_ reader: FenceReader) throws(FenceParseError) -> FenceDraft {
    if let refusal { throw refusal }
    guard let geometryStart else { throw FenceParseError(.missing, at: offset, "no geometry") }
    var shape = shape
    // The point beside a polygon is where maps put its name.
    if !shape.polygons.isEmpty { shape.points = [] }
    var properties = FenceProperties(extent: shape.extent)
    for member in data { properties.add(member.name, text: member.value, at: offset) }
    properties.applyUTCOffset()
    let area = try shape.area(properties, reader, at: geometryStart)
    return FenceDraft(
      ordinal: ordinal, offset: offset, id: id ?? properties.id?.text, area: area,
      terms: try properties.terms(), name: name.flatMap { $0.isEmpty ? nil : $0 } ?? properties.name,
      properties: properties.otherProperties)
  }
}

/// A reader of KML's `coordinates`: `longitude,latitude` or `longitude,latitude,height`, with white space between the
/// positions. White space after a comma is skipped; it breaks the rules, and is common.
enum KMLCoordinates {
  static func parse(_ bytes: [UInt8], at offset: Int) throws(FenceParseError) -> [Coordinate] {
    var places: [Coordinate] = []
    var position = 0
    func skipSpaces() {
      while position < bytes.count, bytes[position].isXMLSpace { position += 1 }
    }
    skipSpaces()
    while position < bytes.count {
      var numbers = (longitude: 0.0, latitude: 0.0), count = 0
      repeat {
        if count > 0 { position += 1 }
        skipSpaces()
        let start = position
        while position < bytes.count, !bytes[position].isXMLSpace, bytes[position] != UInt8(ascii: ",") {
          position += 1
        }
        guard let number = bytes[start..<position].withUnsafeBytes({ Decimal.parse($0) }) else {
          throw FenceParseError(.badCoordinate, at: offset, "a coordinate is no number, or too large")
        }
        if count == 0 { numbers.longitude = number } else if count == 1 { numbers.latitude = number }
        count += 1
        skipSpaces()
      } while position < bytes.count && bytes[position] == UInt8(ascii: ",")
      guard count == 2 || count == 3 else {
        throw FenceParseError(.malformed, at: offset, "a position has not two or three numbers but \(count)")
      }
      places.append(
        try Coordinate.fenceCoordinate(latitude: numbers.latitude, longitude: numbers.longitude, at: offset))
    }
    return places
  }
}
