import WhereaboutsModel
import WhereaboutsGeodesy

/// A handler that makes elements of a recording from a KML document.
struct KMLTrackHandler: XMLRecordingHandler {
  static let landmarks = [ElementLandmark("Placemark", after: "<kml>")]

  /// An open element that means something here.
  private enum Level: Equatable {
    case document, container, containerName, placemark
    case name, address, span, stamp, spanBegin, spanEnd, stampTime
    case placemarkData, datum, datumValue
    case track, multiTrack, pointTime, trackPoint, altitudeMode
    case line, point, multiGeometry, coordinates
    case extendedData, schemaData, values, value
  }

  var batch = RecordingBatch()
  private(set) var mayResumeAfterRefusal = false

  private var path = XMLElementPath(document: Level.document)
  private var text = XMLElementText()
  private var tuples = KMLTupleParser()
  private var placemark = KMLTimedPlacemark()
  private var track = KMLTrack()
  /// Whether the tracks of the open `gx:MultiTrack` have heights above the sea unless they state another mode.
  private var isMultiTrackAbsolute = false
  private var offsets = OffsetStatements()
  /// The offsets that the times of the present track or placemark state.
  private var stated: [RecordingElement] = []
  /// The elements that wait until the batch has room.
  private var held: [Held] = []

  private enum Held {
    case element(RecordingElement)
    case track(KMLTrack)
  }

  /// Whether the latest fix belongs to a track or a line, and not to points.
  private var isInTrack = false
  /// The number of open elements in a folder of waypoints, which are places also where they have a time; `nil` outside.
  private var waypointDepth: Int?

  // MARK: Elements

  mutating func elementBegan(
    _ name: UnsafeRawBufferPointer, _ attributes: XMLAttributes, at cursor: XMLCursor
  ) -> StaticString? {
    switch path.begin() {
    case .child(let level): return beginChild(name, of: level, attributes)
    case .skipped: return nil
    case .tooDeep:
      mayResumeAfterRefusal = true
      return XMLElementPath<Level>.tooDeep
    }
  }

  private mutating func beginChild(
    _ name: UnsafeRawBufferPointer, of level: Level, _ attributes: XMLAttributes
  ) -> StaticString? {
    if level == .document, !name.equals("kml"), !Self.isContainer(name) { return "not a KML document" }
    guard let next = Self.child(name, of: level) else {
      path.skip()
      // Styles and descriptions are no part of a track. What a link names is not fetched.
      let isLink = level == .container && name.equals("NetworkLink")
      if level == .track || level == .placemark || level == .multiGeometry || isLink {
        batch.skippedElements.count(name)
      }
      if level == .placemarkData { placemark.hasUnreadData = true }
      return nil
    }
    path.enter(next)
    begin(next, attributes)
    return nil
  }

  private static func isContainer(_ name: UnsafeRawBufferPointer) -> Bool {
    name.equals("Document") || name.equals("Folder") || name.equals("Placemark")
  }

  private static func child(_ name: UnsafeRawBufferPointer, of level: Level) -> Level? {
    switch level {
    case .document, .container:
      if name.equals("Placemark") { return .placemark }
      if level == .container, name.equals("name") { return .containerName }
      return name.equals("kml") || name.equals("Document") || name.equals("Folder") ? .container : nil
    case .placemark:
      if name.equals("name") { return .name }
      if name.equals("TimeSpan") { return .span }
      if name.equals("TimeStamp") { return .stamp }
      if name.equals("address") { return .address }
      if name.equals("ExtendedData") { return .placemarkData }
      return geometry(name)
    case .multiGeometry: return geometry(name)
    case .span:
      if name.equals("begin") { return .spanBegin }
      return name.equals("end") ? .spanEnd : nil
    case .stamp: return name.equals("when") ? .stampTime : nil
    case .placemarkData: return name.equals("Data") ? .datum : nil
    case .datum: return name.equals("value") ? .datumValue : nil
    case .multiTrack:
      if name.equals("altitudeMode") { return .altitudeMode }
      return name.equals("Track") ? .track : nil
    case .track:
      if name.equals("when") { return .pointTime }
      if name.equals("coord") { return .trackPoint }
      if name.equals("altitudeMode") { return .altitudeMode }
      return name.equals("ExtendedData") ? .extendedData : nil
    case .line, .point:
      if name.equals("coordinates") { return .coordinates }
      return name.equals("altitudeMode") ? .altitudeMode : nil
    case .extendedData: return name.equals("SchemaData") ? .schemaData : nil
    case .schemaData: return name.equals("SimpleArrayData") ? .values : nil
    case .values: return name.equals("value") ? .value : nil
    case .name, .address, .containerName, .spanBegin, .spanEnd, .stampTime, .datumValue, .pointTime,
      .trackPoint, .altitudeMode, .coordinates, .value:
      return nil
    }
  }

