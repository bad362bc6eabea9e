/// What a format has no place for, counted while a recording is written in it.
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
    /// The time, speed, course and accuracies of a fix.
    case fixDetails
    /// The rate of climb of a fix.
    case climb
    /// The number of satellites in view of a fix.
    case satellitesInView
    /// How the solution of a fix came about, where the format has no word for that.
    case solution
    /// A height above the ellipsoid without one above the geoid.
    case ellipsoidalHeight
    /// An estimated accuracy whose dilution of precision is unknown.
    case estimatedAccuracy
    /// The mark of a simulated fix.
    case simulation
  }

  private var counts = [Int](repeating: 0, count: Kind.allCases.count)

  /// Nothing left out.
  public init() {}

  /// How many of a kind were left out.
  public subscript(kind: Kind) -> Int { counts[kind.index] }

  /// Whether nothing was left out.
  public var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }

  mutating func count(_ kind: Kind, _ number: Int = 1) { counts[kind.index] += number }

  /// Counts an element that only fixes, tracks and segments have a place beside.
  mutating func count(_ element: RecordingElement) {
    switch element {
    case .waypoint: count(.waypoint)
    case .routeBegan: count(.route)
    case .routePoint: count(.routePoint)
    case .heading: count(.heading)
    case .satellites: count(.satellites)
    case .fix, .trackBegan, .segmentBegan: break
    }
  }

  /// These, with the tracks and segments that had no row.
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
    }
  }
}

/// Elements of a document that the reader knows nothing of, counted by name, in bounded memory.
public struct UnreadElements: Hashable, Sendable {
  /// How many different names are counted; the rest is counted together.
  public static let longestList = 64
  private static let longestName = 64

  /// The names and how often each occurred, in the order in which they were met.
  public var counts: [(name: String, count: Int)] {
    entries.map { (String(decoding: $0.name, as: UTF8.self), $0.count) }
  }
  /// Elements whose names came too late to be counted one by one.
  public private(set) var others = 0

  private struct Entry: Hashable, Sendable {
    let name: [UInt8]
    var count: Int
  }
  private var entries: [Entry] = []

  /// None.
  public init() {}

  /// Whether there were none.
  public var isEmpty: Bool { entries.isEmpty && others == 0 }

  /// Counts an element. Allocates only for a name that is new.
  mutating func count(_ name: UnsafeRawBufferPointer) {
    for index in entries.indices where name.elementsEqual(entries[index].name) {
      entries[index].count += 1
      return
    }
    guard entries.count < Self.longestList, name.count <= Self.longestName else { return others += 1 }
    entries.append(Entry(name: Array(name), count: 1))
  }
}
