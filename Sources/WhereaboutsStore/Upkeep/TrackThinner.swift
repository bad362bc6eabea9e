import WhereaboutsModel
import WhereaboutsGeodesy

/// A thinner of a history, which drops fixes that the remaining track represents well enough.
///
/// The remaining fixes represent a steady movement along the geodesic between neighbours. A fix is dropped only if
/// the movement is within the error of the fix *at its time*, so times are kept as well as the line. The window
/// before a kept fix grows until the condition fails for one fix (the opening-window algorithm with time-synchronous
/// distance).
///
/// The thinner always keeps the first and the last fix, both sides of a gap in time, and fixes without a time of
/// their own.
///
/// - Accuracy: distances are measured in the plane around the previous kept fix, where geodesics from the fix are
///   straight lines. No length is too short by more than ``LocalPlane/errorBound(at:)``, 80 µm at 100 km; the
///   tolerance is reduced by the bound.
/// - Source: Meratnia & de By, "Spatiotemporal compression techniques for moving point objects", EDBT 2004.
struct TrackThinner {
  /// A fix under consideration.
  struct Candidate {
    var time: Int64
    var seq: Int64
    var place: Coordinate
    /// Whether the fix is always kept.
    var isMandatory: Bool
  }

  /// The greatest error in metres.
  let error: Double
  /// The time between neighbours, in nanoseconds, from which the movement in between is unknown.
  let gap: Int64
  /// The greatest number of fixes dropped in a row, which bounds the work for each.
  private static let maximumWindow = 512
  /// The greatest distance in metres for which the plane's error is well known.
  private static let maximumDistance = 100_000.0

  private var anchor: Candidate?
  private var plane = LocalPlane(around: Coordinate(uncheckedLatitude: 0, longitude: 0))
  private var window: [(fix: Candidate, point: LocalPlane.Point)] = []

  init(error: Double, gap: Duration) {
    self.error = error
    self.gap = gap.clampedNanoseconds
  }

  /// Processes the next fix in order of time.
  ///
  /// - Parameter drop: receives the fixes to drop.
  mutating func process(_ fix: Candidate, drop: (Candidate) -> Void) {
    guard let anchor else { return begin(fix) }
    let before = window.last?.fix ?? anchor
    if fix.isMandatory || Self.nanoseconds(from: before.time, to: fix.time) > UInt64(max(0, gap)) {
      dropAllButLast(drop)
      return begin(fix)
    }
    let point = plane.point(of: fix.place)
    if !window.isEmpty, window.count == Self.maximumWindow || !coversWindow(fix, at: point) {
      let last = window[window.count - 1].fix
      dropAllButLast(drop)
      begin(last)
      window = [(fix, plane.point(of: fix.place))]
    } else {
      window.append((fix, point))
    }
  }

  /// Processes the end of the history.
  mutating func finish(drop: (Candidate) -> Void) {
    dropAllButLast(drop)
    anchor = nil
  }

  private mutating func begin(_ fix: Candidate) {
    anchor = fix
    plane = LocalPlane(around: fix.place)
    window.removeAll(keepingCapacity: true)
  }

  private mutating func dropAllButLast(_ drop: (Candidate) -> Void) {
    for one in window.dropLast() { drop(one.fix) }
    window.removeAll(keepingCapacity: true)
  }

  /// Returns the nanoseconds between two times, possibly centuries apart; 0 for a reversed order.
  private static func nanoseconds(from earlier: Int64, to later: Int64) -> UInt64 {
    later > earlier ? UInt64(bitPattern: later &- earlier) : 0
  }

  private func coversWindow(_ fix: Candidate, at end: LocalPlane.Point) -> Bool {
    let length = (end.east * end.east + end.north * end.north).squareRoot()
    guard let anchor, fix.time > anchor.time, length < Self.maximumDistance else { return false }
    let whole = Double(Self.nanoseconds(from: anchor.time, to: fix.time))
    let allowed = error - LocalPlane.errorBound(at: length)
    return window.allSatisfy { one in
      let share = Double(Self.nanoseconds(from: anchor.time, to: one.fix.time)) / whole
      let there = LocalPlane.Point(east: share * end.east, north: share * end.north)
      return there.distance(to: one.point) <= allowed
    }
  }
}