  private static func geometry(_ name: UnsafeRawBufferPointer) -> Level? {
    if name.equals("Track") { return .track }
    if name.equals("MultiTrack") { return .multiTrack }
    if name.equals("LineString") { return .line }
    if name.equals("Point") { return .point }
    return name.equals("MultiGeometry") ? .multiGeometry : nil
  }

  private mutating func begin(_ level: Level, _ attributes: XMLAttributes) {
    switch level {
    case .placemark: placemark = KMLTimedPlacemark()
    case .track:
      track = KMLTrack()
      track.isAbsolute = isMultiTrackAbsolute
      track.isContinuation = attributes.withValue(of: "id") { $0.starts(with: "continued-".utf8) } ?? false
    case .line: placemark.beginGeometry(isLine: true)
    case .point: placemark.beginGeometry(isLine: false)
    case .coordinates: tuples = KMLTupleParser()
    case .values:
      track.beginValues(named: attributes.withValue(of: "name") { KMLTrack.Column(name: $0) } ?? nil)
    case .placemarkData: placemark.hasUnreadData = false
    case .datum:
      let name = attributes.withValue(of: "name") { String(decoding: $0, as: UTF8.self) }
      placemark.datum = name.flatMap { KMLTimedPlacemark.Datum(rawValue: $0) }
      if placemark.datum == nil { placemark.hasUnreadData = true }
    case .name, .address, .containerName, .spanBegin, .spanEnd, .stampTime, .datumValue, .pointTime,
      .trackPoint, .altitudeMode, .value:
      text.begin()
    case .document, .container, .span, .stamp, .multiTrack, .multiGeometry, .extendedData, .schemaData: break
    }
  }

  mutating func text(_ bytes: UnsafeRawBufferPointer) {
    guard !path.isSkipping else { return }
    if path.level == .coordinates {
      tuples.parse(bytes) { placemark.append($0) }
    } else {
      text.append(bytes)
    }
  }

  mutating func elementEnded(at cursor: XMLCursor) -> Bool {
    guard let level = path.end() else { return false }
    switch level {
    case .name: placemark.name = readText(cursor)
    case .address: placemark.address = readText(cursor)
    case .datumValue:
      if let datum = placemark.datum { placemark.data[datum] = readText(cursor) }
    case .placemarkData:
      if placemark.hasUnreadData { batch.skippedElements.count("ExtendedData") }
    case .containerName:
      if text.string == "Waypoints" { waypointDepth = path.levels.count }
    case .container:
      if let waypointDepth, path.levels.count < waypointDepth { self.waypointDepth = nil }
    case .spanBegin: placemark.begin = readTime(cursor)
    case .spanEnd: placemark.end = readTime(cursor)
    case .stampTime: placemark.stamp = readTime(cursor)
    case .pointTime:
      let time = readTime(cursor)
      if time == nil, text.withTrimmed({ $0.isEmpty }) != true { batch.unreadableTimes += 1 }
      track.append(time)
    case .trackPoint: endTrackPoint(cursor)
    case .altitudeMode:
      let isAbsolute = text.withTrimmed { $0.equals("absolute") } ?? false
      switch path.level {
      case .track: track.isAbsolute = isAbsolute
      case .multiTrack: isMultiTrackAbsolute = isAbsolute
      default: placemark.setAbsolute(isAbsolute)
      }
    case .value: track.appendValue(text.number)
    case .coordinates: tuples.finish { placemark.append($0) }
    case .track: endTrack(cursor)
    case .multiTrack: isMultiTrackAbsolute = false
    case .placemark: emit(placemark, cursor)
    default: break
    }
    text.end()
    return level != .document && path.isAtDocument
  }

