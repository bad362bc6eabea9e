import WhereaboutsCore
import WhereaboutsGeodesy

/// Makes fences of what an XML parser says of a GPX document: a circle around each waypoint, a corridor along each route.
///
/// The radius is the waypoint's own where it states one, as Garmin's extensions do (`Proximity`, in metres).
struct GPXFenceReceiver: FenceXMLReceiver {
  fileprivate enum Level: Equatable {
    case document, gpx, track, waypoint, route, routePoint, extensions, title, radius
    case note(String)
  }

  var drafts: FenceDrafts

  private let reader: FenceReader
  private var places: XMLPlaces
  private var levels: [Level] = [.document]
  private var skipped = 0
  /// The waypoint or route that is open.
  private var open: KMLPlacemark?
  private var routeCorners: [Coordinate] = []
  private var features = 0
  private var firstTrack: Int?
  private var text = XMLText()

  /// As for recordings.
  private static let deepest = 100

  init(_ bytes: UnsafeRawBufferPointer, reader: FenceReader) {
    drafts = FenceDrafts(of: bytes)
    places = XMLPlaces(bytes)
    self.reader = reader
  }

  mutating func elementBegan(
    _ name: UnsafeRawBufferPointer, _ attributes: XMLAttributes, at cursor: XMLCursor
  ) -> StaticString? {
    guard levels.count + skipped <= Self.deepest else { return "elements nested more than 100 deep" }
    guard skipped == 0, let level = levels.last, let next = level.child(name) else {
      skipped += 1
      return nil
    }
    let offset = places.offset(of: cursor)
    levels.append(next)
    switch next {
    case .track: firstTrack = firstTrack ?? offset
    case .waypoint, .route:
      features += 1
      open = KMLPlacemark(ordinal: features, offset: offset, id: nil)
      open?.noteGeometry(at: offset)
      if next == .waypoint, let place = place(attributes, offset) { open?.shape.points = [place] }
      routeCorners = []
    case .routePoint:
      if let place = place(attributes, offset) { routeCorners.append(place) }
    case .title, .note, .radius: text.begin()
    case .document, .gpx, .extensions: break
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
    case .title: open?.name = text.end()
    case .note(let name): open?.add(name, text.end())
    case .radius: open?.add("radius", text.end())
    case .route:
      open?.shape.lines = [routeCorners]
      endFeature()
    case .waypoint: endFeature()
    case .document, .gpx, .track, .routePoint, .extensions: break
    }
    return levels.count == 1
  }

  mutating func report(_ kind: InputProblem.Kind, at cursor: XMLCursor, _ rule: StaticString) {
    drafts.refuse(FenceRefusal(.badEncoding, at: places.offset(of: cursor), rule.description))
  }

  mutating func finish() {
    guard features == 0, let firstTrack else { return }
    drafts.refuse(
      FenceRefusal(
        .notFences, at: firstTrack, "a recorded track, not fences: there are no waypoints in the file"))
  }

  private mutating func place(_ attributes: XMLAttributes, _ offset: Int) -> Coordinate? {
    func number(_ name: StaticString) -> Double? {
      attributes.withValue(of: name) { Decimal.parse($0) } ?? nil
    }
    do throws(FenceRefusal) {
      guard let latitude = number("lat"), let longitude = number("lon") else {
        throw FenceRefusal(.badCoordinate, at: offset, "lat or lon is missing, or no number")
      }
      return try Coordinate.ofFence(latitude: latitude, longitude: longitude, at: offset)
    } catch {
      if open?.refusal == nil { open?.refusal = error }
      return nil
    }
  }

  private mutating func endFeature() {
    guard let feature = open else { return }
    open = nil
    do throws(FenceRefusal) {
      drafts.add(try feature.draft(reader))
    } catch {
      drafts.refuse(error, feature: feature.ordinal)
    }
  }
}

extension GPXFenceReceiver.Level {
  /// What an element of that name is within this one; `nil` where it is passed over.
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
