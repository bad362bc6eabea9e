/// The offsets of an object's members that GeoJSON defines; of two with one name the first counts.
struct GeoJSONObject {
  /// The offset of the opening brace.
  let start: Int
  /// The offset of each value; `nil` if absent or `null`.
  var type: Int?
  var id: Int?
  var geometry: Int?
  var properties: Int?
  var coordinates: Int?
  var geometries: Int?
  var edges: Int?
  var crs: Int?
  /// Whether a member called `geometry` is there, `null` or not.
  var hasGeometryMember = false
  /// The member `lat`: an object with `lat` and `lon` resembles a fix of a recording.
  var latitude: Int?
  var longitude: Int?

  init(start: Int) { self.start = start }

  /// Records the offset of a member's value.
  mutating func recordMember(_ name: UnsafeRawBufferPointer, at position: Int, isNull: Bool) {
    func set(_ member: inout Int?) {
      if member == nil, !isNull { member = position }
    }
    switch name.count {
    case 2 where name.equals("id"): set(&id)
    case 3 where name.equals("lat"): set(&latitude)
    case 3 where name.equals("lon"): set(&longitude)
    case 3 where name.equals("crs"): set(&crs)
    case 4 where name.equals("type"): set(&type)
    case 5 where name.equals("edges"): set(&edges)
    case 8 where name.equals("geometry"):
      hasGeometryMember = true
      set(&geometry)
    case 10 where name.equals("properties"): set(&properties)
    case 10 where name.equals("geometries"): set(&geometries)
    case 11 where name.equals("coordinates"): set(&coordinates)
    default: break
    }
  }
}

extension JSONScanner {
  /// Steps over an object and records its members' offsets; `nil` if there is no well-formed object.
  mutating func geoJSONObject() -> GeoJSONObject? {
    guard peek() == UInt8(ascii: "{") else { return nil }
    var object = GeoJSONObject(start: position)
    position += 1
    guard !accept("}") else { return object }
    repeat {
      guard let key = key() else { return nil }
      let isNull = peek() == UInt8(ascii: "n")
      let start = position
      guard skipValue() else { return nil }
      withBytes(of: key) { object.recordMember($0, at: start, isNull: isNull) }
    } while accept(",")
    return accept("}") ? object : nil
  }

  /// Returns a scanner of the same bytes at another place.
  func at(_ position: Int) -> JSONScanner {
    var scanner = self
    scanner.position = position
    return scanner
  }

  /// Reads the text that the next value is, or `nil` where it is none.
  mutating func text() -> String? {
    guard peek() == UInt8(ascii: "\""), let text = string() else { return nil }
    return decoded(text)
  }
}