  /// Reads a text; `nil` for an empty one. Of a text that is too long the beginning, which is reported.
  private mutating func readText(_ cursor: XMLCursor) -> String? {
    if text.isTooLong {
      report(.tooLong, at: cursor, "text of an element longer than 1 KiB, of which the beginning is kept")
      batch.problems.countLeftOutValues()
    }
    return text.string
  }

  /// Reads a time; `nil` for an empty text, and for one that is reported.
  private mutating func readTime(_ cursor: XMLCursor) -> UTCTime? {
    if text.withTrimmed({ $0.isEmpty }) == true { return nil }
    var offset: Int?
    if let time = text.withTrimmed({ UTCTime(iso8601: $0, offset: &offset) }) {
      if let offset, let element = offsets.element(minutes: offset, at: time) { stated.append(element) }
      if text.withTrimmed({ $0.statesTimeWithoutZone }) == true { batch.timesWithoutZone += 1 }
      return time
    }
    let length = text.withTrimmed { $0.count } ?? 0
    report(
      .badTime, at: cursor,
      length == 4 || length == 7 ? "a time names only a year or a month" : "a time can't be read")
    return nil
  }

  // MARK: Tracks

  private mutating func endTrackPoint(_ cursor: XMLCursor) {
    var place: KMLPlace?
    if text.withTrimmed({ $0.isEmpty }) != true {
      place = text.withTrimmed { KMLPlace(separatedByBlanks: $0) }
      if place == nil { report(.badCoordinate, at: cursor, "a gx:coord is no place") }
    }
    let wasOverfull = track.isOverfull
    track.append(place)
    if track.isOverfull, !wasOverfull {
      report(
        .tooLong, at: cursor, "a track has over 500,000 points before their times; the rest is not read")
    }
    guard min(track.placeCount, track.timeCount) >= KMLTrack.maxPoints / 2,
      track.placeCount >= KMLTrack.maxPoints
    else { return }
    if !track.hasColumns {
      report(
        .tooLong, at: cursor, "a track has over 500,000 points; their accuracies and speeds are not read")
    }
    emitTrack()
    track.removePairs()
  }

  private mutating func endTrack(_ cursor: XMLCursor) {
    emitTrack()
    for _ in track.timeCount..<max(track.placeCount, track.timeCount) {
      report(.missing, at: cursor, "a gx:coord without a when")
    }
    for _ in track.placeCount..<max(track.placeCount, track.timeCount) {
      report(.missing, at: cursor, "a when without a gx:coord")
    }
    track = KMLTrack()
  }

  private mutating func emitTrack() {
    if min(track.placeCount, track.timeCount) > 0, !track.isBegun {
      let isContinuation = track.isContinuation && placemark.isBegun
      beginTrackIfNeeded()
      if !isContinuation { emit(.segmentBegan) }
      track.isBegun = true
    }
    emitOffsets()
    held.append(.track(track))
    _ = emitHeldBack()
  }

  // MARK: Elements that are held back

  /// Appends an element, or holds it back behind others or because the batch is full.
  private mutating func emit(_ element: RecordingElement) {
    if held.isEmpty, batch.elements.count < batch.limit {
      batch.elements.append(element)
    } else {
      held.append(.element(element))
    }
  }

