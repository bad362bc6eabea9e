import WhereaboutsCore
import WhereaboutsGeodesy

/// Writes GeoJSON (RFC 7946) for maps, as the elements come: one feature collection, one feature a line.
///
/// With ``Style/lines`` each segment of a track is a `LineString` with these properties, those that are known:
///
/// | property | meaning |
/// | --- | --- |
/// | `kind` | `track`, `route` or `place` |
/// | `name` | the name of the track, route or place |
/// | `begin`, `end` | times of the first and last fix, RFC 3339 |
/// | `points` | how many fixes or route points the line has |
///
/// A segment of a single fix is a `Point`, and one that crosses the antimeridian is cut there into two features, as the
/// RFC wants. Waypoints are `Point`s with `name`, `alt` and `time`; a route is a `LineString`.
///
/// With ``Style/points`` each fix is a `Point` whose properties are the JSON form of `Fix`; everything else is left out.
///
/// The third number of a position is the height above the ellipsoid, as the RFC says, and only there where it is
/// known. Headings and satellites are left out; ``omissions`` counts what was. No more than one fix is held.
public struct GeoJSONWriter: RecordingWriter, Sendable {
  /// What a track becomes.
  public enum Style: Hashable, Sendable {
    /// One line for each segment.
    case lines
    /// One point for each fix, with all that is known of it.
    case points
  }

  /// What was left out so far.
  public private(set) var omissions = Omissions()

  private let style: Style
  private var hasFeatures = false
  private var trackName: String?
  private var line: GeoJSONLine?

  /// A writer at the beginning of a collection.
  public init(style: Style = .lines) {
    self.style = style
  }

  /// Appends what an element adds to the collection, after closing the line that it ends.
  public mutating func write(_ element: RecordingElement, to bytes: inout [UInt8]) {
    if style == .points {
      guard case .fix(let fix) = element else { return omissions.count(element) }
      beginFeature(&bytes)
      bytes.appendPointFeature(fix.coordinate, height: fix.heightAboveEllipsoid) { $0.appendJSON(fix) }
      return
    }
    switch element {
    case .fix(let fix):
      let point = GeoJSONLine.Point(fix.coordinate, fix.heightAboveEllipsoid, fix.time)
      add(point, kind: .track, name: trackName, &bytes)
      if fix.hasDetails { omissions.count(.fixDetails) }
    case .trackBegan(let name):
      endLine(&bytes)
      trackName = name
    case .segmentBegan: endLine(&bytes)
    case .routeBegan(let name):
      endLine(&bytes)
      trackName = name
    case .routePoint(let place):
      add(GeoJSONLine.Point(place.coordinate, nil, place.time), kind: .route, name: trackName, &bytes)
    case .waypoint(let place):
      endLine(&bytes)
      beginFeature(&bytes)
      bytes.appendPointFeature(place.coordinate, height: nil) { $0.appendProperties(of: place) }
    case .heading, .satellites: omissions.count(element)
    }
  }

  /// Appends the end of the collection.
  public mutating func finish(to bytes: inout [UInt8]) {
    endLine(&bytes)
    if !hasFeatures { bytes.append("{\"type\":\"FeatureCollection\",\"features\":[") }
    bytes.append("\n]}\n")
  }

  private mutating func add(
    _ point: GeoJSONLine.Point, kind: GeoJSONLine.Kind, name: String?, _ bytes: inout [UInt8]
  ) {
    if let line, line.kind != kind { endLine(&bytes) }
    if line == nil {
      line = GeoJSONLine(kind: kind, name: name, first: point)
      return
    }
    if line?.isWritten == false { beginFeature(&bytes) }
    line?.add(point, to: &bytes)
  }

  private mutating func endLine(_ bytes: inout [UInt8]) {
    guard let line else { return }
    if !line.isWritten { beginFeature(&bytes) }
    line.end(&bytes)
    self.line = nil
  }

  private mutating func beginFeature(_ bytes: inout [UInt8]) {
    bytes.append(hasFeatures ? ",\n" : "{\"type\":\"FeatureCollection\",\"features\":[\n")
    hasFeatures = true
  }
}

extension Fix {
  /// Whether more is known than the place and the heights.
  fileprivate var hasDetails: Bool {
    time != nil || speed != nil || course != nil || horizontalAccuracy != nil || verticalAccuracy != nil
  }
}
