import WhereaboutsModel
import WhereaboutsGeodesy

/// A handler that makes elements of a recording from a TCX document.
struct TCXHandler: XMLRecordingHandler {
  static let landmarks = [
    ElementLandmark("Trackpoint", after: opening + "<Activity><Lap><Track>"),
    ElementLandmark("Track", after: opening + "<Activity><Lap>"),
    ElementLandmark("Lap", after: opening + "<Activity>"),
    ElementLandmark("Activity", after: opening),
    ElementLandmark("Course", after: "<TrainingCenterDatabase><Courses>"),
  ]
  private static let opening = "<TrainingCenterDatabase><Activities>"

  /// An open element that means something here.
  private enum Level: Equatable {
    case document, database, container
    /// An activity or a course.
    case activity
    case lap, track, point, position, extensions
    case field(Field)
  }

  /// An element whose text is read.
  private enum Field: Equatable {
    case name, time, latitude, longitude, altitude, speed

    var rule: StaticString {
      switch self {
      case .name: "name longer than 1 KiB, of which the beginning is kept"
      case .time: "Time is no time"
      case .latitude, .longitude: "LatitudeDegrees or LongitudeDegrees is no number"
      case .altitude: "AltitudeMeters is no number"
      case .speed: "Speed is no number"
      }
    }

    var problem: InputProblem.Kind {
      switch self {
      case .name: .tooLong
      case .time: .badTime
      case .latitude, .longitude, .altitude, .speed: .badNumber
      }
    }
  }

  /// A track point while its elements are read.
  private struct Point {
    var latitude: Double?
    var longitude: Double?
    var hasPosition = false
    /// Whether the fix has no time because the time could not be read.
    var hasUnreadableTime = false
    var hasTimeWithoutZone = false
    /// The number of reported problems of its values.
    var problems = 0
    /// The minutes ahead of UTC that the time states.
    var offset: Int?
    var fix = Fix(coordinate: Coordinate(uncheckedLatitude: 0, longitude: 0), time: nil, source: .tcx)
  }

  var batch = RecordingBatch()
  private(set) var mayResumeAfterRefusal = false

