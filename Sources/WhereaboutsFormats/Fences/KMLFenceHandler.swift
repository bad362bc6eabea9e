import WhereaboutsModel
import WhereaboutsGeodesy

/// A handler that makes fences from a KML document: one of each placemark.
struct KMLFenceHandler: FenceXMLHandler {
  /// An open element that means something here.
  fileprivate enum Level: Equatable {
    case document, container, placemark
    case name, about
    case extendedData, schemaData, datum, value
    case multiGeometry, point, line, polygon, outer, inner, ring, coordinates
  }

  var drafts: FenceDrafts

  private let reader: FenceReader
  private var offsetResolver: XMLOffsetResolver
  private var path = XMLElementPath(document: Level.document)
  private var placemark: KMLPlacemark?
  private var placemarks = 0
  private var text = XMLText()
  /// The offset of the current text.
  private var textStart = 0
  private var datumName: String?

  init(_ bytes: UnsafeRawBufferPointer, reader: FenceReader) {
    drafts = FenceDrafts(of: bytes)
    offsetResolver = XMLOffsetResolver(bytes)
    self.reader = reader
  }

  /// Returns whether an element holds placemarks, or is one: some files begin with it.
  static func isContainer(_ name: UnsafeRawBufferPointer) -> Bool {
    name.equals("Document") || name.equals("Folder") || name.equals("Placemark")
  }

  // MARK: Elements

  mutating func elementBegan(
    _ name: UnsafeRawBufferPointer, _ attributes: XMLAttributes, at cursor: XMLCursor
  ) -> StaticString? {
    switch path.begin() {
    case .child(let level):
      if let next = level.child(name) {
        begin(next, in: level, attributes, cursor)
      } else {
        skipElement(name, in: level, cursor)
      }
      return nil
    case .skipped: return nil
    case .tooDeep: return XMLElementPath<Level>.tooDeep
    }
  }

  private mutating func begin(
    _ level: Level, in parent: Level, _ attributes: XMLAttributes, _ cursor: XMLCursor
  ) {
    path.enter(level)
    switch level {
    case .placemark:
      placemarks += 1
      let id = attributes.withValue(of: "id") { String(decoding: $0, as: UTF8.self) }
      placemark = KMLPlacemark(ordinal: placemarks, offset: offsetResolver.offset(of: cursor), id: id)
    case .datum:
      datumName = attributes.withValue(of: "name") { String(decoding: $0, as: UTF8.self) }
      // The value of simple data is its own text; that of other data is an element.
      if parent == .schemaData { beginText(cursor) }
    case .name, .about, .value, .coordinates: beginText(cursor)
    case .point, .line, .polygon, .multiGeometry:
      placemark?.recordGeometry(at: offsetResolver.offset(of: cursor))
    case .ring:
      if parent == .placemark || parent == .multiGeometry {
        placemark?.recordGeometry(at: offsetResolver.offset(of: cursor))
      }
    case .document, .container, .extendedData, .schemaData, .outer, .inner: break
    }
  }

  /// Skips an element, and reports one that might have been a fence.
  private mutating func skipElement(
    _ name: UnsafeRawBufferPointer, in level: Level, _ cursor: XMLCursor
  ) {
    path.skip()
    switch level {
    case .container where name.equals("NetworkLink"):
      drafts.recordError(
        FenceParseError(
          .notFences, at: offsetResolver.offset(of: cursor), "a link to another file, which is not followed"))
    case .placemark, .multiGeometry:
      if name.equals("Track") || name.equals("MultiTrack") {
        recordError(
          FenceParseError(.unsupported, at: offsetResolver.offset(of: cursor), "a recorded track is no area"))
      } else if name.equals("Model") {
        recordError(
          FenceParseError(.unsupported, at: offsetResolver.offset(of: cursor), "a model is no area"))
      }
    default: break
    }
  }

  mutating func text(_ bytes: UnsafeRawBufferPointer) {
    if !path.isSkipping { text.append(bytes) }
  }

  mutating func elementEnded(at cursor: XMLCursor) -> Bool {
    guard let level = path.end() else { return false }
    switch level {
    case .name: placemark?.name = text.end()
    case .about: placemark?.add("description", text.end())
    case .value:
      if let datumName { placemark?.add(datumName, text.end()) }
    case .datum:
      if path.level == .schemaData, let datumName { placemark?.add(datumName, text.end()) }
    case .coordinates: processCoordinates()
    case .polygon: endPolygon()
    case .placemark: endPlacemark()
    case .document, .container, .extendedData, .schemaData, .multiGeometry, .point, .line, .outer, .inner,
      .ring:
      break
    }
    return path.isAtDocument
  }

  mutating func report(_ kind: InputProblem.Kind, at cursor: XMLCursor, _ rule: StaticString) {
    drafts.recordError(FenceParseError(.badEncoding, at: offsetResolver.offset(of: cursor), rule.description))
  }

  mutating func finish() {}

  private mutating func beginText(_ cursor: XMLCursor) {
    text.begin()
    textStart = offsetResolver.offset(of: cursor)
  }

  // MARK: Geometry

  private mutating func processCoordinates() {
    guard let parent = path.level else { return }
    let bytes = text.bytes
    _ = text.end()
    do throws(FenceParseError) {
      let corners = try KMLCoordinates.parse(bytes, at: textStart)
      switch parent {
      case .point:
        guard corners.count == 1 else {
          throw FenceParseError(
            .malformed, at: textStart, "a point has not one position but \(corners.count)")
        }
        placemark?.shape.points.append(corners[0])
      case .line: placemark?.shape.lines.append(corners)
      case .ring: try processRing(corners)
      default: break
      }
    } catch {
      recordError(error)
    }
  }

  private mutating func processRing(_ corners: [Coordinate]) throws(FenceParseError) {
    guard corners.first == corners.last else {
      throw FenceParseError(.badGeometry, at: textStart, "a ring is open: its last position is not its first")
    }
    guard corners.count >= 4 else {
      throw FenceParseError(
        .badGeometry, at: textStart, "a ring has fewer than four positions: \(corners.count)")
    }
    if path.levels.contains(.inner) {
      placemark?.holes.append(corners)
    } else if path.levels.contains(.outer) {
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
      recordError(FenceParseError(.missing, at: start, "a polygon without an outer boundary"))
    }
    placemark?.outer = nil
    placemark?.holes = []
  }

  private mutating func recordError(_ refusal: FenceParseError) {
    // The first reason is enough.
    if placemark?.refusal == nil { placemark?.refusal = refusal }
  }

  private mutating func endPlacemark() {
    guard let placemark else { return }
    self.placemark = nil
    do throws(FenceParseError) {
      drafts.add(try placemark.draft(reader))
    } catch {
      drafts.recordError(error, feature: placemark.ordinal, id: placemark.id)
    }
  }
}

extension KMLFenceHandler.Level {
  /// Returns the level of a child element of that name; `nil` if skipped.
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
