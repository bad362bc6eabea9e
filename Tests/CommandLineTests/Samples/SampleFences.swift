import Foundation

/// Places along the route of ``SampleDrive``: its start and end, places it passes, and one it never reaches.
struct SampleFences {
  private static let plane = SamplePlane(latitude: 51.4779, longitude: -0.0065)

  /// The collection.
  static func geoJSON() -> [UInt8] {
    let features = [
      circle("home", "Home", (0, 0), radius: 150),
      circle("school", "The school", (760, 640), radius: 80),
      polygon("market", "The market", [(1180, 1250), (1480, 1270), (1470, 1520), (1190, 1500)]),
      corridor("quay", "The quay", [(2020, 780), (2480, 730), (2550, 1300)], width: 150),
      circle("depot", "The depot", (2720, 2110), radius: 100, terms: ",\"dwell\":60"),
      circle("airfield", "The airfield", (6200, -3100), radius: 500),
    ]
    return Array(
      "{\"type\":\"FeatureCollection\",\"features\":[\n\(features.joined(separator: ",\n"))\n]}\n".utf8)
  }

  private static func circle(
    _ id: String, _ name: String, _ middle: (Double, Double), radius: Int, terms: String = ""
  ) -> String {
    feature(id, name, ",\"radius\":\(radius)\(terms)", "Point", position(middle))
  }

  private static func polygon(_ id: String, _ name: String, _ corners: [(Double, Double)]) -> String {
    let ring = (corners + [corners[0]]).map(position).joined(separator: ",")
    return feature(id, name, "", "Polygon", "[[\(ring)]]")
  }

  private static func corridor(
    _ id: String, _ name: String, _ line: [(Double, Double)], width: Int
  ) -> String {
    feature(
      id, name, ",\"width\":\(width)", "LineString", "[\(line.map(position).joined(separator: ","))]")
  }

  private static func feature(
    _ id: String, _ name: String, _ properties: String, _ kind: String, _ coordinates: String
  ) -> String {
    "{\"type\":\"Feature\",\"id\":\"\(id)\",\"properties\":{\"name\":\"\(name)\"\(properties)},"
      + "\"geometry\":{\"type\":\"\(kind)\",\"coordinates\":\(coordinates)}}"
  }

  private static func position(_ point: (Double, Double)) -> String {
    let place = plane.degrees(east: point.0, north: point.1)
    return "[\(String(format: "%.6f", place.longitude)),\(String(format: "%.6f", place.latitude))]"
  }
}
