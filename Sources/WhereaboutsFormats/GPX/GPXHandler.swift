import WhereaboutsModel
import WhereaboutsGeodesy

/// A handler that makes elements of a recording from a GPX document.
struct GPXHandler: XMLRecordingHandler {
  static let landmarks = [
    ElementLandmark("trkpt", after: "<gpx><trk><trkseg>"), ElementLandmark("trkseg", after: "<gpx><trk>"),
    ElementLandmark("trk", after: "<gpx>"), ElementLandmark("wpt", after: "<gpx>"),
    ElementLandmark("rtept", after: "<gpx><rte>"), ElementLandmark("rte", after: "<gpx>"),
  ]

  /// An open element that means something here.
  private enum Level: Equatable {
    case document, gpx, route, track, segment, point, extensions
    case field(GPXField)
    /// The name of a route or track.
    case title
    /// The type of a track.
    case type
  }

  /// The batch to append to; the decoder swaps in the caller's while it parses.
  var batch = RecordingBatch()

  private var levels: [Level] = [.document]
  /// Open elements within one that is passed over, that one included.
  private var skipped = 0
  /// The number of reported problems of the open point's values.
  private var problemsOfPoint = 0
  /// The point whose element is open. Not optional, so that it is changed in place: each copy of a fix takes time.
  private var point = GPXPoint(
    kind: .waypoint, coordinate: Coordinate(uncheckedLatitude: 0, longitude: 0), activity: nil)
  private var text = XMLElementText()
  private var title: String?
  /// The activity that the type of the track states.
  private var activity: Fix.StatedActivity?
  private var offsets = OffsetStatements()
  /// Whether a route or track has begun whose beginning is not reported yet, since its name may still follow.
  private var hasPendingTitle = false
  private var isSegmentEmitted = false
  /// The elements that were open when the parser failed; set while the parser reads the made-up beginning.
  private var interrupted: InterruptedElements?

  private struct InterruptedElements {
    var track = false
    var route = false
    var segment = false
  }

  /// Deeper nesting than any schema has; each open element costs the parser memory.
  private static let maxDepth = 100
  /// Whether an element was refused only for its depth, so that the following ones can be read.
  private(set) var mayResumeAfterRefusal = false
  /// The name of the extension element that began last and has no children so far; empty if there is none.
  private var leaf: [UInt8] = []

  // MARK: Elements

  mutating func elementBegan(
    _ name: UnsafeRawBufferPointer, _ attributes: XMLAttributes, at cursor: XMLCursor
  ) -> StaticString? {
    guard skipped == 0, let level = levels.last else {
      skipped += 1
      return refuseTooDeep()
    }
    switch level {
    case .document:
      guard name.equals("gpx") else { return "not a GPX document" }
      levels.append(.gpx)
    case .gpx: handleDocumentChild(name, attributes, cursor)
    case .route: handleRouteChild(name, attributes, cursor)
    case .track: handleTrackChild(name, attributes, cursor)
    case .segment:
      if name.equals("trkpt") { beginPoint(.trackPoint, attributes, cursor) } else { skip(name) }
    case .point:
      if let field = GPXField(child: name) ?? GPXField(foreignChild: name) {
        if !point.supports(field) { batch.skippedElements.count(name) }
        begin(.field(field))
      } else if name.equals("extensions") {
        levels.append(.extensions)
      } else {
        skip(name)
      }
    case .extensions:
      leaf.removeAll(keepingCapacity: true)
      if let field = GPXField(extension: name) {
        if !point.supports(field) { batch.skippedElements.count(name) }
        begin(.field(field))
      } else {
        // A container or an unknown element; its content may be known.
        leaf.append(contentsOf: name)
        levels.append(.extensions)
        return refuseTooDeep()
      }
    case .field, .title, .type: skipped = 1
    }
    return nil
  }

  mutating func text(_ bytes: UnsafeRawBufferPointer) {
    if skipped == 0 { text.append(bytes) }
  }

