import WhereaboutsModel
import WhereaboutsGeodesy

/// A reader of the features of a GeoJSON document as tracks.
struct GeoJSONTrackReader {
  /// The members of a document that is a feature or a geometry itself, as JSON.
  private var members: [UInt8] = []
  private var documentLine = 1
  private var documentOffset = 0
  private var line = 1
  private var offset = 0
  /// Whether the latest fix belongs to a line, and not to points.
  private var isInLine = false
  /// Whether the document has positions that are plain objects.
  private var hasPlainPositions = false
  private var offsets = OffsetStatements()
  private var repetitions = TraccarRepetitions()
  /// Whether the document is a batch of Overland.
  private var isOfOverland = false
  /// The device that a feature of Overland stated last.
  private var device: DeviceID?
  /// Whether the document names another reference system than WGS 84, so that its numbers are no degrees.
  private var hasOtherReferenceSystem = false

  /// The longest name that is kept, in bytes.
  private static let maxNameLength = 1024
  /// The arrays of a document whose elements are read: those of GeoJSON, of Overland, and of Dawarich's archive.
  static let arrayNames: [StaticString] = ["features", "locations", "points", "visits"]
  /// The index of Overland's array.
  private static let overlandArray = 1
  /// The further members of a document that are read. In the events they follow the arrays, and `crs` follows them.
  static let memberNames: [StaticString] = ["geometry", "properties", "type", "coordinates", "geometries"]

  mutating func handle(_ event: JSONElementReader.Event, into batch: inout RecordingBatch) {
    switch event {
    case .element(let element):
      (line, offset) = (element.line, element.offset)
      guard !hasOtherReferenceSystem, let feature = JSONItem(element.bytes) else { return }
      // After a malformed feature, objects may be parts of it.
      if element.isRecovered, !hasPlainPositions, feature.member("geometry") == nil { return }
      // A GeoJSON document may have foreign members of the other arrays' names, after its type.
      if let array = element.member, array > 0, !members.isEmpty { return }
      if let array = element.member { isOfOverland = array == Self.overlandArray }
      if isOfOverland, feature.member("properties") != nil {
        readOverland(element.bytes, into: &batch)
      } else {
        readFeature(feature, into: &batch)
      }
    case .member(let element):
      guard let name = element.member.map({ $0 - Self.arrayNames.count }) else { return }
      guard name < Self.memberNames.count else { return readReferenceSystem(element, into: &batch) }
      if members.isEmpty { (documentLine, documentOffset) = (element.line, element.offset) }
      if members.isEmpty { members.append(UInt8(ascii: "{")) }
      members.appendJSONKey(Self.memberNames[name])
      members.append(contentsOf: element.bytes)
    case .end:
      readDocument(into: &batch)
      hasOtherReferenceSystem = false
    case .problem(let kind, let line, let offset, let rule):
      batch.problems.report(kind, line: line, byteOffset: offset, rule.description)
    }
  }

  /// Reads `crs`, of GeoJSON before RFC 7946; `null` is none.
  private mutating func readReferenceSystem(
    _ element: JSONElementReader.Element, into batch: inout RecordingBatch
  ) {
    guard let item = JSONItem(element.bytes), !item.isNull,
      let problem = GeoJSONReferenceSystem.problem(JSONScanner(element.bytes))
    else { return }
    hasOtherReferenceSystem = true
    batch.problems.report(.badCoordinate, line: element.line, byteOffset: element.offset, problem)
  }

  /// Reads a document that is a feature or a geometry itself.
  private mutating func readDocument(into batch: inout RecordingBatch) {
    guard !members.isEmpty else { return }
    (line, offset) = (documentLine, documentOffset)
    let text = members + [UInt8(ascii: "}")]
    members = []
    guard !hasOtherReferenceSystem else { return }
    text.withUnsafeBytes { bytes in
      guard let object = JSONItem(bytes) else { return }
      if object.member("geometry") != nil {
        readFeature(object, into: &batch)
      } else if object.member("coordinates") ?? object.member("geometries") != nil {
        readGeometry(object, properties: nil, depth: 0, into: &batch)
      }
    }
  }

