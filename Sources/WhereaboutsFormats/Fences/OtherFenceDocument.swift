import WhereaboutsModel
import WhereaboutsGeodesy

/// A reader of the fences of other programs in JSON: waypoints of OwnTracks, geofences of Traccar and of Transistorsoft's
/// SDK, zones of Home Assistant.
///
/// Sources: the booklet of OwnTracks, Traccar's `/api/geofences`, Home Assistant's `/api/states` and its file `core.zone`,
/// the `Geofence` of Transistorsoft's documentation.
struct OtherFenceDocument {
  private var scanner: JSONScanner
  private let reader: FenceReader
  private var drafts: FenceDrafts
  private var elements = 0
  /// Whether an element was one of these programs'.
  private var isKnown = false

  /// The distance in metres to a line within which Traccar takes a device to be inside, unless it is stated.
  private static let usualPolylineDistance = 25.0

  private init(_ bytes: UnsafeRawBufferPointer, reader: FenceReader) {
    scanner = JSONScanner(bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.position = 3 }
    self.reader = reader
    drafts = FenceDrafts(of: bytes)
  }

  /// Returns the fences of a file; `nil` if the file is none of these programs'.
  static func read(_ bytes: UnsafeRawBufferPointer, reader: FenceReader) -> FenceDrafts? {
    var document = OtherFenceDocument(bytes, reader: reader)
    while document.scanner.peek() != nil {
      let isComplete = document.readText()
      guard document.isKnown else { return nil }
      guard isComplete else { break }
    }
    guard document.isKnown else { return nil }
    if document.drafts.isEmpty {
      // Unlike an empty collection of GeoJSON, it is not meant as no fences, which would replace all others.
      document.drafts.recordError(
        FenceParseError(
          .missing, at: 0,
          "it has no waypoint of OwnTracks, geofence of Traccar or Transistorsoft, or zone of Home Assistant")
      )
    }
    return document.drafts
  }

  /// Reads an object or an array of objects; `false` where it isn't well formed.
  private mutating func readText() -> Bool {
    guard scanner.accept("[") else { return readElement() }
    guard !scanner.accept("]") else { return true }
    repeat {
      guard readElement() else { return false }
    } while scanner.accept(",")
    return scanner.accept("]") || refuseMalformed()
  }

  private mutating func readElement() -> Bool {
    _ = scanner.peek()
    let start = scanner.position
    guard case .object(let fields)? = scanner.value(depth: 0) else { return refuseMalformed() }
    if case .array(let waypoints)? = fields["waypoints"] {
      isKnown = true
      addAll(waypoints, at: start)
    } else if case .object(let data)? = fields["data"], case .array(let items)? = data["items"] {
      addAll(items, at: start)
    } else {
      add(fields, at: start)
    }
    return true
  }

  private mutating func refuseMalformed() -> Bool {
    let isEnd = scanner.peek() == nil
    drafts.recordError(
      FenceParseError(
        isEnd ? .truncated : .malformed, at: scanner.position,
        isEnd ? "the file ends here" : "not well-formed JSON"))
    return false
  }

  private mutating func addAll(_ values: [ExactJSON], at offset: Int) {
    for case .object(let fields) in values { add(fields, at: offset) }
  }

  private mutating func add(_ fields: JSONFields, at offset: Int) {
    elements += 1
    do throws(FenceParseError) {
      if case .text(let area)? = fields["area"] {
        isKnown = true
        drafts.add(try geofence(fields, area, at: offset))
      } else if case .text(let name)? = fields["desc"], fields.contains("lat") {
        isKnown = true
        drafts.add(try waypoint(fields, name, at: offset))
      } else if case .text(let entity)? = fields["entity_id"], case .object(let state)? = fields["attributes"]
      {
        isKnown = true
        guard entity.hasPrefix("zone.") else { return }
        let id = String(entity.dropFirst("zone.".count))
        drafts.add(try zone(state, id: id, name: "friendly_name", at: offset))
      } else if case .text(let id)? = fields["identifier"],
        fields.contains("radius") || fields.contains("vertices")
      {
        isKnown = true
        drafts.add(try geofence(fields, id: id, at: offset))
      } else if fields.contains("latitude"), fields.contains("longitude"), fields.contains("radius") {
        isKnown = true
        let id: String? = if case .text(let text)? = fields["id"] { text } else { nil }
        drafts.add(try zone(fields, id: id, name: "name", at: offset))
      } else {
        throw FenceParseError(
          .unsupported, at: offset,
          "no waypoint of OwnTracks, geofence of Traccar or Transistorsoft, or zone of Home Assistant")
      }
    } catch {
      drafts.recordError(error, feature: elements)
    }
  }

