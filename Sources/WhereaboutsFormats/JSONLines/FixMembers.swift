import WhereaboutsCore
import WhereaboutsGeodesy

/// The members of a fix's JSON object as they come, and the first of them that can't be taken.
struct FixMembers {
  /// Why an object is no fix.
  struct Refusal {
    let kind: InputProblem.Kind
    let rule: StaticString
    /// The byte of the line where it stands.
    let position: Int
  }

  private var latitude: Double?
  private var longitude: Double?
  // The place is put in last; until then the equator stands for it.
  private var parts = Fix(
    coordinate: Coordinate(uncheckedLatitude: 0, longitude: 0), time: nil, source: .jsonLines)
  private var firstRefusal: Refusal?
  /// One bit for each member met.
  private var seen: UInt32 = 0

  /// The fix, or `nil` where ``refusal`` says why not.
  var fix: Fix? {
    guard firstRefusal == nil, let latitude, let longitude,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    var fix = parts
    fix.coordinate = coordinate
    return fix
  }

  /// Why there is no fix.
  var refusal: Refusal? {
    if let firstRefusal { return firstRefusal }
    guard let latitude, let longitude else {
      return Refusal(kind: .missing, rule: "no lat or no lon", position: 0)
    }
    guard Coordinate(latitude: latitude, longitude: longitude) == nil else { return nil }
    return Refusal(kind: .badCoordinate, rule: "lat or lon out of range", position: 0)
  }

  /// Sets a member to a number; `nil` is one that no `Double` holds.
  mutating func set(_ key: Fix.CodingKeys, number: Double?, at position: Int) {
    guard let number, take(number, for: key) else { return refuse(key, at: position) }
  }

  private mutating func take(_ number: Double, for key: Fix.CodingKeys) -> Bool {
    switch key {
    case .latitude: latitude = number
    case .longitude: longitude = number
    case .horizontalAccuracy: parts.horizontalAccuracy = number
    case .verticalAccuracy: parts.verticalAccuracy = number
    case .heightAboveGeoid: parts.heightAboveGeoid = number
    case .heightAboveEllipsoid: parts.heightAboveEllipsoid = number
    case .speed: parts.speed = number
    case .speedAccuracy: parts.speedAccuracy = number
    case .course: parts.course = number
    case .courseAccuracy: parts.courseAccuracy = number
    case .climb: parts.climb = number
    case .mode:
      guard let code = UInt8(exactly: number), let mode = FixMode(rawValue: code) else { return false }
      parts.mode = mode
    case .satellitesUsed:
      guard let count = UInt8(exactly: number) else { return false }
      parts.satellitesUsed = count
    case .satellitesInView:
      guard let count = UInt8(exactly: number) else { return false }
      parts.satellitesInView = count
    case .horizontalDilution, .verticalDilution, .positionDilution:
      let dilution = Float(number)
      guard dilution.isFinite else { return false }
      set(key, dilution: dilution)
    case .time, .isAccuracyEstimated, .solution, .source, .isSimulated: return false
    }
    return true
  }

  private mutating func set(_ key: Fix.CodingKeys, dilution: Float) {
    switch key {
    case .horizontalDilution: parts.horizontalDilution = dilution
    case .verticalDilution: parts.verticalDilution = dilution
    default: parts.positionDilution = dilution
    }
  }

  /// Sets a member to text.
  mutating func set(_ key: Fix.CodingKeys, text: UnsafeRawBufferPointer, at position: Int) {
    switch key {
    case .time:
      guard let time = UTCTime(iso8601: text) else { return refuse(key, at: position) }
      parts.time = time
    case .source:
      guard let source = SourceKind(jsonText: text) else {
        return refuse(key, at: position)
      }
      parts.source = source
    case .solution:
      guard let solution = SolutionKind(jsonText: text) else {
        return refuse(key, at: position)
      }
      parts.solution = solution
    default: refuse(key, at: position)
    }
  }

  /// Sets a member to true or false.
  mutating func set(_ key: Fix.CodingKeys, flag: Bool, at position: Int) {
    switch key {
    case .isAccuracyEstimated: parts.isAccuracyEstimated = flag
    case .isSimulated: parts.isSimulated = flag
    default: refuse(key, at: position)
    }
  }

  /// Notes that a member has a value it can't have.
  mutating func refuse(_ key: Fix.CodingKeys, at position: Int) {
    guard firstRefusal == nil else { return }
    firstRefusal =
      switch key {
      case .time: Refusal(kind: .badTime, rule: "time is no RFC 3339 time", position: position)
      case .source, .solution:
        Refusal(kind: .malformed, rule: "source or status is not a known text", position: position)
      case .isAccuracyEstimated, .isSimulated:
        Refusal(
          kind: .malformed, rule: "estimated or simulated is neither true nor false", position: position)
      default: Refusal(kind: .badNumber, rule: "a member is not a number in its range", position: position)
      }
  }

  /// Whether this is the first member of that name; only the first counts.
  mutating func isFirst(_ key: Fix.CodingKeys) -> Bool {
    let bit = UInt32(1) << key.ordinal
    defer { seen |= bit }
    return seen & bit == 0
  }
}

extension Fix.CodingKeys {
  fileprivate var ordinal: UInt32 {
    switch self {
    case .time: 0
    case .latitude: 1
    case .longitude: 2
    case .horizontalAccuracy: 3
    case .verticalAccuracy: 4
    case .isAccuracyEstimated: 5
    case .heightAboveGeoid: 6
    case .heightAboveEllipsoid: 7
    case .speed: 8
    case .speedAccuracy: 9
    case .course: 10
    case .courseAccuracy: 11
    case .climb: 12
    case .mode: 13
    case .solution: 14
    case .satellitesUsed: 15
    case .satellitesInView: 16
    case .horizontalDilution: 17
    case .verticalDilution: 18
    case .positionDilution: 19
    case .source: 20
    case .isSimulated: 21
    }
  }
}
