import WhereaboutsModel
import WhereaboutsGeodesy

/// A writer of KML 2.2 with Google's extensions, for Google Earth and programs like it.
///
/// A track is a `Placemark` with a `gx:MultiTrack`, and each of its segments a `gx:Track`: times, places, and where
/// known accuracy, speed and course as `gx:SimpleArrayData`. A route is a `LineString`, a waypoint a `Point` in a
/// folder
/// `Waypoints`, a visit a `Point` with a `TimeSpan`, its `address`, and its other values as `ExtendedData`. ``KMLDecoder``
/// reads all of that back.
///
/// - **Memory**: a `gx:Track` lists its times before its places, so a segment is held until it ends, 64 bytes a fix. A
///   segment of more than ``maximumSegment`` fixes continues in another `gx:Track`.
/// - **Heights** are above the geoid. A `gx:Track` without heights lies on the ground, so a segment continues in another
///   `gx:Track` where heights begin or end.
/// - **Continued segments**: the `id` of a `gx:Track` that continues the segment before it is `continued-` and a number.
/// - **Numbers** of accuracy, speed and course have the precision of 32 bits, as Google's programs write them.
/// - A fix without a time has an empty `when`. An estimated accuracy is written like a stated one.
///
/// Left out are headings, satellites, names of devices, the heights and names of route points, and of a fix its climb,
/// floor, activity, dilutions, satellites, mode, solution, vertical accuracy and accuracies of speed and course.
/// ``omissions`` counts all of them but the heights and names of route points.
///
/// - Source: OGC 07-147r2, and Google's reference of its extensions (https://developers.google.com/kml/documentation/kmlreference).
public struct KMLWriter: RecordingWriter, Sendable {
  /// The greatest number of fixes in a `gx:Track`.
  public static let maximumSegment = 100_000

  private enum Open { case nothing, waypoints, route, track }

  /// The values of a fix that are written.
  private struct Point {
    var coordinate: Coordinate
    var height: Double?
    var time: UTCTime?
    var accuracy: Float?
    var speed: Float?
    var course: Float?
  }

  private var hasHeader = false
  private var open = Open.nothing
  private var numbering = SegmentNumbering()
  private var points: [Point] = []
  /// Whether the next `gx:Track` continues the segment.
  private var isContinued = false
  private var continuationCount = 0
  private var counted = Omissions()

  /// The values and elements left out so far.
  public var omissions: Omissions { counted.adding(numbering) }

  /// Creates a writer at the beginning of a document.
  public init() {}

  /// Appends an element, after closing the elements that it ends.
  public mutating func write(_ element: RecordingElement, to bytes: inout [UInt8]) {
    switch element {
    case .fix(let fix):
      beginTrackIfNeeded(&bytes)
      add(fix, &bytes)
      if points.count == Self.maximumSegment { writePoints(&bytes) }
    case .trackBegan(let name):
      close(&bytes)
      numbering.beginTrack(name: name)
    case .segmentBegan:
      endSegment(&bytes)
      numbering.beginSegment()
    case .waypoint(let place):
      begin(.waypoints, &bytes) { $0.append("<Folder><name>Waypoints</name>\n") }
      bytes.appendPlacemark(place.name, place.coordinate, height: place.heightAboveGeoid) {
        $0.appendTime("TimeStamp", "when", place.time)
      }
    case .routeBegan(let name):
      close(&bytes)
      beginRoute(name, &bytes)
    case .routePoint(let place):
      if open != .route { beginRoute(nil, &bytes) }
      bytes.appendPosition(place.coordinate, separator: ",")
      bytes.append("\n")
    case .visit(let visit):
      begin(.nothing, &bytes) { _ in }
      bytes.appendPlacemark(visit.name, visit.coordinate, height: nil) {
        $0.appendElement("address", visit.address)
        $0.append("<TimeSpan><begin>")
        visit.arrival.appendISO8601(to: &$0)
        $0.append("</begin><end>")
        visit.departure.appendISO8601(to: &$0)
        $0.append("</end></TimeSpan>")
        $0.appendData(of: visit)
      }
    case .heading, .satellites, .deviceBegan, .offset: counted.count(element)
    }
  }

  /// Appends the end of the document.
  public mutating func finish(to bytes: inout [UInt8]) {
    close(&bytes)
    numbering.end()
    beginDocumentIfNeeded(&bytes)
    bytes.append("</Document>\n</kml>\n")
  }

  // MARK: Structure

