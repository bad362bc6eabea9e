import WhereaboutsCore
import WhereaboutsGeodesy

/// Chooses which fixes of a history can go so that the others tell the way almost as well.
///
/// What is left stands for what goes by moving steadily along the geodesic from the fix before to the fix after. A fix goes
/// only where that is within the error of it *at its time*: so when something was where is kept as well as the line. The
/// window before a fix that is kept grows until that fails for one of them (the opening-window algorithm with
/// time-synchronous distance).
///
/// Kept are always the first and the last, both sides of a gap in time, and fixes without a time of their own.
///
/// - Accuracy: distances are measured in the plane around the fix before, where geodesics from it are straight lines and no
///   length is shorter than true but for ``LocalPlane/errorBound(at:)``, 80 µm at 100 km; that much is left of the error.
/// - Source: Meratnia & de By, "Spatiotemporal compression techniques for moving point objects", EDBT 2004.
struct TrackThinner {
  /// A fix that is looked at.
  struct Candidate {
    var time: Int64
    var seq: Int64
    var place: Coordinate
    /// Whether it is kept whatever the others say.
    var isKept: Bool
  }

  /// Metres.
  let error: Double
  /// Nanoseconds between neighbours from which on nothing is known of the time between.
  let gap: Int64
  /// So many fixes at most go in a row: bounds the work for each.
  private static let longest = 512
  /// Farther than this the plane's error is not known so well, in metres.
  private static let farthest = 100_000.0

  private var anchor: Candidate?
  private var plane = LocalPlane(around: Coordinate(uncheckedLatitude: 0, longitude: 0))
  private var window: [(fix: Candidate, point: LocalPlane.Point)] = []

  init(error: Double, gap: Duration) {
    self.error = error
    self.gap = gap.clampedNanoseconds
  }

  /// Takes the next fix in the order of time.
  ///
  /// - Parameter drop: is given those that can go.
  mutating func take(_ fix: Candidate, drop: (Candidate) -> Void) {
    guard let anchor else { return begin(fix) }
    let before = window.last?.fix ?? anchor
    if fix.isKept || Self.nanoseconds(from: before.time, to: fix.time) > UInt64(max(0, gap)) {
      keepLast(drop)
      return begin(fix)
    }
    let point = plane.point(of: fix.place)
    if !window.isEmpty, window.count == Self.longest || !standsForAll(fix, at: point) {
      let last = window[window.count - 1].fix
      keepLast(drop)
      begin(last)
      window = [(fix, plane.point(of: fix.place))]
    } else {
      window.append((fix, point))
    }
  }

  /// There are no more.
  mutating func finish(drop: (Candidate) -> Void) {
    keepLast(drop)
    anchor = nil
  }

  private mutating func begin(_ fix: Candidate) {
    anchor = fix
    plane = LocalPlane(around: fix.place)
    window.removeAll(keepingCapacity: true)
  }

  private mutating func keepLast(_ drop: (Candidate) -> Void) {
    for one in window.dropLast() { drop(one.fix) }
    window.removeAll(keepingCapacity: true)
  }

  /// From one time to a later one, which may be centuries later: 0 where it is earlier.
  private static func nanoseconds(from earlier: Int64, to later: Int64) -> UInt64 {
    later > earlier ? UInt64(bitPattern: later &- earlier) : 0
  }

  private func standsForAll(_ fix: Candidate, at end: LocalPlane.Point) -> Bool {
    let length = (end.east * end.east + end.north * end.north).squareRoot()
    guard let anchor, fix.time > anchor.time, length < Self.farthest else { return false }
    let whole = Double(Self.nanoseconds(from: anchor.time, to: fix.time))
    let allowed = error - LocalPlane.errorBound(at: length)
    return window.allSatisfy { one in
      let share = Double(Self.nanoseconds(from: anchor.time, to: one.fix.time)) / whole
      let there = LocalPlane.Point(east: share * end.east, north: share * end.north)
      return there.distance(to: one.point) <= allowed
    }
  }
}