  mutating func elementEnded(at cursor: XMLCursor) -> Bool {
    guard skipped == 0 else {
      skipped -= 1
      return false
    }
    switch levels.removeLast() {
    case .field(let field): processField(field, cursor)
    case .title: title = readTitle(cursor)
    case .type: readType()
    case .point:
      point.complete()
      if let offset = point.offset { state(offset) }
      if point.isFixWithUnreadableTime { batch.unreadableTimes += 1 }
      if point.isTimeWithoutZone { batch.timesWithoutZone += 1 }
      classifyProblems()
      appendPoint()
    case .segment: isSegmentEmitted = false
    case .track: emitTrack()
    case .route: emitRoute()
    case .gpx: return true
    case .extensions:
      if !leaf.isEmpty { leaf.withUnsafeBytes { batch.skippedElements.count($0) } }
      leaf.removeAll(keepingCapacity: true)
    case .document: break
    }
    return false
  }

  /// Passes over an element with all that it holds.
  private mutating func skip(_ name: UnsafeRawBufferPointer) {
    skipped = 1
    batch.skippedElements.count(name)
  }

  private mutating func refuseTooDeep() -> StaticString? {
    guard levels.count + skipped > Self.maxDepth else { return nil }
    mayResumeAfterRefusal = true
    return "elements nested more than 100 deep"
  }

  // MARK: Routes, tracks and points

  private mutating func handleDocumentChild(
    _ name: UnsafeRawBufferPointer, _ attributes: XMLAttributes, _ cursor: XMLCursor
  ) {
    if name.equals("trk") {
      levels.append(.track)
      title = nil
      hasPendingTitle = interrupted?.track != true
      // A made-up beginning continues the track.
      if hasPendingTitle { activity = nil }
    } else if name.equals("rte") {
      levels.append(.route)
      title = nil
      hasPendingTitle = interrupted?.route != true
    } else if name.equals("wpt") {
      beginPoint(.waypoint, attributes, cursor)
    } else {
      skip(name)
    }
  }

  private mutating func handleRouteChild(
    _ name: UnsafeRawBufferPointer, _ attributes: XMLAttributes, _ cursor: XMLCursor
  ) {
    if name.equals("rtept") {
      emitRoute()
      beginPoint(.routePoint, attributes, cursor)
    } else if name.equals("name") {
      begin(.title)
    } else {
      skip(name)
    }
  }

  private mutating func handleTrackChild(
    _ name: UnsafeRawBufferPointer, _ attributes: XMLAttributes, _ cursor: XMLCursor
  ) {
    if name.equals("trkseg") {
      emitTrack()
      emitSegment()
      levels.append(.segment)
    } else if name.equals("trkpt") {
      // Against the schema, but the meaning is clear.
      emitTrack()
      if !isSegmentEmitted { emitSegment() }
      beginPoint(.trackPoint, attributes, cursor)
    } else if name.equals("name") {
      begin(.title)
    } else if name.equals("type") {
      begin(.type)
    } else {
      skip(name)
    }
  }

  private mutating func emitTrack() {
    guard hasPendingTitle else { return }
    hasPendingTitle = false
    isSegmentEmitted = false
    batch.elements.append(.trackBegan(name: title))
  }

  private mutating func emitRoute() {
    guard hasPendingTitle else { return }
    hasPendingTitle = false
    batch.elements.append(.routeBegan(name: title))
  }

  private mutating func emitSegment() {
    isSegmentEmitted = true
    if interrupted?.segment != true { batch.elements.append(.segmentBegan) }
  }

