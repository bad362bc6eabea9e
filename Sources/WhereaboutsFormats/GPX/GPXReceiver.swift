import WhereaboutsCore
import WhereaboutsGeodesy

/// Makes elements of a recording from what an XML parser says of a GPX document.
struct GPXReceiver: XMLReceiver {
  /// An open element that means something here.
  private enum Level: Equatable {
    case document, gpx, route, track, segment, point, extensions
    case field(GPXField)
    /// The name of a route or track.
    case title
  }

  /// What is appended to; the decoder swaps the caller's in while it parses.
  var batch = RecordingBatch()

  private var levels: [Level] = [.document]
  /// Open elements within one that is passed over, that one included.
  private var skipped = 0
  private var point: GPXPoint?
  private var text: [UInt8] = []
  private var isInText = false
  private var title: String?
  /// A route or track began whose beginning is not told yet, since its name may still come.
  private var hasUntoldTitle = false
  private var isSegmentTold = false
  /// What was open when the parser broke; set while it hears the made-up beginning of what follows.
  private var broken: Broken?

  private struct Broken {
    var track = false
    var route = false
    var segment = false
  }

  /// Deeper nesting than any schema has; each open element costs the parser memory.
  private static let deepest = 100
  /// The longest text that is kept of an element, in bytes.
  private static let longestText = 1024
  /// Whether an element was refused only for its depth: what follows it can be read.
  private(set) var mayResumeAfterRefusal = false
  /// The name of the extension element that began last and in which nothing else has begun; empty where there is none.
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
    case .gpx: beganInDocument(name, attributes, cursor)
    case .route: beganInRoute(name, attributes, cursor)
    case .track: beganInTrack(name, attributes, cursor)
    case .segment:
      if name.equals("trkpt") { beginPoint(.trackPoint, attributes, cursor) } else { skip(name) }
    case .point:
      if let field = GPXField(child: name) ?? GPXField(foreignChild: name) {
        if point?.keeps(field) == false { batch.unread.count(name) }
        begin(.field(field))
      } else if name.equals("extensions") {
        levels.append(.extensions)
      } else {
        skip(name)
      }
    case .extensions:
      leaf.removeAll(keepingCapacity: true)
      if let field = GPXField(extension: name) {
        if point?.keeps(field) == false { batch.unread.count(name) }
        begin(.field(field))
      } else {
        // A container, or one that is not known; what it holds may be.
        leaf.append(contentsOf: name)
        levels.append(.extensions)
        return refuseTooDeep()
      }
    case .field, .title: skipped = 1
    }
    return nil
  }

  mutating func text(_ bytes: UnsafeRawBufferPointer) {
    guard isInText, skipped == 0, text.count <= Self.longestText else { return }
    // One byte more than is kept tells that it was too long.
    text.append(contentsOf: bytes.prefix(Self.longestText + 1 - text.count))
  }

  mutating func elementEnded(at cursor: XMLCursor) -> Bool {
    guard skipped == 0 else {
      skipped -= 1
      return false
    }
    switch levels.removeLast() {
    case .field(let field): take(field, cursor)
    case .title: title = takeTitle(cursor)
    case .point:
      if let point { batch.elements.append(point.finished()) }
      point = nil
    case .segment: isSegmentTold = false
    case .track: tellTrack()
    case .route: tellRoute()
    case .gpx: return true
    case .extensions:
      if !leaf.isEmpty { leaf.withUnsafeBytes { batch.unread.count($0) } }
      leaf.removeAll(keepingCapacity: true)
    case .document: break
    }
    return false
  }

  mutating func report(_ kind: InputProblem.Kind, at cursor: XMLCursor, _ rule: StaticString) {
    batch.problems.report(
      kind, line: cursor.line, byteOffset: cursor.byteOffset, rule.description)
  }

  /// Passes over an element with all that it holds.
  private mutating func skip(_ name: UnsafeRawBufferPointer) {
    skipped = 1
    batch.unread.count(name)
  }

  private mutating func refuseTooDeep() -> StaticString? {
    guard levels.count + skipped > Self.deepest else { return nil }
    mayResumeAfterRefusal = true
    return "elements nested more than 100 deep"
  }

  // MARK: Routes, tracks and points

  private mutating func beganInDocument(
    _ name: UnsafeRawBufferPointer, _ attributes: XMLAttributes, _ cursor: XMLCursor
  ) {
    if name.equals("trk") {
      levels.append(.track)
      title = nil
      hasUntoldTitle = broken?.track != true
    } else if name.equals("rte") {
      levels.append(.route)
      title = nil
      hasUntoldTitle = broken?.route != true
    } else if name.equals("wpt") {
      beginPoint(.waypoint, attributes, cursor)
    } else {
      skip(name)
    }
  }

  private mutating func beganInRoute(
    _ name: UnsafeRawBufferPointer, _ attributes: XMLAttributes, _ cursor: XMLCursor
  ) {
    if name.equals("rtept") {
      tellRoute()
      beginPoint(.routePoint, attributes, cursor)
    } else if name.equals("name") {
      begin(.title)
    } else {
      skip(name)
    }
  }

  private mutating func beganInTrack(
    _ name: UnsafeRawBufferPointer, _ attributes: XMLAttributes, _ cursor: XMLCursor
  ) {
    if name.equals("trkseg") {
      tellTrack()
      tellSegment()
      levels.append(.segment)
    } else if name.equals("trkpt") {
      // Against the schema, but what is meant is plain.
      tellTrack()
      if !isSegmentTold { tellSegment() }
      beginPoint(.trackPoint, attributes, cursor)
    } else if name.equals("name") {
      begin(.title)
    } else {
      skip(name)
    }
  }

  private mutating func tellTrack() {
    guard hasUntoldTitle else { return }
    hasUntoldTitle = false
    isSegmentTold = false
    batch.elements.append(.trackBegan(name: title))
  }

  private mutating func tellRoute() {
    guard hasUntoldTitle else { return }
    hasUntoldTitle = false
    batch.elements.append(.routeBegan(name: title))
  }

  private mutating func tellSegment() {
    isSegmentTold = true
    if broken?.segment != true { batch.elements.append(.segmentBegan) }
  }

  private mutating func beginPoint(
    _ kind: GPXPoint.Kind, _ attributes: XMLAttributes, _ cursor: XMLCursor
  ) {
    let latitude = attributes.withValue(of: "lat") { Decimal.parse($0.trimmed) }
    let longitude = attributes.withValue(of: "lon") { Decimal.parse($0.trimmed) }
    if let latitude = latitude ?? nil, let longitude = longitude ?? nil {
      if let coordinate = Coordinate(latitude: latitude, longitude: longitude) {
        point = GPXPoint(kind: kind, coordinate: coordinate)
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

  // MARK: Text

  private mutating func begin(_ level: Level) {
    levels.append(level)
    text.removeAll(keepingCapacity: true)
    isInText = true
  }

  private mutating func take(_ field: GPXField, _ cursor: XMLCursor) {
    isInText = false
    if text.count > Self.longestText {
      report(.tooLong, at: cursor, "text of an element longer than 1 KiB")
      let beginning = keptText
      if field == .name { point?.setName(beginning) }
      return
    }
    let trouble = text.withUnsafeBytes { point?.set(field, to: $0.trimmed) } ?? nil
    guard let trouble else { return }
    report(trouble, at: cursor, field.rule)
  }

  private mutating func takeTitle(_ cursor: XMLCursor) -> String? {
    isInText = false
    if text.count > Self.longestText {
      report(.tooLong, at: cursor, "name longer than 1 KiB, of which the beginning is kept")
    }
    return keptText
  }

  /// The text without the spaces around it; of a text that is too long the beginning, up to a whole character.
  private var keptText: String? {
    let kept = text.withUnsafeBytes { bytes in
      var end = min(bytes.count, Self.longestText)
      // A byte after the first of a character's can't begin what is cut off.
      while end < bytes.count, end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
      return String(decoding: bytes.prefix(end).trimmed, as: UTF8.self)
    }
    return kept.isEmpty ? nil : kept
  }

  // MARK: Going on after a break

  /// The parser broke and is about to hear a made-up beginning of what comes next.
  mutating func willResume() {
    tellOpenTitle()
    broken = Broken(
      track: levels.contains(.track), route: levels.contains(.route), segment: isSegmentTold)
    levels = [.document]
    mayResumeAfterRefusal = false
    leaf.removeAll(keepingCapacity: true)
    skipped = 0
    point = nil
    isInText = false
  }

  /// What comes now is the recording again.
  mutating func didResume() {
    broken = nil
    if !levels.contains(.track) { isSegmentTold = false }
  }

  /// Nothing more comes: a track or route that had only begun is told.
  mutating func tellOpenTitle() {
    if levels.contains(.track) { tellTrack() }
    if levels.contains(.route) { tellRoute() }
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes without the white space of XML around them.
  fileprivate var trimmed: UnsafeRawBufferPointer {
    var start = 0
    var end = count
    while start < end, self[start].isXMLSpace { start += 1 }
    while end > start, self[end - 1].isXMLSpace { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[start..<end])
  }
}

extension Slice<UnsafeRawBufferPointer> {
  fileprivate var trimmed: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self).trimmed }
}

extension UInt8 {
  /// Whether this is white space to XML: space, tab, line feed or carriage return.
  var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
