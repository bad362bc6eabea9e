import WhereaboutsModel
import WhereaboutsGeodesy

/// A fix that is partly read from a JSON object, with the first invalid member.
struct PartialFix {
  /// The reason why an object is no fix.
  struct MemberProblem {
    let kind: InputProblem.Kind
    let rule: StaticString
    /// The offset in the line.
    let position: Int
  }

  private var latitude: Double?
  private var longitude: Double?
  // The place is set last; until then the equator is the placeholder.
  private var partialFix = Fix(
    coordinate: Coordinate(uncheckedLatitude: 0, longitude: 0), time: nil, source: .jsonLines)
  /// The minutes ahead of UTC that the time states.
  private(set) var offset: Int?
  /// Whether the text of the time states no zone, so that it may be a local time.
  private(set) var isTimeWithoutZone = false
  private var firstProblem: MemberProblem?
  /// The members seen so far, one bit for each.
  private var seenMembers: UInt64 = 0

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
  mutating func set(_ property: FixProperty, number: Double?, at position: Int) {
    guard let number, setNumber(number, for: property) else { return recordProblem(property, at: position) }
  }

  private mutating func setNumber(_ number: Double, for property: FixProperty) -> Bool {
    switch property {
    case .latitude: latitude = number
    case .longitude: longitude = number
    case .double(let offset): offset.set(number, in: &partialFix)
    case .float(let offset):
      let value = Float(number)
      guard value.isFinite else { return false }
      offset.set(value, in: &partialFix)
    case .count(let offset):
      guard let count = UInt8(exactly: number) else { return false }
      offset.set(count, in: &partialFix)
    case .whole(let offset):
      guard let whole = Int16(exactly: number) else { return false }
      offset.set(whole, in: &partialFix)
    case .mode:
      guard let code = UInt8(exactly: number), let mode = Fix.Mode(rawValue: code) else { return false }
      partialFix.mode = mode
    case .time, .solution, .activity, .source, .flag: return false
    }
    return true
  }

  /// Sets a member to text.
  mutating func set(_ property: FixProperty, text: UnsafeRawBufferPointer, at position: Int) {
    switch property {
    case .time:
      guard let time = UTCTime(iso8601: text, offset: &offset) else {
        return recordProblem(property, at: position)
      }
      partialFix.time = time
      isTimeWithoutZone = text.statesTimeWithoutZone
    case .source:
      guard let source = Fix.SourceKind(jsonText: text) else { return recordProblem(property, at: position) }
      partialFix.source = source
    case .solution:
      guard let solution = Fix.SolutionKind(jsonText: text) else {
        return recordProblem(property, at: position)
      }
      partialFix.solution = solution
    case .activity: partialFix.activity = Fix.StatedActivity(jsonText: text)
    default: recordProblem(property, at: position)
    }
  }

  /// Sets a member to true or false.
  mutating func set(_ property: FixProperty, flag: Bool, at position: Int) {
    guard case .flag(let offset) = property else { return recordProblem(property, at: position) }
    offset.set(flag, in: &partialFix)
  }

  /// Records that a member has an invalid value.
  mutating func recordProblem(_ property: FixProperty, at position: Int) {
    guard firstProblem == nil else { return }
    // Other programs have members of this name, too, with words and forms of their own.
    if case .activity = property { return }
    firstProblem =
      switch property {
      case .time: MemberProblem(kind: .badTime, rule: "time is no RFC 3339 time", position: position)
      case .source, .solution:
        MemberProblem(kind: .malformed, rule: "source or status is not a known text", position: position)
      case .flag:
        MemberProblem(
          kind: .malformed, rule: "estimated or simulated is neither true nor false", position: position)
      default:
        MemberProblem(kind: .badNumber, rule: "a member is not a number in its range", position: position)
      }
  }

  /// Returns whether this is the first member at that position of ``FixMember/all``; of two with one name the first
  /// counts.
  mutating func isFirst(_ index: Int) -> Bool {
    let bit = UInt64(1) << UInt64(index)
    defer { seenMembers |= bit }
    return seenMembers & bit == 0
  }
}