  private mutating func emitOffsets() {
    for element in stated { emit(element) }
    stated.removeAll()
  }

  /// Appends elements that were held back, up to the limit of the batch.
  ///
  /// - Returns: whether there were any.
  mutating func emitHeldBack() -> Bool {
    guard !held.isEmpty else { return false }
    var done = 0
    while done < held.count, batch.elements.count < batch.limit {
      switch held[done] {
      case .element(let element): batch.elements.append(element)
      case .track(var track):
        while batch.elements.count < batch.limit, let fix = track.next() { batch.elements.append(.fix(fix)) }
        held[done] = .track(track)
        guard track.isGiven else { continue }
      }
      done += 1
    }
    held.removeFirst(done)
    return true
  }

  private mutating func beginTrackIfNeeded() {
    guard !placemark.isBegun else { return }
    placemark.isBegun = true
    isInTrack = true
    emit(.trackBegan(name: placemark.name))
  }

  // MARK: Placemarks

  private mutating func emit(_ placemark: KMLTimedPlacemark, _ cursor: XMLCursor) {
    for geometry in placemark.geometries {
      if geometry.invalidPlaces > 0 || geometry.places.isEmpty {
        report(.badCoordinate, at: cursor, "coordinates that are no places")
      }
      if geometry.isTooLong {
        report(.tooLong, at: cursor, "a line has over 500,000 vertices; the rest is not read")
      }
      if geometry.isLine {
        emitLine(geometry, of: placemark, cursor)
      } else {
        emitPoint(geometry, of: placemark)
      }
    }
    emitOffsets()
    self.placemark = KMLTimedPlacemark()
  }

  private mutating func emitLine(
    _ geometry: KMLTimedPlacemark.Geometry, of placemark: KMLTimedPlacemark, _ cursor: XMLCursor
  ) {
    guard geometry.places.count > 1 else {
      // An empty line is a problem.
      if geometry.places.count == 1 { batch.skippedElements.count("LineString with one vertex") }
      return
    }
    if let begin = placemark.begin, let end = placemark.end {
      if begin <= end {
        beginTrackIfNeeded()
        emit(.segmentBegan)
        geometry.forEachFix(from: begin, to: end) { emit(.fix($0)) }
        return
      }
      report(.badTime, at: cursor, "a TimeSpan ends before it begins")
    }
    emit(.routeBegan(name: placemark.name))
    for place in geometry.places {
      emit(
        .routePoint(
          Waypoint(coordinate: place.coordinate, heightAboveGeoid: place.height(geometry.isAbsolute))))
    }
  }

  private mutating func emitPoint(
    _ geometry: KMLTimedPlacemark.Geometry, of placemark: KMLTimedPlacemark
  ) {
    guard let place = geometry.places.first else { return }
    let height = place.height(geometry.isAbsolute)
    if let time = placemark.stamp, waypointDepth != nil {
      emit(
        .waypoint(
          Waypoint(
            coordinate: place.coordinate, name: placemark.name, heightAboveGeoid: height, time: time)))
    } else if let time = placemark.stamp {
      var fix = Fix(coordinate: place.coordinate, time: time, source: .kml)
      fix.heightAboveGeoid = height
      if isInTrack { emit(.trackBegan(name: nil)) }
      isInTrack = false
      emit(.fix(fix))
    } else if let begin = placemark.begin, let end = placemark.end, begin <= end {
      emit(.visit(placemark.visit(at: place.coordinate, from: begin, to: end)))
    } else {
      emit(
        .waypoint(Waypoint(coordinate: place.coordinate, name: placemark.name, heightAboveGeoid: height)))
    }
  }

  // MARK: Resuming after a failure

  mutating func willResume() {
    path = XMLElementPath(document: .document)
    mayResumeAfterRefusal = false
    text.end()
    placemark = KMLTimedPlacemark()
    isMultiTrackAbsolute = false
    waypointDepth = nil
  }

  mutating func didResume() {}

  mutating func finish() {}
}