  private func report(_ kind: InputProblem.Kind, _ rule: StaticString, into batch: inout RecordingBatch) {
    batch.problems.report(kind, line: line, byteOffset: offset, rule.description)
  }

  // MARK: Geometries

  private mutating func readFeature(_ feature: JSONItem, into batch: inout RecordingBatch) {
    guard let geometry = feature.member("geometry") else {
      if feature.member("started_at") != nil { return readVisit(feature, into: &batch) }
      guard GeoJSONPosition.hasMembers(feature) else {
        return batch.skippedElements.count("feature without a geometry")
      }
      hasPlainPositions = true
      // Positions of Traccar, whose speeds are in knots.
      let isOfTraccar = feature.member("fixTime") != nil && feature.member("serverTime") != nil
      return readPoint(
        GeoJSONPosition(membersOf: feature), feature, isOfTraccar: isOfTraccar, into: &batch)
    }
    readGeometry(geometry, properties: feature.member("properties"), depth: 0, into: &batch)
  }

  /// Reads a line of Dawarich's archive: a position or a visit.
  ///
  /// - Returns: `false` for a line of another kind, of which nothing is read.
  mutating func read(_ line: TextLine, into batch: inout RecordingBatch) -> Bool {
    var scanner = JSONScanner(line.bytes.withoutByteOrderMark)
    guard let object = scanner.item(), scanner.peek() == nil, object.member("lat") == nil else {
      return false
    }
    let isPosition = object.member("latitude") != nil && object.member("longitude") != nil
    guard object.member("started_at") != nil || (isPosition && object.member("timestamp") != nil) else {
      return false
    }
    (self.line, offset) = (line.number, line.offset)
    readFeature(object, into: &batch)
    return true
  }

  /// Reads a visit of Dawarich.
  private mutating func readVisit(_ visit: JSONItem, into batch: inout RecordingBatch) {
    hasPlainPositions = true
    let status = visit.member("status")?.text()
    guard status != "declined" else { return batch.skippedElements.count("declined visit") }
    guard let place = visit.member("place_reference") else {
      return batch.skippedElements.count("visit without a place")
    }
    guard let position = GeoJSONPosition(membersOf: place) else {
      return report(.badCoordinate, "the place of a visit is no place", into: &batch)
    }
    guard let arrival = visit.member("started_at").flatMap(GeoJSONLineTimes.instant),
      let departure = visit.member("ended_at").flatMap(GeoJSONLineTimes.instant), arrival <= departure
    else { return report(.badTime, "the times of a visit can't be read", into: &batch) }
    batch.elements.append(
      .visit(
        RecordedVisit(
          coordinate: position.coordinate, arrival: arrival, departure: departure,
          name: readName(place, into: &batch) ?? readName(visit, into: &batch),
          isConfirmed: status == "confirmed")))
  }

  /// Reads a feature of Overland as a server reads it, so that values mean the same.
  private mutating func readOverland(_ feature: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    var body = Array("{\"locations\":[".utf8)
    body.append(contentsOf: feature)
    body.append(contentsOf: "]}".utf8)
    // No time of arrival, by which a stated one would be corrected.
    let request = PhoneRequest(body: body, arrival: UTCTime(nanosecondsSince1970: 0))
    let answer = PhoneDialect.overland.report(from: request)
    for rejection in answer.rejections {
      batch.problems.report(rejection.kind, line: line, byteOffset: offset, rejection.reason)
    }
    if !answer.trips.isEmpty { batch.skippedElements.count("trip") }
    if !answer.otherMessages.isEmpty { batch.skippedElements.count("event") }
    if answer.hasImpossibleSpeed { batch.skippedElements.count("impossible speeds") }
    guard !answer.fixes.isEmpty || !answer.visits.isEmpty else { return }
    let stated = answer.identity.device.map { DeviceID($0) }
    if stated != device {
      device = stated
      batch.elements.append(.deviceBegan(name: stated?.rawValue))
    }
    for fix in answer.fixes { batch.elements.append(.fix(fix.fix)) }
    for visit in answer.visits {
      guard let arrival = visit.arrived, let departure = visit.departed, arrival <= departure else {
        batch.skippedElements.count("visit without both times")
        continue
      }
      batch.elements.append(
        .visit(RecordedVisit(coordinate: visit.coordinate, arrival: arrival, departure: departure)))
    }
  }