  private mutating func beginDocumentIfNeeded(_ bytes: inout [UInt8]) {
    guard !hasHeader else { return }
    hasHeader = true
    bytes.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
      <Document>
      <Schema id="fix">\
      <gx:SimpleArrayField name="accuracy" type="float"><displayName>Accuracy in m</displayName></gx:SimpleArrayField>\
      <gx:SimpleArrayField name="speed" type="float"><displayName>Speed in m/s</displayName></gx:SimpleArrayField>\
      <gx:SimpleArrayField name="bearing" type="float"><displayName>Course in °</displayName></gx:SimpleArrayField>\
      </Schema>

      """)
  }

  /// Closes any other open element, and begins this one unless it is open already.
  private mutating func begin(_ next: Open, _ bytes: inout [UInt8], _ opening: (inout [UInt8]) -> Void) {
    guard open != next || next == .nothing else { return }
    close(&bytes)
    beginDocumentIfNeeded(&bytes)
    opening(&bytes)
    open = next
  }

  private mutating func close(_ bytes: inout [UInt8]) {
    switch open {
    case .nothing: break
    case .waypoints: bytes.append("</Folder>\n")
    case .route: bytes.append("</coordinates></LineString></Placemark>\n")
    case .track:
      endSegment(&bytes)
      bytes.append("</gx:MultiTrack></Placemark>\n")
    }
    open = .nothing
  }

  private mutating func beginTrackIfNeeded(_ bytes: inout [UInt8]) {
    let name = numbering.unwrittenName
    begin(.track, &bytes) {
      $0.append("<Placemark>")
      $0.appendElement("name", name)
      $0.append("<gx:MultiTrack>\n")
    }
  }

  private mutating func beginRoute(_ name: String?, _ bytes: inout [UInt8]) {
    begin(.route, &bytes) {
      $0.append("<Placemark>")
      $0.appendElement("name", name)
      $0.append("<LineString><coordinates>\n")
    }
  }

  // MARK: Segments

  private mutating func add(_ fix: Fix, _ bytes: inout [UInt8]) {
    numbering.didWriteFix()
    var fix = fix
    counted.removeImpossibleValues(of: &fix)
    counted.count(valuesBesidesTrackOf: fix)
    let height = fix.heightAboveGeoid.flatMap { $0.magnitude < 1e7 ? $0 : nil }
    // The mode of the altitudes holds for a whole `gx:Track`.
    if let last = points.last, (last.height == nil) != (height == nil) { writePoints(&bytes) }
    points.append(
      Point(
        coordinate: fix.coordinate, height: height, time: fix.time,
        accuracy: fix.horizontalAccuracy.map { Float($0) }, speed: fix.speed.map { Float($0) },
        course: fix.course.map { Float($0) }))
  }

  private mutating func endSegment(_ bytes: inout [UInt8]) {
    writePoints(&bytes)
    isContinued = false
  }

  /// Writes the held points as a `gx:Track`. The next one continues the segment until ``endSegment(_:)``.
  private mutating func writePoints(_ bytes: inout [UInt8]) {
    guard let first = points.first else { return }
    let hasHeights = first.height != nil
    bytes.append("<gx:Track")
    if isContinued {
      continuationCount += 1
      bytes.append(" id=\"continued-")
      bytes.appendDecimal(continuationCount)
      bytes.append("\"")
    }
    bytes.append(">")
    isContinued = true
    if hasHeights { bytes.append("<altitudeMode>absolute</altitudeMode>") }
    bytes.append("\n")
    for point in points {
      bytes.append("<when>")
      point.time?.appendISO8601(to: &bytes)
      bytes.append("</when>\n")
    }
    for point in points {
      bytes.append("<gx:coord>")
      bytes.appendPosition(point.coordinate, separator: " ")
      bytes.append(" ")
      bytes.appendPlain(point.height ?? 0)
      bytes.append("</gx:coord>\n")
    }
    let columns: [(StaticString, KeyPath<Point, Float?>)] = [
      ("accuracy", \.accuracy), ("speed", \.speed), ("bearing", \.course),
    ].filter { _, values in points.contains { $0[keyPath: values] != nil } }
    if !columns.isEmpty {
      bytes.append("<ExtendedData><SchemaData schemaUrl=\"#fix\">\n")
      for (name, values) in columns { appendColumn(name, values, &bytes) }
      bytes.append("</SchemaData></ExtendedData>\n")
    }
    bytes.append("</gx:Track>\n")
    points.removeAll(keepingCapacity: true)
  }

  private func appendColumn(_ name: StaticString, _ values: KeyPath<Point, Float?>, _ bytes: inout [UInt8]) {
    bytes.append("<gx:SimpleArrayData name=\"")
    bytes.append(name)
    bytes.append("\">\n")
    for point in points {
      bytes.append("<gx:value>")
      if let value = point[keyPath: values], value.isFinite { bytes.appendShortest(value) }
      bytes.append("</gx:value>\n")
    }
    bytes.append("</gx:SimpleArrayData>\n")
  }
}

extension [UInt8] {
  /// Appends a `Placemark` with a point.
  fileprivate mutating func appendPlacemark(
    _ name: String?, _ coordinate: Coordinate, height: Double?, _ writeTime: (inout [UInt8]) -> Void
  ) {
    append("<Placemark>")
    appendElement("name", name)
    writeTime(&self)
    append("<Point>")
    let height = height.flatMap { $0.magnitude < 1e7 ? $0 : nil }
    if height != nil { append("<altitudeMode>absolute</altitudeMode>") }
    append("<coordinates>")
    appendPosition(coordinate, separator: ",")
    if let height {
      append(",")
      appendPlain(height)
    }
    append("</coordinates></Point></Placemark>\n")
  }

  /// Appends the values of a visit that KML has no element for.
  fileprivate mutating func appendData(of visit: RecordedVisit) {
    let data: [(KMLTimedPlacemark.Datum, String?)] = [
      (.kind, visit.kind), (.placeID, visit.placeID), (.probability, visit.probability.map { "\($0)" }),
      (.confirmed, visit.isConfirmed ? "true" : nil), (.level, visit.level == 0 ? nil : "\(visit.level)"),
    ]
    guard data.contains(where: { $0.1 != nil }) else { return }
    append("<ExtendedData>")
    for case (let datum, let value?) in data {
      append("<Data name=\"")
      appendXML(datum.rawValue)
      append("\">")
      appendElement("value", value)
      append("</Data>")
    }
    append("</ExtendedData>")
  }

  fileprivate mutating func appendTime(_ outer: StaticString, _ inner: StaticString, _ time: UTCTime?) {
    guard let time else { return }
    append("<")
    append(outer)
    append("><")
    append(inner)
    append(">")
    time.appendISO8601(to: &self)
    append("</")
    append(inner)
    append("></")
    append(outer)
    append(">")
  }

  /// Appends longitude and latitude.
  fileprivate mutating func appendPosition(_ coordinate: Coordinate, separator: StaticString) {
    appendPlain(coordinate.longitude)
    append(separator)
    appendPlain(coordinate.latitude)
  }
}
