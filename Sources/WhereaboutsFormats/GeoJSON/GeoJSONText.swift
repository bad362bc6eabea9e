import WhereaboutsModel
import WhereaboutsGeodesy

extension [UInt8] {
  /// Appends a whole feature that is a point.
  mutating func appendPointFeature(
    _ coordinate: Coordinate, height: Double?, properties: (inout [UInt8]) -> Void
  ) {
    append("{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":")
    appendPosition(coordinate, height: height)
    append("},\"properties\":")
    properties(&self)
    append("}")
  }

  /// Appends a position: longitude before latitude, and the height above the ellipsoid where it is known.
  mutating func appendPosition(_ coordinate: Coordinate, height: Double?) {
    appendPosition(longitude: coordinate.longitude, latitude: coordinate.latitude, height: height)
  }

  mutating func appendPosition(longitude: Double, latitude: Double, height: Double?) {
    append("[")
    appendShortest(longitude)
    append(",")
    appendShortest(latitude)
    if let height, height.isFinite {
      append(",")
      appendShortest(height)
    }
    append("]")
  }

  mutating func appendProperties(of place: Waypoint) {
    append("{\"kind\":\"place\"")
    appendMember("name", place.name)
    if let height = place.heightAboveGeoid, height.isFinite {
      append(",\"alt\":")
      appendShortest(height)
    }
    appendMember("time", place.time)
    append("}")
  }

  mutating func appendMember(_ key: StaticString, _ text: String?) {
    guard let text else { return }
    append(",\"")
    append(key)
    append("\":")
    appendJSONString(text)
  }

  mutating func appendMember(_ key: StaticString, _ time: UTCTime?) {
    guard let time else { return }
    append(",\"")
    append(key)
    append("\":\"")
    time.appendISO8601(to: &self)
    append("\"")
  }

  /// Appends text as a JSON string: quotes, backslashes and control characters are escaped.
  package mutating func appendJSONString(_ text: String) {
    append("\"")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append("\\\"")
      case UInt8(ascii: "\\"): append("\\\\")
      case 0x0A: append("\\n")
      case 0x0D: append("\\r")
      case 0x09: append("\\t")
      case 0..<0x20:
        append("\\u00")
        append(byte < 0x10 ? 48 : 49)
        let digit = byte & 15
        append(digit < 10 ? 48 + digit : UInt8(ascii: "a") + digit - 10)
      default: append(byte)
      }
    }
    append("\"")
  }
}