  private mutating func readGeometry(
    _ geometry: JSONItem, properties: JSONItem?, depth: Int, into batch: inout RecordingBatch
  ) {
    guard let type = geometry.member("type")?.text() else {
      return report(.missing, "a geometry without a type", into: &batch)
    }
    let coordinates = geometry.member("coordinates")
    switch type {
    case "Point": readPoint(coordinates.flatMap { GeoJSONPosition($0) }, properties, into: &batch)
    case "LineString":
      beginTrack(properties, into: &batch)
      readLine(coordinates, GeoJSONLineTimes(properties, line: nil), properties, into: &batch)
    case "MultiLineString":
      beginTrack(properties, into: &batch)
      var number = 0
      coordinates?.forEachElement {
        readLine($0, GeoJSONLineTimes(properties, line: number), properties, into: &batch)
        number += 1
      }
    case "GeometryCollection" where depth < 8:
      geometry.member("geometries")?.forEachElement {
        readGeometry($0, properties: properties, depth: depth + 1, into: &batch)
      }
    default: var name = type; name.withUTF8 { batch.skippedElements.count(UnsafeRawBufferPointer($0)) }
    }
  }

  private func isRoute(_ properties: JSONItem?) -> Bool { properties?.member("kind")?.text() == "route" }

  /// Returns the name. Of one that is too long the beginning, which is reported.
  private func readName(_ properties: JSONItem?, into batch: inout RecordingBatch) -> String? {
    guard let name = properties?.member("name") else { return nil }
    if name.withText({ $0.count > Self.maxNameLength }) == true {
      report(.tooLong, "name longer than 1 KiB, of which the beginning is kept", into: &batch)
      batch.problems.countLeftOutValues()
    }
    return name.text(limit: Self.maxNameLength)
  }

  private mutating func beginTrack(_ properties: JSONItem?, into batch: inout RecordingBatch) {
    let name = readName(properties, into: &batch)
    let isRoute = isRoute(properties)
    if !isRoute { isInLine = true }
    batch.elements.append(isRoute ? .routeBegan(name: name) : .trackBegan(name: name))
  }

  private func readLine(
    _ coordinates: JSONItem?, _ times: GeoJSONLineTimes, _ properties: JSONItem?,
    into batch: inout RecordingBatch
  ) {
    guard let coordinates, coordinates.isArray else {
      return report(.missing, "a line without coordinates", into: &batch)
    }
    let isRoute = isRoute(properties)
    var count = 0
    coordinates.forEachElement { _ in count += 1 }
    if !isRoute {
      batch.elements.append(.segmentBegan)
      batch.timesWithoutZone += times.countWithoutZone(of: count)
    }
    if times.isMismatch(count) {
      report(.missing, "a line with another number of times than of positions", into: &batch)
      // Its fixes without a time are counted.
      batch.problems.countFurtherProblems()
    } else if times.hasUnreadableTime {
      report(.badTime, "a time of a line can't be read", into: &batch)
      batch.problems.countFurtherProblems()
    }
    var index = 0
    // The ends where the writer cut the line at the antimeridian.
    var cuts = times.cutCount(of: count)
    coordinates.forEachElement { item in
      defer { index += 1 }
      guard let position = GeoJSONPosition(item) else {
        return report(.badCoordinate, "a position of a line is no place", into: &batch)
      }
      let time = times.instant(at: index, of: count) ?? position.time
      if cuts > 0, time == nil, index == 0 || index == count - 1,
        position.coordinate.longitude.magnitude == 180
      {
        cuts -= 1
        return
      }
      guard !isRoute else {
        return batch.elements.append(.routePoint(Waypoint(coordinate: position.coordinate)))
      }
      var fix = Fix(coordinate: position.coordinate, time: time, source: .geoJSON)
      fix.heightAboveEllipsoid = position.height
      batch.elements.append(.fix(fix))
    }
  }

