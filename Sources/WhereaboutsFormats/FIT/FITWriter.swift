import WhereaboutsModel
import WhereaboutsGeodesy

/// A writer of FIT courses, for watches and bicycle computers.
///
/// A FIT file is one course, so each track is a file of its own, and several tracks are files in a row, as the format
/// allows; devices read the first. Waypoints become course points of the next track. ``FITDecoder`` reads all of that
/// back.
///
/// - **Memory**: the header states the length, so a track is held until it ends, 23 bytes a fix.
/// - **Times** are whole seconds; a fix without a time is left out, since a record needs one. Times outside 1998 to
///   2126 are left out too.
/// - **Places** are rounded to 2⁻³¹ of half a turn (9 mm), heights above the geoid to 0.2 m, speeds to mm/s, accuracies
///   to metres up to 254 m. Each record states the distance along the fixes before it.
/// - **Segments** are pauses of the timer. An estimated accuracy is written like a stated one.
///
/// Left out are routes, headings, satellites, names of devices, visits, and of a fix all values that are not named
/// above. ``omissions`` counts them.
///
/// - Source: the FIT protocol and its course files (https://developer.garmin.com/fit/file-types/course/).
public struct FITWriter: RecordingWriter, Sendable {
  private var course: FITCourse?
  private var waypoints: [FITCoursePoint] = []
  private var numbering = SegmentNumbering()
  private var hasFile = false
  private var counted = Omissions()

  /// The values and elements left out so far.
  public var omissions: Omissions { counted.adding(numbering) }

  /// Creates a writer at the beginning of a file.
  public init() {}

  /// Takes an element, and appends the file of the track that it ends.
  public mutating func write(_ element: RecordingElement, to bytes: inout [UInt8]) {
    switch element {
    case .fix(let fix): add(fix)
    case .trackBegan(let name):
      endCourse(&bytes)
      numbering.beginTrack(name: name)
    case .segmentBegan:
      course?.endSegment()
      numbering.beginSegment()
    case .waypoint(let place): waypoints.append(FITCoursePoint(place))
    case .routeBegan, .routePoint, .heading, .satellites, .deviceBegan, .visit, .offset:
      counted.count(element)
    }
  }

  /// Appends the file of the last track.
  public mutating func finish(to bytes: inout [UInt8]) {
    endCourse(&bytes)
    numbering.end()
    counted.count(.waypoint, waypoints.count)
    waypoints = []
    // A recording without a track is a file without records.
    if !hasFile { FITCourse.appendEmptyFile(to: &bytes) }
    hasFile = true
  }

  private mutating func add(_ fix: Fix) {
    guard let instant = fix.time, let time = FITTime(instant) else { return counted.count(.untimedFix) }
    if instant.nanosecondsSince1970 % 1_000_000_000 != 0 { counted.count(.timeFraction) }
    var fix = fix
    counted.removeImpossibleValues(of: &fix)
    if let accuracy = fix.horizontalAccuracy, !FITCourse.canState(accuracy: accuracy) {
      counted.count(.horizontalAccuracy)
      fix.horizontalAccuracy = nil
    }
    if course == nil { course = FITCourse(name: numbering.unwrittenName) }
    course?.add(fix, at: time)
    numbering.didWriteFix()
    counted.count(valuesBesidesTrackOf: fix)
    if fix.course != nil { counted.count(.course) }
  }

  private mutating func endCourse(_ bytes: inout [UInt8]) {
    guard let course else { return }
    course.appendFile(with: waypoints, to: &bytes)
    waypoints = []
    hasFile = true
    self.course = nil
  }
}

/// An instant in whole seconds since 1989-12-31T00:00:00Z.
struct FITTime: Comparable {
  let seconds: UInt32

  /// Creates the second nearest to an instant; `nil` if the format has no such time, or means one from power-on.
  init?(_ time: UTCTime) {
    let rounded = (Double(time.nanosecondsSince1970) / 1e9).rounded() - 631_065_600
    guard rounded >= 0x1000_0000, rounded < 0xFFFF_FFFF else { return nil }
    seconds = UInt32(rounded)
  }

  static func < (left: FITTime, right: FITTime) -> Bool { left.seconds < right.seconds }
}

/// A waypoint that waits for its course.
struct FITCoursePoint {
  let coordinate: Coordinate
  let name: String?

  init(_ place: Waypoint) {
    coordinate = place.coordinate
    name = place.name
  }
}