  private mutating func beginPoint(
    _ kind: GPXPoint.Kind, _ attributes: XMLAttributes, _ cursor: XMLCursor
  ) {
    let latitude = attributes.withValue(of: "lat") { Decimal.parse($0.trimmed) }
    let longitude = attributes.withValue(of: "lon") { Decimal.parse($0.trimmed) }
    if let latitude = latitude ?? nil, let longitude = longitude ?? nil {
      if let coordinate = Coordinate(latitude: latitude, longitude: longitude) {
        point = GPXPoint(kind: kind, coordinate: coordinate, activity: activity)
        problemsOfPoint = 0
        levels.append(.point)
        return
      }
      report(.badCoordinate, at: cursor, "lat or lon out of range")
    } else if latitude == nil || longitude == nil {
      report(.missing, at: cursor, "point without lat or lon")
    } else {
      report(.badNumber, at: cursor, "lat or lon is not a number")
    }
    skipped = 1
  }

  /// Counts the problems of the point, so that a fix without a time and a waypoint with an unreadable one are one refusal
  /// each, and another point is none.
  private mutating func classifyProblems() {
    guard problemsOfPoint > 0 else { return }
    if point.kind == .trackPoint, point.fix.time == nil {
      // The fix is counted for its missing time, or for the problem of an unreadable one.
      batch.problems.countFurtherProblems(problemsOfPoint - (point.isFixWithUnreadableTime ? 1 : 0))
    } else if point.isWaypointWithUnreadableTime {
      batch.problems.countFurtherProblems(problemsOfPoint - 1)
      batch.waypointsWithUnreadableTime += 1
    } else {
      batch.problems.countLeftOutValues(problemsOfPoint)
    }
  }

  /// Appends the point to the batch. A fix goes there by the shortest way: each copy of it takes time.
  private mutating func appendPoint() {
    switch point.kind {
    case .trackPoint: batch.elements.append(.fix(point.fix))
    case .waypoint: batch.elements.append(.waypoint(point.waypoint))
    case .routePoint: batch.elements.append(.routePoint(point.waypoint))
    }
  }

  /// Gives the offset that the time of a track point states.
  private mutating func state(_ offset: Int) {
    guard point.kind == .trackPoint else { return }
    offsets.state(offset, at: point.fix.time, into: &batch)
  }

  // MARK: Text

  private mutating func begin(_ level: Level) {
    levels.append(level)
    text.begin()
  }

  private mutating func processField(_ field: GPXField, _ cursor: XMLCursor) {
    text.end()
    if text.isTooLong {
      problemsOfPoint += 1
      report(.tooLong, at: cursor, "text of an element longer than 1 KiB")
      if field == .name { point.setName(text.string) }
      return
    }
    let problem = text.withTrimmed { point.set(field, to: $0) }
    guard let problem else { return }
    problemsOfPoint += 1
    report(problem, at: cursor, field.rule)
  }

  /// Reads the type of a track; one that is no known activity is an element that is not read.
  private mutating func readType() {
    text.end()
    activity = text.withTrimmed { Fix.StatedActivity(word: $0) }
    if activity == nil { batch.skippedElements.count("type") }
  }

  private mutating func readTitle(_ cursor: XMLCursor) -> String? {
    text.end()
    if text.isTooLong {
      report(.tooLong, at: cursor, "name longer than 1 KiB, of which the beginning is kept")
      batch.problems.countLeftOutValues()
    }
    return text.string
  }

  // MARK: Resuming after a failure

  /// Prepares for the made-up beginning of the next part, after the parser failed.
  mutating func willResume() {
    emitOpenTitle()
    interrupted = InterruptedElements(
      track: levels.contains(.track), route: levels.contains(.route), segment: isSegmentEmitted)
    levels = [.document]
    mayResumeAfterRefusal = false
    leaf.removeAll(keepingCapacity: true)
    skipped = 0
    text.end()
  }

  /// Ends the made-up beginning: the following events are of the recording.
  mutating func didResume() {
    interrupted = nil
    if !levels.contains(.track) { isSegmentEmitted = false }
  }

  /// Gives a track or route that had only begun; no more events follow.
  mutating func finish() { emitOpenTitle() }

  private mutating func emitOpenTitle() {
    if levels.contains(.track) { emitTrack() }
    if levels.contains(.route) { emitRoute() }
  }
}
