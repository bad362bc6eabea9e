import WhereaboutsModel
import WhereaboutsGeodesy

/// A reader of the lines of an IGC file.
struct IGCReader {
  /// The reference of GNSS altitudes.
  private enum AltitudeReference { case ellipsoid, geoid, none }

  private var day: CivilDay?
  /// Whether a date was read since the last position.
  private var isNewDay = false
  private var lastTime: TimeOfDay?
  /// Whether a midnight has passed: a position of late evening may then be a late one of the day before.
  private var hasPassedMidnight = false
  private var extensions = IGCExtensions()
  private var altitudeReference = AltitudeReference.ellipsoid
  private var hasTrack = false

  mutating func read(_ line: TextLine, into batch: inout RecordingBatch) {
    guard !line.isTooLong else {
      batch.problems.report(.tooLong, line: line.number, byteOffset: line.offset, "line longer than 1 KiB")
      return
    }
    var line = line
    if line.offset == 0 {
      line = TextLine(
        bytes: line.bytes.withoutByteOrderMark, number: line.number, offset: 0, isTooLong: false)
    }
    switch line.bytes.first {
    case UInt8(ascii: "H"), UInt8(ascii: "h"): readHeader(line, into: &batch)
    case UInt8(ascii: "I"): extensions = IGCExtensions(line.bytes)
    case UInt8(ascii: "B"): readPosition(line, into: &batch)
    default: break
    }
  }

  // MARK: Headers

  private mutating func readHeader(_ line: TextLine, into batch: inout RecordingBatch) {
    let text = String(decoding: line.bytes.prefix(64), as: UTF8.self).uppercased()
    if text.hasPrefix("HFDTE") {
      // Digits alone, after a name, after a colon.
      let digits = text.dropFirst(5).drop { !$0.isNumber }.prefix { $0.isNumber }
      guard let day = Self.day(Array(digits.utf8)) else {
        batch.problems.report(.badTime, line: line.number, byteOffset: line.offset, "HFDTE is no date")
        return
      }
      isNewDay = isNewDay || day != self.day
      self.day = day
    } else if text.hasPrefix("HFALG") {
      if text.contains("GEO") {
        altitudeReference = .geoid
      } else if text.contains("NIL") || text.contains("NKN") {
        altitudeReference = .none
      }
    }
  }

  /// Returns the day of `DDMMYY`.
  private static func day(_ digits: [UInt8]) -> CivilDay? {
    guard digits.count >= 6, digits.allSatisfy({ $0 &- 48 < 10 }) else { return nil }
    func pair(_ index: Int) -> Int { Int(digits[index] - 48) * 10 + Int(digits[index + 1] - 48) }
    let year = pair(4)
    return CivilDay(year: year >= 80 ? 1900 + year : 2000 + year, month: pair(2), day: pair(0))
  }

  // MARK: Positions

  private mutating func readPosition(_ line: TextLine, into batch: inout RecordingBatch) {
    func report(_ kind: InputProblem.Kind, _ rule: StaticString) {
      batch.problems.report(kind, line: line.number, byteOffset: line.offset, rule.description)
    }
    let record = IGCPosition(line.bytes)
    guard let record else { return report(.malformed, "a position is not written as B records are") }
    guard let coordinate = record.coordinate(extensions, in: line.bytes) else {
      return report(.badCoordinate, "a position out of range")
    }
    guard let time = record.time else { return report(.badTime, "a position whose time does not exist") }
    guard let instant = advance(to: time)?.at(time) else {
      return report(.missing, "a position before any date (HFDTE)")
    }
    var fix = Fix(coordinate: coordinate, time: instant, source: .igc)
    fix.mode = record.isValid ? .threeD : .twoD
    if record.isValid {
      switch altitudeReference {
      case .ellipsoid: fix.heightAboveEllipsoid = record.altitude
      case .geoid: fix.heightAboveGeoid = record.altitude
      case .none: break
      }
    }
    extensions.complete(&fix, from: line.bytes)
    if !hasTrack { batch.elements.append(.trackBegan(name: nil)) }
    if !hasTrack { batch.elements.append(.segmentBegan) }
    hasTrack = true
    batch.elements.append(.fix(fix))
  }

  /// The step forward that means the day before, 23 hours in nanoseconds: a late position just after midnight.
  private static let previousDayThreshold: Int64 = 82_800_000_000_000

  /// Moves to the day of a time, and returns it; `nil` before any date.
  private mutating func advance(to time: TimeOfDay) -> CivilDay? {
    guard let day else { return nil }
    let elapsed = lastTime.map { time.nanoseconds - $0.nanoseconds } ?? 0
    if hasPassedMidnight, !isNewDay, elapsed > Self.previousDayThreshold {
      return CivilDay(daysSince1970: day.daysSince1970 - 1)
    }
    defer {
      lastTime = time
      isNewDay = false
    }
    guard elapsed < -TimeOfDay.halfDay else { return day }
    hasPassedMidnight = true
    if isNewDay { return day }
    let next = CivilDay(daysSince1970: day.daysSince1970 + 1)
    self.day = next
    return next
  }
}
