import WhereaboutsCore
import WhereaboutsGeodesy

/// Makes fences of what an XML parser says of a KML document: one of each placemark.
struct KMLFenceReceiver: FenceXMLReceiver {
  /// An open element that means something here.
  fileprivate enum Level: Equatable {
    case document, container, placemark
    case name, about
    case extendedData, schemaData, datum, value
    case multiGeometry, point, line, polygon, outer, inner, ring, coordinates
  }

  var drafts: FenceDrafts

  private let reader: FenceReader
  private var places: XMLPlaces
  private var levels: [Level] = [.document]
  /// Open elements within one that is passed over, that one included.
  private var skipped = 0
  private var placemark: KMLPlacemark?
  private var placemarks = 0
  private var text = XMLText()
  /// Where the text that is heard begins.
  private var textStart = 0
  private var datumName: String?

  /// Deeper nesting than any map has; each open element costs the parser memory.
  private static let deepest = 100

  init(_ bytes: UnsafeRawBufferPointer, reader: FenceReader) {
    drafts = FenceDrafts(of: bytes)
    places = XMLPlaces(bytes)
    self.reader = reader
  }

  /// Whether an element holds placemarks, or is one: some files begin with it.
  static func isContainer(_ name: UnsafeRawBufferPointer) -> Bool {
    name.equals("Document") || name.equals("Folder") || name.equals("Placemark")
  }

  // MARK: Elements

  mutating func elementBegan(
    _ name: UnsafeRawBufferPointer, _ attributes: XMLAttributes, at cursor: XMLCursor
  ) -> StaticString? {
    guard levels.count + skipped <= Self.deepest else { return "elements nested more than 100 deep" }
    guard skipped == 0, let level = levels.last, let next = level.child(name) else {
      if skipped == 0 { passOver(name, cursor) }
      skipped += 1
      return nil
    }
    levels.append(next)
    switch next {
    case .placemark:
      placemarks += 1
      let id = attributes.withValue(of: "id") { String(decoding: $0, as: UTF8.self) }
      placemark = KMLPlacemark(ordinal: placemarks, offset: places.offset(of: cursor), id: id)
    case .datum:
      datumName = attributes.withValue(of: "name") { String(decoding: $0, as: UTF8.self) }
      // The value of simple data is its own text; that of other data is an element.
      if level == .schemaData { beginText(cursor) }
    case .name, .about, .value, .coordinates: beginText(cursor)
    case .point, .line, .polygon, .multiGeometry: placemark?.noteGeometry(at: places.offset(of: cursor))
    case .ring:
      if level == .placemark || level == .multiGeometry {
        placemark?.noteGeometry(at: places.offset(of: cursor))
      }
    case .document, .container, .extendedData, .schemaData, .outer, .inner: break
    }
    return nil
  }

  /// Says so where something that might have been a fence is passed over.
  private mutating func passOver(_ name: UnsafeRawBufferPointer, _ cursor: XMLCursor) {
    switch levels.last {
    case .container where name.equals("NetworkLink"):
      drafts.refuse(
        FenceRefusal(
          .notFences, at: places.offset(of: cursor), "a link to another file, which is not followed"))
    case .placemark, .multiGeometry:
      if name.equals("Track") || name.equals("MultiTrack") {
        refuse(FenceRefusal(.unsupported, at: places.offset(of: cursor), "a recorded track is no area"))
      } else if name.equals("Model") {
        refuse(FenceRefusal(.unsupported, at: places.offset(of: cursor), "a model is no area"))
      }
    default: break
    }
  }

  mutating func text(_ bytes: UnsafeRawBufferPointer) {
    if skipped == 0 { text.append(bytes) }
  }

  mutating func elementEnded(at cursor: XMLCursor) -> Bool {
    guard skipped == 0 else {
      skipped -= 1
      return false
    }
    let level = levels.removeLast()
    switch level {
    case .name: placemark?.name = text.end()
    case .about: placemark?.add("description", text.end())
    case .value:
      if let datumName { placemark?.add(datumName, text.end()) }
    case .datum:
      if levels.last == .schemaData, let datumName { placemark?.add(datumName, text.end()) }
    case .coordinates: takeCoordinates()
    case .polygon: endPolygon()
    case .placemark: endPlacemark()
    case .document, .container, .extendedData, .schemaData, .multiGeometry, .point, .line, .outer, .inner,
      .ring:
      break
    }
    return levels.count == 1
  }