  private var path = XMLElementPath(document: Level.document)
  /// The point whose element is open. Not optional, so that it is changed in place: each copy of a fix takes time.
  private var point = Point()
  private var text = XMLElementText()
  private var title: String?
  private var offsets = OffsetStatements()
  /// The activity of the sport.
  private var activity: Fix.StatedActivity?
  private var hasPendingTrack = false
  private var hasPendingSegment = false
  /// Whether the elements are those of a made-up beginning.
  private var isResuming = false

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
    if level == .document, !name.equals("TrainingCenterDatabase") { return "not a TCX document" }
    guard let next = Self.child(name, of: level) else {
      path.skip()
      batch.skippedElements.count(name)
      return nil
    }
    path.enter(next)
    begin(next, attributes)
    return nil
  }

  private static func child(_ name: UnsafeRawBufferPointer, of level: Level) -> Level? {
    switch level {
    case .document: return .database
    case .database: return name.equals("Activities") || name.equals("Courses") ? .container : nil
    case .container:
      if name.equals("MultiSportSession") || name.equals("FirstSport") || name.equals("NextSport") {
        return .container
      }
      return name.equals("Activity") || name.equals("Course") ? .activity : nil
    case .activity:
      if name.equals("Name") { return .field(.name) }
      if name.equals("Track") { return .track }  // Of a course.
      return name.equals("Lap") ? .lap : nil
    case .lap: return name.equals("Track") ? .track : nil
    case .track: return name.equals("Trackpoint") ? .point : nil
    case .point:
      if name.equals("Time") { return .field(.time) }
      if name.equals("AltitudeMeters") { return .field(.altitude) }
      if name.equals("Position") { return .position }
      return name.equals("Extensions") ? .extensions : nil
    case .position:
      if name.equals("LatitudeDegrees") { return .field(.latitude) }
      return name.equals("LongitudeDegrees") ? .field(.longitude) : nil
    case .extensions:
      if name.equals("Speed") { return .field(.speed) }
      return name.equals("TPX") ? .extensions : nil
    case .field: return nil
    }
  }

  private mutating func begin(_ level: Level, _ attributes: XMLAttributes) {
    switch level {
    case .activity:
      // A made-up beginning states no sport, and continues the track.
      guard !isResuming else { return }
      title = attributes.withValue(of: "Sport") { String(decoding: $0.prefix(64), as: UTF8.self) }
      activity = attributes.withValue(of: "Sport") { Fix.StatedActivity(word: $0) } ?? nil
      hasPendingTrack = true
    case .track: if !isResuming { hasPendingSegment = true }
    case .point: point = Point()
    case .position: point.hasPosition = true
    case .field: text.begin()
    case .document, .database, .container, .lap, .extensions: break
    }
  }

  mutating func text(_ bytes: UnsafeRawBufferPointer) {
    if !path.isSkipping { text.append(bytes) }
  }

  mutating func elementEnded(at cursor: XMLCursor) -> Bool {
    guard let level = path.end() else { return false }
    switch level {
    case .field(let field):
      text.end()
      if !read(field) { reportProblem(of: field, cursor) }
    case .point: appendPoint(cursor)
    case .activity:
      // The beginning of the next one may be unreadable.
      title = nil
      activity = nil
      hasPendingTrack = true
    case .database: return true
    default: break
    }
    return false
  }

  // MARK: Points

  /// Reads the text of an element; `false` if it can't be read. An empty one is absent.
  private mutating func read(_ field: Field) -> Bool {
    if text.withTrimmed({ $0.isEmpty }) == true { return true }
    if field == .name {
      title = text.string ?? title
      return !text.isTooLong
    }
    if field == .time {
      var offset: Int?
      let time = text.withTrimmed { UTCTime(iso8601: $0, offset: &offset) }
      point.fix.time = time
      point.offset = offset
      point.hasUnreadableTime = time == nil
      point.hasTimeWithoutZone = time != nil && text.withTrimmed { $0.statesTimeWithoutZone } == true
      return time != nil
    }
    guard let number = text.number else { return false }
    switch field {
    case .latitude: point.latitude = number
    case .longitude: point.longitude = number
    case .altitude: point.fix.heightAboveGeoid = number
    case .speed: point.fix.speed = number.ifNotNegative
    case .name, .time: break
    }
    return true
  }

  private mutating func reportProblem(of field: Field, _ cursor: XMLCursor) {
    report(field.problem, at: cursor, field.rule)
    if field == .name { batch.problems.countLeftOutValues() } else { point.problems += 1 }
  }

  /// Counts the problems of the point, so that a refused point is one refusal, and a point that is read is none.
  private mutating func classifyProblems(isRefused: Bool) {
    guard !isRefused, point.fix.time != nil else {
      // The problem of an unreadable time refuses the point; a missing time and a place are counted elsewhere.
      let isCounted = !isRefused && point.hasUnreadableTime
      return batch.problems.countFurtherProblems(point.problems - (isCounted ? 1 : 0))
    }
    batch.problems.countLeftOutValues(point.problems)
  }

  private mutating func appendPoint(_ cursor: XMLCursor) {
    let place = point.latitude.flatMap { latitude in
      point.longitude.flatMap { Coordinate(latitude: latitude, longitude: $0) }
    }
    classifyProblems(isRefused: place == nil)
    guard point.hasPosition else { return batch.skippedElements.count("Trackpoint without a position") }
    guard point.latitude != nil, point.longitude != nil else {
      return report(.missing, at: cursor, "a position without LatitudeDegrees or LongitudeDegrees")
    }
    guard let coordinate = place else {
      return report(.badCoordinate, at: cursor, "a position out of range")
    }
    emitPendingBeginnings()
    point.fix.coordinate = coordinate
    point.fix.activity = activity
    if let offset = point.offset { offsets.state(offset, at: point.fix.time, into: &batch) }
    if point.hasUnreadableTime { batch.unreadableTimes += 1 }
    if point.hasTimeWithoutZone { batch.timesWithoutZone += 1 }
    batch.elements.append(.fix(point.fix))
  }

  private mutating func emitPendingBeginnings() {
    if hasPendingTrack { batch.elements.append(.trackBegan(name: title)) }
    if hasPendingSegment { batch.elements.append(.segmentBegan) }
    hasPendingTrack = false
    hasPendingSegment = false
  }

  // MARK: Resuming after a failure

  mutating func willResume() {
    path = XMLElementPath(document: .document)
    mayResumeAfterRefusal = false
    text.end()
    isResuming = true
  }

  mutating func didResume() { isResuming = false }

  mutating func finish() {}
}
