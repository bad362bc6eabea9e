import WhereaboutsModel
import WhereaboutsGeodesy

/// A line in the output: its beginning is written, its properties follow at its end.
struct GeoJSONLine {
  enum Kind { case track, route }

  /// A position of a line.
  struct Point {
    let coordinate: Coordinate
    let height: Double?
    let time: UTCTime?

    init(_ coordinate: Coordinate, _ height: Double?, _ time: UTCTime?) {
      self.coordinate = coordinate
      self.height = height
      self.time = time
    }
  }

  let kind: Kind
  private let name: String?
  private var begin: UTCTime?
  private var last: Point
  /// The number of fixes or route points since the line began or was cut.
  private(set) var count = 1
  /// The time of each position; `nil` for an unknown one, and where the line is cut at the antimeridian.
  private var times: [UTCTime?]

  /// Whether anything of the line is written; its first point waits for a second, since a line has two.
  private(set) var isWritten = false

  init(kind: Kind, name: String?, first: Point) {
    self.kind = kind
    self.name = name
    begin = first.time
    last = first
    times = [first.time]
  }

  /// Appends another point.
  mutating func add(_ point: Point, to bytes: inout [UInt8]) {
    if !isWritten {
      openGeometry(&bytes)
      bytes.appendPosition(last.coordinate, height: last.height)
      isWritten = true
    }
    if let crossing = GeoJSONLine.crossing(from: last.coordinate, to: point.coordinate) {
      let side = last.coordinate.longitude < 0 ? -180.0 : 180
      bytes.append(",")
      bytes.appendPosition(longitude: side, latitude: crossing, height: nil)
      times.append(nil)
      end(&bytes)
      bytes.append(",\n")
      openGeometry(&bytes)
      bytes.appendPosition(longitude: -side, latitude: crossing, height: nil)
      count = 0
      begin = point.time
      times = [nil]
    }
    bytes.append(",")
    bytes.appendPosition(point.coordinate, height: point.height)
    last = point
    times.append(point.time)
    count += 1
  }

  /// Appends the end of the line, or its only point.
  func end(_ bytes: inout [UInt8]) {
    guard isWritten else {
      return bytes.appendPointFeature(last.coordinate, height: last.height) { appendProperties(to: &$0) }
    }
    bytes.append("]},\"properties\":")
    appendProperties(to: &bytes)
    bytes.append("}")
  }

  private func openGeometry(_ bytes: inout [UInt8]) {
    bytes.append("{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[")
  }

  private func appendProperties(to bytes: inout [UInt8]) {
    bytes.appendJSONObject {
      $0.appendJSONMember("kind", text: kind == .track ? "track" : "route")
      $0.appendJSONMember("name", name)
      $0.appendJSONMember("begin", begin)
      $0.appendJSONMember("end", last.time)
      $0.appendJSONMember("points", count)
      guard kind == .track, isWritten, times.contains(where: { $0 != nil }) else { return }
      $0.appendJSONKey("coordTimes")
      $0.appendJSONArray(times) { bytes, time in
        if let time { bytes.appendJSONString(time) } else { bytes.append("null") }
      }
    }
  }

  /// Returns the latitude at which the shorter connection of two places crosses the antimeridian, or `nil` if it
  /// doesn't.
  ///
  /// The connection is the map's straight line, as drawn; not the geodesic.
  static func crossing(from start: Coordinate, to end: Coordinate) -> Double? {
    let east = end.longitude - start.longitude
    guard east.magnitude > 180 else { return nil }
    let before = 180 - start.longitude.magnitude
    let after = 180 - end.longitude.magnitude
    guard before + after > 0 else { return start.latitude }
    return start.latitude + (end.latitude - start.latitude) * before / (before + after)
  }
}