  // MARK: Programs

  private func waypoint(
    _ fields: JSONFields, _ name: String, at offset: Int
  ) throws(FenceParseError) -> FenceDraft {
    if case .text(let beacon)? = fields["uuid"], !beacon.isEmpty {
      throw FenceParseError(.unsupported, at: offset, "a beacon, which has no place")
    }
    guard !name.hasPrefix("+") else {
      throw FenceParseError(.unsupported, at: offset, "a region that moves with the phone")
    }
    var shape = FenceShape()
    shape.points = [try center(fields, "lat", "lon", at: offset)]
    var properties = FenceProperties(extent: shape.extent)
    properties.add("name", .text(PhoneWaypoint.displayName(name)), at: offset)
    // A waypoint of radius 0 is a place that the app does not watch.
    if let radius = fields["rad"], (try? fields.double("rad")) != 0 {
      properties.add("radius", radius, at: offset)
    }
    return try draft(shape, properties, id: nil, at: offset)
  }

  private func zone(
    _ fields: JSONFields, id: String?, name: String, at offset: Int
  ) throws(FenceParseError) -> FenceDraft {
    var shape = FenceShape()
    shape.points = [try center(fields, "latitude", "longitude", at: offset)]
    var properties = FenceProperties(extent: shape.extent)
    if let name = fields[name] { properties.add("name", name, at: offset) }
    if let radius = fields["radius"] { properties.add("radius", radius, at: offset) }
    return try draft(shape, properties, id: id, at: offset)
  }

  private func geofence(
    _ fields: JSONFields, _ area: String, at offset: Int
  ) throws(FenceParseError) -> FenceDraft {
    let (shape, radius) = try self.shape(ofArea: area, at: offset)
    var properties = FenceProperties(extent: shape.extent)
    for name in ["name", "description", "calendarId"] {
      guard let value = fields[name], !value.isNothing else { continue }
      properties.add(name, value, at: offset)
    }
    if let radius { properties.add("radius", .number(radius), at: offset) }
    var distance: Double?
    if case .object(let attributes)? = fields["attributes"] {
      distance = try? attributes.double("polylineDistance")
    }
    if let distance = distance ?? (reader.defaultWidth == nil ? Self.usualPolylineDistance : nil),
      shape.extent == .width
    {
      properties.add("width", .number("\(2 * distance)"), at: offset)
    }
    return try draft(shape, properties, id: nil, at: offset)
  }

  /// Returns a geofence of Transistorsoft's SDK: a circle, or a polygon by its `vertices`.
  private func geofence(
    _ fields: JSONFields, id: String, at offset: Int
  ) throws(FenceParseError) -> FenceDraft {
    var shape = FenceShape()
    if case .array(let vertices)? = fields["vertices"], !vertices.isEmpty {
      shape.polygons = [[closed(try places(vertices.map(\.spacedNumbers), at: offset))]]
    } else {
      shape.points = [try center(fields, "latitude", "longitude", at: offset)]
    }
    var properties = FenceProperties(extent: shape.extent)
    // The SDK computes a radius for a polygon, too.
    if shape.extent == .radius, let radius = fields["radius"] { properties.add("radius", radius, at: offset) }
    var kinds: [ExactJSON] = []
    for (member, kind) in [("notifyOnEntry", "enter"), ("notifyOnExit", "exit"), ("notifyOnDwell", "dwell")] {
      guard case .flag(true)? = fields[member] else { continue }
      kinds.append(.text(kind))
      guard kind == "dwell" else { continue }
      let milliseconds = (try? fields.double("loiteringDelay")) ?? 0
      properties.add("dwell", .number("\(milliseconds / 1000)"), at: offset)
    }
    if let name = fields["name"] { properties.add("name", name, at: offset) }
    if !kinds.isEmpty { properties.add("notify", .array(kinds), at: offset) }
    if let extras = fields["extras"] { properties.add("extras", extras, at: offset) }
    return try draft(shape, properties, id: id, at: offset)
  }

