import WhereaboutsModel
import WhereaboutsGeodesy

/// A handler that makes fences from a GPX document: a circle around each waypoint, a corridor along each route.
///
/// A waypoint may state its own radius, as Garmin's extensions do (`Proximity`, in metres).
struct GPXFenceHandler: FenceXMLHandler {
  fileprivate enum Level: Equatable {
    case document, gpx, track, waypoint, route, routePoint, extensions, title, radius
    case note(String)
  }

  var drafts: FenceDrafts

  private let reader: FenceReader
  private var offsetResolver: XMLOffsetResolver
  private var path = XMLElementPath(document: Level.document)
  /// The waypoint or route that is open.
  private var openFeature: KMLPlacemark?
  private var routeCorners: [Coordinate] = []
  private var features = 0
  private var firstTrack: Int?
  private var text = XMLText()

  init(_ bytes: UnsafeRawBufferPointer, reader: FenceReader) {
    drafts = FenceDrafts(of: bytes)
    offsetResolver = XMLOffsetResolver(bytes)
    self.reader = reader
  }

  mutating func elementBegan(
    _ name: UnsafeRawBufferPointer, _ attributes: XMLAttributes, at cursor: XMLCursor
  ) -> StaticString? {
    switch path.begin() {
    case .child(let level):
      if let next = level.child(name) { begin(next, attributes, cursor) } else { path.skip() }
      return nil
    case .skipped: return nil
    case .tooDeep: return XMLElementPath<Level>.tooDeep
    }
  }

  private mutating func begin(_ level: Level, _ attributes: XMLAttributes, _ cursor: XMLCursor) {
    let offset = offsetResolver.offset(of: cursor)
    path.enter(level)
    switch level {
    case .track: firstTrack = firstTrack ?? offset
    case .waypoint, .route:
      features += 1
      openFeature = KMLPlacemark(ordinal: features, offset: offset, id: nil)
      openFeature?.recordGeometry(at: offset)
      if level == .waypoint, let place = coordinate(attributes, offset) {
        openFeature?.shape.points = [place]
      }
      routeCorners = []
    case .routePoint:
      if let place = coordinate(attributes, offset) { routeCorners.append(place) }
    case .title, .note, .radius: text.begin()
    case .document, .gpx, .extensions: break
    }
  }

  mutating func text(_ bytes: UnsafeRawBufferPointer) {
    if !path.isSkipping { text.append(bytes) }
  }

  mutating func elementEnded(at cursor: XMLCursor) -> Bool {
    guard let level = path.end() else { return false }
    switch level {
    case .title: openFeature?.name = text.end()
    case .note(let name): openFeature?.add(name, text.end())
    case .radius: openFeature?.add("radius", text.end())
    case .route:
      openFeature?.shape.lines = [routeCorners]
      endFeature()
    case .waypoint: endFeature()
    case .document, .gpx, .track, .routePoint, .extensions: break
    }
    return path.isAtDocument
  }

  mutating func report(_ kind: InputProblem.Kind, at cursor: XMLCursor, _ rule: StaticString) {
    drafts.recordError(FenceParseError(.badEncoding, at: offsetResolver.offset(of: cursor), rule.description))
  }

  mutating func finish() {
    guard features == 0, let firstTrack else { return }
    drafts.recordError(
      FenceParseError(
        .notFences, at: firstTrack, "a recorded track, not fences: there are no waypoints in the file"))
  }

  private mutating func coordinate(_ attributes: XMLAttributes, _ offset: Int) -> Coordinate? {
    func number(_ name: StaticString) -> Double? {
      attributes.withValue(of: name) { Decimal.parse($0) } ?? nil
    }
    do throws(FenceParseError) {
      guard let latitude = number("lat"), let longitude = number("lon") else {
        throw FenceParseError(.badCoordinate, at: offset, "lat or lon is missing, or no number")
      }
      return try Coordinate.fenceCoordinate(latitude: latitude, longitude: longitude, at: offset)
    } catch {
      if openFeature?.refusal == nil { openFeature?.refusal = error }
      return nil
    }
  }

  private mutating func endFeature() {
    guard let feature = openFeature else { return }
    openFeature = nil
    do throws(FenceParseError) {
      drafts.add(try feature.draft(reader))
    } catch {
      drafts.recordError(error, feature: feature.ordinal)
    }
  }
}

extension GPXFenceHandler.Level {
  /// Returns the level of a child element of that name; `nil` if skipped.
  fileprivate func child(_ name: UnsafeRawBufferPointer) -> Self? {
    switch self {
    case .document: return name.equals("gpx") ? .gpx : nil
    case .gpx:
      if name.equals("wpt") { return .waypoint }
      if name.equals("rte") { return .route }
      return name.equals("trk") ? .track : nil
    case .route where name.equals("rtept"): return .routePoint
    case .waypoint, .route:
      if name.equals("name") { return .title }
      if name.equals("desc") { return .note("description") }
      if name.equals("cmt") { return .note("cmt") }
      if name.equals("type") { return .note("type") }
      if name.equals("sym") { return .note("sym") }
      return name.equals("extensions") ? .extensions : nil
    case .extensions: return name.equals("Proximity") || name.equals("radius") ? .radius : .extensions
    case .track, .routePoint, .title, .note, .radius: return nil
    }
  }
}
