import WhereaboutsModel
import WhereaboutsGeodesy

extension [UInt8] {
  /// Appends a whole feature that is a point.
  mutating func appendPointFeature(
    _ coordinate: Coordinate, height: Double?, properties: (inout [UInt8]) -> Void
  ) {
    appendJSONObject {
      $0.appendJSONMember("type", text: "Feature")
      $0.appendJSONMember("geometry") {
        $0.appendJSONMember("type", text: "Point")
        $0.appendJSONKey("coordinates")
        $0.appendPosition(coordinate, height: height)
      }
      $0.appendJSONKey("properties")
      properties(&$0)
    }
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
    appendJSONObject {
      $0.appendJSONMember("kind", text: "place")
      $0.appendJSONMember("name", place.name)
      $0.appendJSONMember("alt", ifFinite: place.heightAboveGeoid)
      $0.appendJSONMember("time", place.time)
    }
  }
}
