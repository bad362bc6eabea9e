import WhereaboutsModel
import WhereaboutsGeodesy

/// A point of a GPX document while its elements are read.
struct GPXPoint {
  /// The kinds of points.
  enum Kind { case waypoint, routePoint, trackPoint }

  let kind: Kind
  /// The values known so far, also of points that are no fixes.
  private(set) var fix: Fix
  private(set) var name: String?
  /// The minutes ahead of UTC that the time states.
  private(set) var offset: Int?
  private var geoidHeight: Double?
  /// The course by the name that counts less.
  private var bearing: Double?
  private var isTimeUnreadable = false
  /// Whether the time of the point has no zone.
  private(set) var isTimeWithoutZone = false
  /// Whether the point is a fix without a time, because the time could not be read.
  var isFixWithUnreadableTime: Bool { kind == .trackPoint && isTimeUnreadable && fix.time == nil }
  /// Whether the point is a waypoint or a route point without a time, because the time could not be read.
  var isWaypointWithUnreadableTime: Bool { kind != .trackPoint && isTimeUnreadable && fix.time == nil }

  /// - Parameter activity: the activity of the track.
  init(kind: Kind, coordinate: Coordinate, activity: Fix.StatedActivity?) {
    self.kind = kind
    fix = Fix(coordinate: coordinate, time: nil, source: .gpx)
    fix.activity = activity
  }

  /// Returns whether anything of the point remembers such an element.
  func supports(_ field: GPXField) -> Bool {
    switch field {
    case .elevation, .time: true
    case .name: kind != .trackPoint
    default: kind == .trackPoint
    }
  }

  mutating func setName(_ name: String?) { self.name = name }

  /// Sets a value from an element's text; returns the problem, or `nil` if the text is valid.
  mutating func set(_ field: GPXField, to text: UnsafeRawBufferPointer) -> InputProblem.Kind? {
    guard !text.isEmpty else { return nil }
    switch field {
    case .name:
      name = String(decoding: text, as: UTF8.self)
    case .time:
      guard let time = UTCTime(iso8601: text, offset: &offset) else {
        isTimeUnreadable = true
        return .badTime
      }
      fix.time = time
      isTimeWithoutZone = kind == .trackPoint && text.statesTimeWithoutZone
    case .fix:
      return setMode(text) ? nil : .malformed
    default:
      let limit = field == .course || field == .bearing ? 360 : Double.infinity
      guard let number = Decimal.parse(text), number <= limit else { return .badNumber }
      set(field, to: number)
    }
    return nil
  }

  private mutating func set(_ field: GPXField, to number: Double) {
    switch field {
    case .elevation: fix.heightAboveGeoid = number
    case .geoidHeight: geoidHeight = number
    case .satellites: fix.satellitesUsed = UInt8(exactly: number)
    case .horizontalDilution: fix.horizontalDilution = dilution(number)
    case .verticalDilution: fix.verticalDilution = dilution(number)
    case .positionDilution: fix.positionDilution = dilution(number)
    // Phones write a negative number for an unknown value.
    case .speed: if number >= 0 { fix.speed = number }
    case .course: if number >= 0 { fix.course = number.wrappedDegrees }
    case .bearing: if number >= 0 { bearing = number.wrappedDegrees }
    case .horizontalAccuracy: if number >= 0 { fix.horizontalAccuracy = number }
    case .positiveAccuracy: if number > 0 { fix.horizontalAccuracy = number }
    case .verticalAccuracy: if number >= 0 { fix.verticalAccuracy = number }
    case .speedAccuracy: if number >= 0 { fix.speedAccuracy = number }
    case .courseAccuracy: if number >= 0 { fix.courseAccuracy = number }
    case .name, .time, .fix: break
    }
  }

  private func dilution(_ number: Double) -> Float? {
    let dilution = Float(number)
    return dilution > 0 && dilution.isFinite ? dilution : nil
  }

  private mutating func setMode(_ text: UnsafeRawBufferPointer) -> Bool {
    if text.equals("3d") {
      fix.mode = .threeD
    } else if text.equals("2d") {
      fix.mode = .twoD
    } else if text.equals("dgps") {
      fix.solution = .differential
    } else if text.equals("pps") {
      fix.solution = .precise
    } else {
      return text.equals("none")
    }
    return true
  }

  /// The point as a place; call ``complete()`` before.
  var waypoint: Waypoint {
    Waypoint(
      coordinate: fix.coordinate, name: name, heightAboveGeoid: fix.heightAboveGeoid, time: fix.time)
  }

  /// Derives the values that follow from others, now that all of the point is known.
  ///
  /// In place: a fix is some hundred bytes, and each copy of it shows in the time that a document takes.
  mutating func complete() {
    // A corrected solution has a height of its own unless the receiver gave none.
    if fix.mode == nil, fix.solution != nil, fix.heightAboveGeoid != nil { fix.mode = .threeD }
    fix.course = fix.course ?? bearing
    if let geoidHeight, let height = fix.heightAboveGeoid {
      // To 0.1 mm: the sum of two decimals has more digits than are significant.
      fix.heightAboveEllipsoid = ((height + geoidHeight) * 10_000).rounded() / 10_000
    }
    if fix.horizontalAccuracy == nil, fix.verticalAccuracy == nil {
      fix.horizontalAccuracy = fix.horizontalDilution.flatMap(RangingError.accuracy)
      fix.verticalAccuracy = fix.verticalDilution.flatMap(RangingError.accuracy)
      fix.isAccuracyEstimated = fix.horizontalAccuracy != nil || fix.verticalAccuracy != nil
    }
  }
}
