import WhereaboutsModel
import WhereaboutsGeodesy

/// A reader of the messages of FIT files.
struct FITReader {
  /// The beginning of FIT's times, 1989-12-31T00:00:00Z, in seconds since 1970.
  private static let epoch: Int64 = 631_065_600
  /// Times below this count from power-on.
  private static let firstAbsoluteTime: Int64 = 0x1000_0000

  private var created: Int64?
  /// The last full time of any message.
  private var lastTime: Int64?
  private var device: Int64?
  private var hasTrack = false
  private var hasSegment = false
  private var trackName: String?
  /// The activity of the file's last `sport` message.
  private var activity: Fix.StatedActivity?
  /// The time of the file's first fix.
  private var firstTime: UTCTime?
  private var offsets = OffsetStatements()
  /// The elements that wait for a session, which states its sport after its records: 36 hours with a record a second.
  private var waiting = ActivityBuffer(capacity: 32_768)

  /// Begins a file of a row.
  mutating func beginFile(into batch: inout RecordingBatch) {
    endFile(into: &batch)
    created = nil
    lastTime = nil
    hasTrack = false
    hasSegment = false
    trackName = nil
    activity = nil
    firstTime = nil
  }

  /// Ends a file: no session follows.
  mutating func endFile(into batch: inout RecordingBatch) { waiting.release(into: &batch) }

  /// Reads a message.
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - compressedTime: the offset in seconds that the message's header states, of 5 bits.
  ///   - offset: the message's offset in the input.
  mutating func read(
    _ message: FITMessage, compressedTime: UInt8?, at offset: Int, into batch: inout RecordingBatch
  ) {
    let time = fullTime(of: message, compressedTime)
    let count = batch.elements.count
    defer { waiting.hold(from: count, in: &batch) }
    switch message.definition.global {
    case 0: readFileID(message, into: &batch)
    case 12: activity = message.integer(0).flatMap(Fix.StatedActivity.init(fitSport:))
    case 18: readSession(message, until: instant(time))
    case 20: readRecord(message, at: time, offset, into: &batch)
    case 21: readEvent(message)
    case 31: trackName = message.text(5) ?? trackName
    case 32: readCoursePoint(message, at: time, offset, into: &batch)
    case 34: readActivity(message, at: time, into: &batch)
    case 160: readCameraPosition(message, at: time, offset, into: &batch)
    default: break
    }
  }

  private mutating func fullTime(of message: FITMessage, _ compressed: UInt8?) -> Int64? {
    if let full = message.seconds(253) {
      lastTime = full
      return full
    }
    guard let compressed, let last = lastTime else { return nil }
    let offset = Int64(compressed)
    let time = (last & ~31) + offset + (offset < last & 31 ? 32 : 0)
    lastTime = time
    return time
  }

  /// Returns the instant of a time of the file; `nil` for one from power-on in a file without a time of creation.
  private func instant(_ time: Int64?, milliseconds: Int64 = 0) -> UTCTime? {
    guard var time else { return nil }
    if time < Self.firstAbsoluteTime {
      guard let created else { return nil }
      time += created
    }
    return UTCTime(nanosecondsSince1970: (time + Self.epoch) * 1_000_000_000 + milliseconds * 1_000_000)
  }

  // MARK: Messages

  private mutating func readFileID(_ message: FITMessage, into batch: inout RecordingBatch) {
    if let time = message.seconds(4), time >= Self.firstAbsoluteTime { created = time }
    guard let serial = message.integer(3), serial != 0, serial != device else { return }
    device = serial
    batch.elements.append(.deviceBegan(name: String(serial)))
  }

  /// Reads an event. A stopped timer ends a segment: the way between is not recorded.
  private mutating func readEvent(_ message: FITMessage) {
    guard message.integer(0) == 0, let type = message.integer(1) else { return }
    // Stop, stop all, and the two forms that disable.
    if [1, 4, 8, 9].contains(type) { hasSegment = false }
  }

  /// Reads a session, whose sport is that of its waiting fixes without an activity.
  private mutating func readSession(_ message: FITMessage, until end: UTCTime?) {
    guard let sport = message.integer(5).flatMap(Fix.StatedActivity.init(fitSport:)) else { return }
    waiting.state(sport, from: instant(message.seconds(2)), until: end)
  }

  /// Reads the activity, which states the local time of its end. The file's fixes came before it.
  private mutating func readActivity(
    _ message: FITMessage, at time: Int64?, into batch: inout RecordingBatch
  ) {
    guard let time, let local = message.seconds(5), min(time, local) >= Self.firstAbsoluteTime,
      (local - time) % 60 == 0, UTCTime.isClockOffset(minutes: Int((local - time) / 60))
    else { return }
    offsets.state(Int((local - time) / 60), at: firstTime ?? instant(time), into: &batch)
  }