  private mutating func readPoint(
    _ position: GeoJSONPosition?, _ properties: JSONItem?, isOfTraccar: Bool = false,
    into batch: inout RecordingBatch
  ) {
    guard let position else { return report(.badCoordinate, "a point is no place", into: &batch) }
    var point = GeoJSONPointProperties(speedFactor: isOfTraccar ? 1852.0 / 3600 : 1)
    if let properties { point.read(properties) }
    if point.hasProblem { report(.badNumber, "a property is not what its name says", into: &batch) }
    let isTimed = point.readTime()
    if !isTimed { report(.badTime, "time can't be read", into: &batch) }
    let problems = (point.hasProblem ? 1 : 0) + (isTimed ? 0 : 1)
    var fix = point.fix(at: position)
    if isOfTraccar { fix.removeZerosOfTraccar() }
    // A route of a single point, as the writer leaves it.
    if fix.time == nil, isRoute(properties) {
      beginTrack(properties, into: &batch)
      batch.problems.countLeftOutValues(problems)
      return batch.elements.append(.routePoint(Waypoint(coordinate: position.coordinate)))
    }
    // A segment of a single fix, as the writer leaves it.
    if fix.time == nil, properties?.member("kind")?.text() == "track" {
      beginTrack(properties, into: &batch)
      batch.elements.append(.segmentBegan)
      let times = GeoJSONLineTimes(properties, line: nil)
      fix.time = times.instant(at: 0, of: 1)
      batch.timesWithoutZone += times.countWithoutZone(of: 1)
      // A fix without a time is counted for that.
      if fix.time == nil {
        batch.problems.countFurtherProblems(problems)
      } else {
        batch.problems.countLeftOutValues(problems)
      }
      return batch.elements.append(.fix(fix))
    }
    // A place of a map has a name and perhaps a time; a fix has no kind.
    let isPlace = properties?.member("kind")?.text() == "place"
    if isTimed || isPlace || fix.time != nil {
      batch.problems.countLeftOutValues(problems)
    } else {
      // Perhaps a fix: the unreadable time refuses the point.
      batch.problems.countFurtherProblems(problems - 1)
      batch.waypointsWithUnreadableTime += 1
    }
    if fix.time == nil || isPlace {
      fix.heightAboveGeoid = fix.heightAboveGeoid.flatMap { $0.isFinite ? $0 : nil }
      let name = readName(properties, into: &batch)
      batch.elements.append(
        .waypoint(
          Waypoint(
            coordinate: position.coordinate, name: name, heightAboveGeoid: fix.heightAboveGeoid,
            time: fix.time)))
    } else {
      if isOfTraccar, repetitions.skip(fix, in: &batch) { return }
      if isInLine { batch.elements.append(.trackBegan(name: nil)) }
      isInLine = false
      if let offset = point.offset { offsets.state(offset, at: fix.time, into: &batch) }
      if point.hasTimeWithoutZone { batch.timesWithoutZone += 1 }
      batch.elements.append(.fix(fix))
    }
  }
}

/// A position of GeoJSON: longitude, latitude, a height above the ellipsoid and a time.
struct GeoJSONPosition {
  let coordinate: Coordinate
  let height: Double?
  /// The time that a fourth number is, in a unit since 1970 that its size shows.
  let time: UTCTime?

  private static func latitude(of object: JSONItem) -> JSONItem? {
    object.member("latitude") ?? object.member("lat")
  }

  private static func longitude(of object: JSONItem) -> JSONItem? {
    object.member("longitude") ?? object.member("lon")
  }

  /// Returns whether an object has a latitude and a longitude, readable or not.
  static func hasMembers(_ object: JSONItem) -> Bool {
    latitude(of: object) != nil && longitude(of: object) != nil
  }

  /// Creates the position of the members `latitude` and `longitude`, or `lat` and `lon`, numbers or text.
  ///
  /// - Returns: `nil` if they are no place.
  init?(membersOf object: JSONItem) {
    guard let longitude = Self.longitude(of: object)?.number,
      let latitude = Self.latitude(of: object)?.number,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    self.coordinate = coordinate
    height = nil
    time = nil
  }