  mutating func report(_ kind: InputProblem.Kind, at cursor: XMLCursor, _ rule: StaticString) {
    drafts.refuse(FenceRefusal(.badEncoding, at: places.offset(of: cursor), rule.description))
  }

  mutating func finish() {}

  private mutating func beginText(_ cursor: XMLCursor) {
    text.begin()
    textStart = places.offset(of: cursor)
  }

  // MARK: Geometry

  private mutating func takeCoordinates() {
    guard let parent = levels.last else { return }
    let bytes = text.bytes
    _ = text.end()
    do throws(FenceRefusal) {
      let corners = try KMLCoordinates.parse(bytes, at: textStart)
      switch parent {
      case .point:
        guard corners.count == 1 else {
          throw FenceRefusal(.malformed, at: textStart, "a point has not one position but \(corners.count)")
        }
        placemark?.shape.points.append(corners[0])
      case .line: placemark?.shape.lines.append(corners)
      case .ring: try takeRing(corners)
      default: break
      }
    } catch {
      refuse(error)
    }
  }

  private mutating func takeRing(_ corners: [Coordinate]) throws(FenceRefusal) {
    guard corners.first == corners.last else {
      throw FenceRefusal(.badGeometry, at: textStart, "a ring is open: its last position is not its first")
    }
    guard corners.count >= 4 else {
      throw FenceRefusal(
        .badGeometry, at: textStart, "a ring has fewer than four positions: \(corners.count)")
    }
    if levels.contains(.inner) {
      placemark?.holes.append(corners)
    } else if levels.contains(.outer) {
      placemark?.outer = corners
    } else {
      placemark?.shape.polygons.append([corners])
    }
  }

  private mutating func endPolygon() {
    if let outer = placemark?.outer, let holes = placemark?.holes {
      placemark?.shape.polygons.append([outer] + holes)
    } else if placemark?.refusal == nil {
      let start = placemark?.geometryStart ?? textStart
      refuse(FenceRefusal(.missing, at: start, "a polygon without an outer boundary"))
    }
    placemark?.outer = nil
    placemark?.holes = []
  }

  private mutating func refuse(_ refusal: FenceRefusal) {
    // The first reason is enough.
    if placemark?.refusal == nil { placemark?.refusal = refusal }
  }

  private mutating func endPlacemark() {
    guard let placemark else { return }
    self.placemark = nil
    do throws(FenceRefusal) {
      drafts.add(try placemark.draft(reader))
    } catch {
      drafts.refuse(error, feature: placemark.ordinal, id: placemark.id)
    }
  }
}

extension KMLFenceReceiver.Level {
  /// What an element of that name is within this one; `nil` where it is passed over.
  fileprivate func child(_ name: UnsafeRawBufferPointer) -> Self? {
    switch self {
    case .document:
      if name.equals("Placemark") { return .placemark }
      return name.equals("kml") || name.equals("Document") || name.equals("Folder") ? .container : nil
    case .container:
      if name.equals("Placemark") { return .placemark }
      return name.equals("Document") || name.equals("Folder") ? .container : nil
    case .placemark:
      if name.equals("name") { return .name }
      if name.equals("description") { return .about }
      return name.equals("ExtendedData") ? .extendedData : Self.geometry(name)
    case .extendedData:
      if name.equals("Data") { return .datum }
      return name.equals("SchemaData") ? .schemaData : nil
    case .schemaData: return name.equals("SimpleData") ? .datum : nil
    case .datum: return name.equals("value") ? .value : nil
    case .multiGeometry: return Self.geometry(name)
    case .polygon:
      if name.equals("outerBoundaryIs") { return .outer }
      return name.equals("innerBoundaryIs") ? .inner : nil
    case .outer, .inner: return name.equals("LinearRing") ? .ring : nil
    case .point, .line, .ring: return name.equals("coordinates") ? .coordinates : nil
    case .name, .about, .value, .coordinates: return nil
    }
  }

  private static func geometry(_ name: UnsafeRawBufferPointer) -> Self? {
    if name.equals("Point") { return .point }
    if name.equals("LineString") { return .line }
    if name.equals("Polygon") { return .polygon }
    if name.equals("LinearRing") { return .ring }
    return name.equals("MultiGeometry") ? .multiGeometry : nil
  }
}