  private mutating func readRecord(
    _ message: FITMessage, at time: Int64?, _ offset: Int, into batch: inout RecordingBatch
  ) {
    guard let coordinate = coordinate(message, 0, 1, offset, into: &batch) else { return }
    var fix = Fix(coordinate: coordinate, time: instant(time), source: .fit)
    fix.heightAboveGeoid =
      message.number(78, scale: 5, offset: 500) ?? message.number(2, scale: 5, offset: 500)
    fix.speed = message.number(73, scale: 1000) ?? message.number(6, scale: 1000) ?? compressedSpeed(message)
    fix.speed = fix.speed?.ifNotNegative
    fix.horizontalAccuracy = message.number(31)?.ifPositive
    fix.climb = message.number(32, scale: 1000)
    fix.activity = message.integer(42).flatMap(Fix.StatedActivity.init(fitActivityType:)) ?? activity
    append(fix, offset, into: &batch)
  }

  /// Returns the speed in the lower 12 of 24 bits, in hundredths of m/s.
  private func compressedSpeed(_ message: FITMessage) -> Double? {
    guard let bytes = message.raw(8), bytes.count >= 2 else { return nil }
    return Double(Int(bytes[0]) | Int(bytes[1] & 0x0F) << 8) / 100
  }

  private mutating func readCameraPosition(
    _ message: FITMessage, at time: Int64?, _ offset: Int, into batch: inout RecordingBatch
  ) {
    guard let coordinate = coordinate(message, 1, 2, offset, into: &batch) else { return }
    let utc = message.seconds(6).flatMap { $0 >= Self.firstAbsoluteTime ? instant($0) : nil }
    let own = instant(
      time, milliseconds: message.integer(0).flatMap { (0..<1000).contains($0) ? $0 : nil } ?? 0)
    var fix = Fix(coordinate: coordinate, time: utc ?? own, source: .fit)
    fix.heightAboveGeoid = message.number(3, scale: 5, offset: 500)
    fix.speed = message.number(4, scale: 1000)?.ifNotNegative
    append(fix, offset, into: &batch)
  }

  private mutating func readCoursePoint(
    _ message: FITMessage, at time: Int64?, _ offset: Int, into batch: inout RecordingBatch
  ) {
    guard let coordinate = coordinate(message, 2, 3, offset, into: &batch) else { return }
    batch.elements.append(.waypoint(Waypoint(coordinate: coordinate, name: message.text(6))))
  }

  private func coordinate(
    _ message: FITMessage, _ latitudeField: UInt8, _ longitudeField: UInt8, _ offset: Int,
    into batch: inout RecordingBatch
  ) -> Coordinate? {
    // Semicircles: half a turn is 2³¹.
    let scale = 2_147_483_648.0 / 180
    let latitude = message.number(latitudeField, scale: scale)
    let longitude = message.number(longitudeField, scale: scale)
    guard let latitude, let longitude else {
      batch.skippedElements.count("record without a position")
      return nil
    }
    // A semicircle is 84 billionths of a degree.
    func rounded(_ degrees: Double) -> Double { (degrees * 1e9).rounded() / 1e9 }
    guard let coordinate = Coordinate(latitude: rounded(latitude), longitude: rounded(longitude)) else {
      batch.problems.report(.badCoordinate, line: 1, byteOffset: offset, "a position is no place")
      return nil
    }
    return coordinate
  }

  private mutating func append(_ fix: Fix, _ offset: Int, into batch: inout RecordingBatch) {
    if fix.time == nil {
      batch.problems.report(.badTime, line: 1, byteOffset: offset, "a record without a usable time")
      batch.unreadableTimes += 1
    }
    if !hasTrack { batch.elements.append(.trackBegan(name: trackName)) }
    if !hasSegment { batch.elements.append(.segmentBegan) }
    hasTrack = true
    hasSegment = true
    firstTime = firstTime ?? fix.time
    batch.elements.append(.fix(fix))
  }
}

extension Fix.StatedActivity {
  /// Creates the activity of a number of FIT's type `sport`; `nil` for any other sport.
  fileprivate init?(fitSport sport: Int64) {
    switch sport {
    case 1: self = .running
    // By bicycle, with or without a motor.
    case 2, 21: self = .cycling
    // Walking and hiking.
    case 11, 17: self = .walking
    // Rowing, paddling, boating, sailing and kayaking.
    case 15, 19, 23, 32, 41: self = .boating
    case 20: self = .flying
    // Motorcycling and driving.
    case 22, 24: self = .driving
    default: return nil
    }
  }

  /// Creates the activity of a number of FIT's type `activity_type`; `nil` for any other one.
  fileprivate init?(fitActivityType type: Int64) {
    switch type {
    case 1: self = .running
    case 2: self = .cycling
    case 6: self = .walking
    case 8: self = .still
    default: return nil
    }
  }
}
