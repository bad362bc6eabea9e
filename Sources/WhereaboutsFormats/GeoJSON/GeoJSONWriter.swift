import WhereaboutsModel
import WhereaboutsGeodesy

/// A writer of GeoJSON (RFC 7946) for maps, element by element: one feature collection, one feature a line.
///
/// With ``Style/lines`` each segment of a track is a `LineString` with these properties, if known:
///
/// | property | meaning |
/// | --- | --- |
/// | `kind` | `track`, `route` or `place` |
/// | `name` | the name of the track, route or place |
/// | `begin`, `end` | times of the first and last fix, RFC 3339 |
/// | `points` | the number of fixes or route points in the line |
/// | `coordTimes` | the time of each position of a track, `null` where unknown, as other programs write and read it |
///
/// A segment of a single fix is a `Point`. A segment that crosses the antimeridian is cut there into two features, as
/// in the RFC; the positions of the cut have no time. A segment of more than ``maximumSegment`` fixes continues in
/// another feature. Waypoints are `Point`s with `name`, `alt` and `time`; a route is a `LineString`.
///
/// With ``Style/points`` each fix is a `Point` whose properties are the JSON form of `Fix`; everything else is left
/// out.
///
/// The third number of a position is the height above the ellipsoid, as in the RFC, if known. Headings and satellites
/// are left out; ``omissions`` counts the omitted values. The writer holds the times of a line until the line ends, 16
/// bytes a fix.
public struct GeoJSONWriter: RecordingWriter, Sendable {
  /// The form of a track in the output.
  public enum Style: Hashable, Sendable {
    /// One line for each segment.
    case lines
    /// One point for each fix, with all its values.
    case points
  }

  /// The greatest number of fixes in a line. Readers hold a whole feature.
  public static let maximumSegment = 100_000

  /// The values and elements left out so far.
  public private(set) var omissions = Omissions()

  private let style: Style
  private var hasFeatures = false
  private var trackName: String?
  private var line: GeoJSONLine?

  /// Creates a writer at the beginning of a collection.
  public init(style: Style = .lines) {
    self.style = style
  }

  /// Appends an element's features, after closing the line that the element ends.
  public mutating func write(_ element: RecordingElement, to bytes: inout [UInt8]) {
    if style == .points {
      guard case .fix(var fix) = element else { return omissions.count(element) }
      omissions.removeImpossibleValues(of: &fix)
      beginFeature(&bytes)
      bytes.appendPointFeature(fix.coordinate, height: fix.heightAboveEllipsoid) { $0.appendJSON(fix) }
      return
    }
    switch element {
    case .fix(var fix):
      omissions.removeImpossibleValues(of: &fix)
      let point = GeoJSONLine.Point(fix.coordinate, fix.heightAboveEllipsoid, fix.time)
      add(point, kind: .track, name: trackName, &bytes)
      if fix.hasDetails { omissions.count(.fixDetails) }
      if fix.heightAboveGeoid != nil { omissions.count(.geoidalHeight) }
      if fix.floor != nil { omissions.count(.floor) }
      if fix.activity != nil { omissions.count(.activity) }
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
    case .heading, .satellites, .deviceBegan, .visit, .offset: omissions.count(element)
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
    if line?.count == Self.maximumSegment { endLine(&bytes) }
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
  /// Whether more is known than the place, the time, the heights, the floor and the activity.
  fileprivate var hasDetails: Bool {
    speed != nil || course != nil || horizontalAccuracy != nil || verticalAccuracy != nil
      || speedAccuracy != nil || courseAccuracy != nil || climb != nil || mode != nil || solution != nil
      || satellitesUsed != nil || satellitesInView != nil || horizontalDilution != nil
      || verticalDilution != nil || positionDilution != nil
  }
}
