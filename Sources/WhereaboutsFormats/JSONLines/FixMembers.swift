import WhereaboutsModel
import WhereaboutsGeodesy

/// The members of a fix's JSON object read so far, and the first invalid one.
struct FixMembers {
  /// The reason why an object is no fix.
  struct MemberProblem {
    let kind: InputProblem.Kind
    let rule: StaticString
    /// The offset in the line.
    let position: Int
  }

  private var latitude: Double?
  private var longitude: Double?
  // The place is put in last; until then the equator stands for it.
  private var partialFix = Fix(
    coordinate: Coordinate(uncheckedLatitude: 0, longitude: 0), time: nil, source: .jsonLines)
  private var firstProblem: MemberProblem?
  /// The members seen so far, one bit for each.
  private var seenKeys: UInt32 = 0

  /// The fix, or `nil` if ``problem`` states the reason.
  var fix: Fix? {
    guard firstProblem == nil, let latitude, let longitude,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    var fix = partialFix
    fix.coordinate = coordinate
    return fix
  }

  /// The reason why there is no fix.
  var problem: MemberProblem? {
    if let firstProblem { return firstProblem }
    guard let latitude, let longitude else {
      return MemberProblem(kind: .missing, rule: "no lat or no lon", position: 0)
    }
    guard Coordinate(latitude: latitude, longitude: longitude) == nil else { return nil }
    return MemberProblem(kind: .badCoordinate, rule: "lat or lon out of range", position: 0)
  }

  /// Sets a member to a number; `nil` is one that no `Double` holds.
  mutating func set(_ key: Fix.CodingKeys, number: Double?, at position: Int) {
    guard let number, setNumber(number, for: key) else { return recordProblem(key, at: position) }
  }

  private mutating func setNumber(_ number: Double, for key: Fix.CodingKeys) -> Bool {
    switch key {
    case .latitude: latitude = number
    case .longitude: longitude = number
    case .horizontalAccuracy: partialFix.horizontalAccuracy = number
    case .verticalAccuracy: partialFix.verticalAccuracy = number
    case .heightAboveGeoid: partialFix.heightAboveGeoid = number
    case .heightAboveEllipsoid: partialFix.heightAboveEllipsoid = number
    case .speed: partialFix.speed = number
    case .speedAccuracy: partialFix.speedAccuracy = number
    case .course: partialFix.course = number
    case .courseAccuracy: partialFix.courseAccuracy = number
    case .climb: partialFix.climb = number
    case .mode:
      guard let code = UInt8(exactly: number), let mode = FixMode(rawValue: code) else { return false }
      partialFix.mode = mode
    case .satellitesUsed:
      guard let count = UInt8(exactly: number) else { return false }
      partialFix.satellitesUsed = count
    case .satellitesInView:
      guard let count = UInt8(exactly: number) else { return false }
      partialFix.satellitesInView = count
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
    case .horizontalDilution: partialFix.horizontalDilution = dilution
    case .verticalDilution: partialFix.verticalDilution = dilution
    default: partialFix.positionDilution = dilution
    }
  }

  /// Sets a member to text.
  mutating func set(_ key: Fix.CodingKeys, text: UnsafeRawBufferPointer, at position: Int) {
    switch key {
    case .time:
      guard let time = UTCTime(iso8601: text) else { return recordProblem(key, at: position) }
      partialFix.time = time
    case .source:
      guard let source = SourceKind(jsonText: text) else {
        return recordProblem(key, at: position)
      }
      partialFix.source = source
    case .solution:
      guard let solution = SolutionKind(jsonText: text) else {
        return recordProblem(key, at: position)
      }
      partialFix.solution = solution
    default: recordProblem(key, at: position)
    }
  }

  /// Sets a member to true or false.
  mutating func set(_ key: Fix.CodingKeys, flag: Bool, at position: Int) {
    switch key {
    case .isAccuracyEstimated: partialFix.isAccuracyEstimated = flag
    case .isSimulated: partialFix.isSimulated = flag
    default: recordProblem(key, at: position)
    }
  }

  /// Records that a member has an invalid value.
  mutating func recordProblem(_ key: Fix.CodingKeys, at position: Int) {
    guard firstProblem == nil else { return }
    firstProblem =
      switch key {
      case .time: MemberProblem(kind: .badTime, rule: "time is no RFC 3339 time", position: position)
      case .source, .solution:
        MemberProblem(kind: .malformed, rule: "source or status is not a known text", position: position)
      case .isAccuracyEstimated, .isSimulated:
        MemberProblem(
          kind: .malformed, rule: "estimated or simulated is neither true nor false", position: position)
      default:
        MemberProblem(kind: .badNumber, rule: "a member is not a number in its range", position: position)
      }
  }

  /// Whether this is the first member of that name; only the first counts.
  mutating func isFirst(_ key: Fix.CodingKeys) -> Bool {
    let bit = UInt32(1) << key.ordinal
    defer { seenKeys |= bit }
    return seenKeys & bit == 0
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
