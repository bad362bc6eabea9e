import WhereaboutsModel

/// The values and elements that a format has no place for, counted while a recording is written.
public struct Omissions: Hashable, Sendable {
  /// A kind of element, or a value of a fix.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A named place.
    case waypoint
    /// A route.
    case route
    /// A point of a route.
    case routePoint
    /// A track without a fix.
    case emptyTrack
    /// A segment without a fix.
    case emptySegment
    /// A heading.
    case heading
    /// A list of satellites in view.
    case satellites
    /// All values of a fix but its place, time, heights, floor and activity: its speed, course, accuracies, mode,
    /// satellites and dilutions.
    case fixDetails
    /// The rate of climb of a fix.
    case climb
    /// The number of satellites in view of a fix.
    case satellitesInView
    /// The floor of a fix.
    case floor
    /// The stated activity of a fix.
    case activity
    /// The solution of a fix, if the format has no word for it, or none beside the word for the mode.
    case solution
    /// The height of a fix above the ellipsoid.
    case ellipsoidalHeight
    /// The height of a fix above the geoid.
    case geoidalHeight
    /// An estimated accuracy whose dilution of precision is unknown.
    case estimatedAccuracy
    /// The mark of an estimated accuracy that is written like a stated one.
    case estimationMark
    /// The mark of a simulated fix.
    case simulation
    /// The name of the device of the following elements.
    case device
    /// A stay at a place.
    case visit
    /// A fix without a time, or with one that the format can't state.
    case untimedFix
    /// The fraction of a second of a fix's time.
    case timeFraction
    /// The horizontal accuracy of a fix, if it is past the format's range.
    case horizontalAccuracy
    /// The vertical accuracy of a fix.
    case verticalAccuracy
    /// The accuracies of the speed and the course of a fix.
    case motionAccuracies
    /// The course of a fix.
    case course
    /// The mode of a fix: two or three dimensions.
    case mode
    /// The number of satellites that the solution of a fix used.
    case satellitesUsed
    /// The dilutions of precision of a fix.
    case dilutions
    /// A value of a fix that is impossible and means "unknown", as a negative accuracy. No writer writes it.
    case impossibleValue
  }

  private var counts = [Int](repeating: 0, count: Kind.allCases.count)

  /// Creates an empty count.
  public init() {}

  /// The number of omissions of a kind.
  public subscript(kind: Kind) -> Int { counts[kind.index] }

  /// Whether nothing was left out.
  public var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }

  mutating func count(_ kind: Kind, _ number: Int = 1) { counts[kind.index] += number }

  /// Counts an element unless it is a fix, track, segment or offset.
  mutating func count(_ element: RecordingElement) {
    switch element {
    case .waypoint: count(.waypoint)
    case .routeBegan: count(.route)
    case .routePoint: count(.routePoint)
    case .heading: count(.heading)
    case .satellites: count(.satellites)
    case .deviceBegan(let name): if name != nil { count(.device) }
    case .visit: count(.visit)
    // The writers write times in UTC.
    case .fix, .trackBegan, .segmentBegan, .offset: break
    }
  }

  /// Counts a fix's values that neither KML nor FIT states.
  mutating func count(valuesBesidesTrackOf fix: Fix) {
    if fix.climb != nil { count(.climb) }
    if fix.floor != nil { count(.floor) }
    if fix.activity != nil { count(.activity) }
    if fix.isSimulated { count(.simulation) }
    if fix.isAccuracyEstimated, fix.horizontalAccuracy != nil { count(.estimationMark) }
    if fix.heightAboveEllipsoid != nil { count(.ellipsoidalHeight) }
    if fix.verticalAccuracy != nil { count(.verticalAccuracy) }
    if fix.speedAccuracy != nil || fix.courseAccuracy != nil { count(.motionAccuracies) }
    if fix.mode != nil { count(.mode) }
    if fix.solution != nil { count(.solution) }
    if fix.satellitesUsed != nil { count(.satellitesUsed) }
    if fix.satellitesInView != nil { count(.satellitesInView) }
    if fix.horizontalDilution != nil || fix.verticalDilution != nil || fix.positionDilution != nil {
      count(.dilutions)
    }
  }

  /// Returns these omissions plus the tracks and segments without a row.
  func adding(_ numbering: SegmentNumbering) -> Omissions {
    var all = self
    var ended = numbering
    ended.end()
    all.count(.emptyTrack, ended.emptyTracks)
    all.count(.emptySegment, ended.emptySegments)
    return all
  }
}

extension Omissions.Kind {
  fileprivate var index: Int {
    switch self {
    case .waypoint: 0
    case .route: 1
    case .routePoint: 2
    case .emptyTrack: 3
    case .emptySegment: 4
    case .heading: 5
    case .satellites: 6
    case .fixDetails: 7
    case .climb: 8
    case .satellitesInView: 9
    case .solution: 10
    case .ellipsoidalHeight: 11
    case .estimatedAccuracy: 12
    case .simulation: 13
    case .device: 14
    case .visit: 15
    case .untimedFix: 16
    case .floor: 17
    case .horizontalAccuracy: 18
    case .verticalAccuracy: 19
    case .motionAccuracies: 20
    case .course: 21
    case .mode: 22
    case .satellitesUsed: 23
    case .dilutions: 24
    case .activity: 25
    case .geoidalHeight: 26
    case .timeFraction: 27
    case .impossibleValue: 28
    case .estimationMark: 29
    }
  }
}

/// A document's elements that the reader does not know, counted by name, in bounded memory.
public struct SkippedElements: Hashable, Sendable {
  /// The number of names counted separately; elements of further names are counted together.
  public static let maxNames = 64
  private static let maxNameLength = 64

  /// The names and their counts, in the order of first occurrence.
  public var counts: [(name: String, count: Int)] {
    entries.map { (String(decoding: $0.name, as: UTF8.self), $0.count) }
  }
  /// The number of elements with names beyond ``maxNames``.
  public private(set) var unlistedCount = 0

  private struct Entry: Hashable, Sendable {
    let name: [UInt8]
    var count: Int
  }
  private var entries: [Entry] = []

  /// Creates an empty count.
  public init() {}

  /// Whether there were none.
  public var isEmpty: Bool { entries.isEmpty && unlistedCount == 0 }

  /// Counts an element of a known name.
  mutating func count(_ name: StaticString) {
    count(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  /// Counts an element. Allocates only for a name that is new.
  mutating func count(_ name: UnsafeRawBufferPointer) {
    for index in entries.indices where name.elementsEqual(entries[index].name) {
      entries[index].count += 1
      return
    }
    guard entries.count < Self.maxNames, name.count <= Self.maxNameLength else { return unlistedCount += 1 }
    entries.append(Entry(name: Array(name), count: 1))
  }
}