  private func draft(
    _ shape: FenceShape, _ properties: FenceProperties, id: String?, at offset: Int
  ) throws(FenceParseError) -> FenceDraft {
    FenceDraft(
      ordinal: elements, offset: offset, id: id, area: try shape.area(properties, reader, at: offset),
      terms: try properties.terms(), name: properties.name, properties: properties.otherProperties)
  }

  private func center(
    _ fields: JSONFields, _ latitude: String, _ longitude: String, at offset: Int
  ) throws(FenceParseError) -> Coordinate {
    do throws(JSONFields.FieldError) {
      let place = Coordinate(
        latitude: try fields.double(latitude).required(latitude),
        longitude: try fields.double(longitude).required(longitude))
      if let place { return place }
    } catch {
      throw FenceParseError(.badCoordinate, at: offset, error.rule)
    }
    throw FenceParseError(.badCoordinate, at: offset, "the latitude or the longitude is out of range")
  }

  // MARK: Areas of Traccar

  /// Returns the parts of a well-known text in Traccar's order, the latitude first, and the digits of a circle's radius.
  private func shape(
    ofArea text: String, at offset: Int
  ) throws(FenceParseError) -> (shape: FenceShape, radius: String?) {
    let word = text.prefix { $0.isLetter }
    let lists = text[word.endIndex...].split { $0 == "(" || $0 == ")" }
      .filter { $0.contains { $0.isNumber } }
      .map { $0.split(separator: ",").map(\.withoutSpacesAround) }
    var shape = FenceShape()
    switch word.uppercased() {
    case "CIRCLE" where lists.count == 1 && lists[0].count == 2:
      shape.points = try places(Array(lists[0].prefix(1)), at: offset)
      return (shape, lists[0][1])
    case "LINESTRING" where lists.count == 1:
      shape.lines = [try places(lists[0], at: offset)]
    case "POLYGON" where !lists.isEmpty:
      var rings: [[Coordinate]] = []
      for list in lists {
        rings.append(closed(try places(list, at: offset)))
      }
      shape.polygons = [rings]
    default:
      throw FenceParseError(.unsupported, at: offset, "its area is no CIRCLE, POLYGON or LINESTRING")
    }
    return (shape, nil)
  }

  /// Returns a ring whose last corner repeats the first.
  private func closed(_ ring: [Coordinate]) -> [Coordinate] {
    guard let first = ring.first, ring.last != first else { return ring }
    return ring + [first]
  }

  private func places(_ pairs: [String], at offset: Int) throws(FenceParseError) -> [Coordinate] {
    var places: [Coordinate] = []
    for pair in pairs {
      let numbers = pair.split(separator: " ").compactMap { Decimal.parse(String($0)) }
      guard numbers.count == 2, let place = Coordinate(latitude: numbers[0], longitude: numbers[1]) else {
        throw FenceParseError(
          .badCoordinate, at: offset, "its area has a place that is no latitude and longitude")
      }
      places.append(place)
    }
    return places
  }
}

extension ExactJSON {
  /// The numbers of an array with spaces between them; an empty text for anything else.
  fileprivate var spacedNumbers: String {
    guard case .array(let values) = self else { return "" }
    let numbers = values.map { if case .number(let digits) = $0 { digits } else { "?" } }
    return numbers.joined(separator: " ")
  }

  /// Whether the value is an empty text or 0, which Traccar states for nothing.
  fileprivate var isNothing: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .number(let digits): digits == "0"
    case .null, .flag, .array, .object: false
    }
  }
}
