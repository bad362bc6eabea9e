import WhereaboutsModel
import WhereaboutsServer

/// Requests of phones around a place, the newest fix some seconds ago.
enum Batches {
  static let home = (latitude: 52.52, longitude: 13.405)

  /// A batch of Overland: one fix for each distance north of home, in metres, 20 s apart.
  static func overland(_ distances: [Double], end: UTCTime = .now, device: String? = nil) -> String {
    let features = distances.enumerated().map { index, distance in
      let time = end.advanced(by: .seconds(-20 * (distances.count - 1 - index)))
      let name = device.map { ",\"device_id\":\"\($0)\"" } ?? ""
      return """
        {"type":"Feature","geometry":{"type":"Point","coordinates":[\(home.longitude),\(home.latitude + distance / 111_300)]},\
        "properties":{"timestamp":"\(time.iso8601)","horizontal_accuracy":5\(name)}}
        """
    }
    return "{\"locations\":[\(features.joined(separator: ","))]}"
  }

  /// A batch of Overland: ten fixes at home, twenty on the way north, and ten 800 m from home.
  static func overlandLeavingHome() -> String {
    overland(
      Array(repeating: 0, count: 10) + (1...20).map { Double($0) * 40 } + Array(repeating: 800, count: 10))
  }

  /// A location of OwnTracks.
  static func ownTracks(distance: Double, at time: UTCTime = .now) -> String {
    let seconds = time.nanosecondsSince1970 / 1_000_000_000
    return """
      {"_type":"location","lat":\(home.latitude + distance / 111_300),"lon":\(home.longitude),"tst":\(seconds),"acc":5,"tid":"an"}
      """
  }

  /// A circle around home as GeoJSON.
  static func fence(_ id: String = "home", radius: Int = 100) -> String {
    """
    {"type":"FeatureCollection","features":[{"type":"Feature","id":"\(id)","properties":{"radius":\(radius)},\
    "geometry":{"type":"Point","coordinates":[\(home.longitude),\(home.latitude)]}}]}
    """
  }
}