  /// Creates the position of an array. Dawarich writes its numbers as text.
  ///
  /// - Returns: `nil` if the value is no place.
  init?(_ item: JSONItem) {
    var numbers: (Double?, Double?, Double?) = (nil, nil, nil)
    var time: UTCTime?
    var index = 0
    item.forEachElement { element in
      switch index {
      case 0: numbers.0 = element.number
      case 1: numbers.1 = element.number
      case 2: numbers.2 = element.number
      case 3: time = Self.instant(element)
      default: break
      }
      index += 1
    }
    guard let longitude = numbers.0, let latitude = numbers.1,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    self.coordinate = coordinate
    height = numbers.2
    self.time = time
  }

  /// Returns the time of a fourth number; `nil` for a smaller one, which may be a distance.
  private static func instant(_ item: JSONItem) -> UTCTime? {
    // So many seconds are in the year 1973.
    guard let number = item.number, number >= 100_000_000 else { return nil }
    return item.withText { UTCTime(unix: $0) }
  }
}

/// The times of a line's positions.
struct GeoJSONLineTimes {
  private var times: [UTCTime?]?
  private var begin: UTCTime?
  private var end: UTCTime?
  /// The number of fixes or route points, as the writer states it.
  private var points: Int?
  /// Whether one of the list is no time, or too small a number for one.
  private(set) var hasUnreadableTime = false
  /// The number of times whose text states no zone.
  private var withoutZone = 0

  /// - Parameter line: the index of a line of several; `nil` for the only one.
  init(_ properties: JSONItem?, line: Int?) {
    guard let properties else { return }
    if line == nil { points = properties.member("points")?.integer.flatMap { Int(exactly: $0) } }
    let nested = properties.member("coordinateProperties")
    var list =
      properties.member("coordTimes") ?? properties.member("times") ?? nested?.member("times")
      ?? nested?.member("coordTimes")
    if let line { list = list.flatMap { $0.element(at: line) } }
    if let list, list.isArray {
      var times: [UTCTime?] = []
      var hasUnreadable = false
      list.forEachElement { item in
        let time = Self.instant(item)
        if time == nil, !item.isNull, !item.bytes.isEmpty { hasUnreadable = true }
        if time != nil, item.withText({ $0.statesTimeWithoutZone }) == true { withoutZone += 1 }
        times.append(time)
      }
      self.times = times
      hasUnreadableTime = hasUnreadable
    } else if line == nil {
      let ends = [properties.member("begin"), properties.member("end")]
      begin = ends[0].flatMap(Self.instant)
      end = ends[1].flatMap(Self.instant)
      withoutZone = ends.count { $0?.withText { $0.statesTimeWithoutZone } == true }
    }
  }

  fileprivate static func instant(_ item: JSONItem) -> UTCTime? {
    item.withText { text -> UTCTime? in
      var offset: Int?
      return UTCTime(recorded: text, offset: &offset)
    }
  }

  /// Returns the number of positions whose time states no zone, so that it may be a local time.
  func countWithoutZone(of count: Int) -> Int { isMismatch(count) ? 0 : min(withoutZone, count) }

  /// Returns the number of positions that are no fixes or route points by the property `points`: at most both ends.
  func cutCount(of count: Int) -> Int {
    guard let points, points >= 0, (1...2).contains(count - points) else { return 0 }
    return count - points
  }

  func isMismatch(_ count: Int) -> Bool { times.map { $0.count != count } ?? false }

  func instant(at index: Int, of count: Int) -> UTCTime? {
    guard let times else { return index == 0 ? begin : index == count - 1 ? end : nil }
    return times.count == count ? times[index] : nil
  }
}

extension JSONItem {
  fileprivate func element(at wanted: Int) -> JSONItem? {
    var index = 0
    var found: JSONItem?
    forEachElement {
      if index == wanted { found = $0 }
      index += 1
    }
    return found
  }
}
