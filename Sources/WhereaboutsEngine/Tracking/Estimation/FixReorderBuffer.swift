import WhereaboutsModel
import WhereaboutsGeodesy

/// A buffer that holds fixes until no earlier one can arrive, and releases them in the order of their times.
///
/// The output does not depend on the order of arrival, as long as no fix is later than the bound.
struct FixReorderBuffer: Sendable, Hashable, Codable {
  /// The result of adding a fix.
  enum Outcome: Equatable {
    case accepted
    /// A fix of the same time is held already; the better of the two is kept.
    case duplicate
    /// Fixes of later times have been released.
    case late
  }

  private let lateness: Duration
  private var held: [Fix] = []
  private var newest: UTCTime?
  /// The time of the last released fix.
  private(set) var lastOut: UTCTime?

  /// The greatest number of held fixes, however short their intervals.
  private static let capacity = 512

  init(lateness: Duration) {
    self.lateness = lateness
  }

  /// The newest held fix.
  var last: Fix? { held.last }

  mutating func insert(_ fix: Fix, at time: UTCTime) -> Outcome {
    if let lastOut, time <= lastOut { return time == lastOut ? .duplicate : .late }
    newest = max(newest ?? time, time)
    var place = held.count
    while place > 0, held[place - 1].time.map({ $0 > time }) ?? false { place -= 1 }
    if place > 0, held[place - 1].time == time {
      if Self.isBetter(fix, than: held[place - 1]) { held[place - 1] = fix }
      return .duplicate
    }
    held.insert(fix, at: place)
    return .accepted
  }

  /// Releases the next fix, if no earlier one can arrive.
  mutating func next() -> Fix? {
    guard let newest, let first = held.first, let time = first.time else { return nil }
    guard newest.since(time) >= lateness || held.count > Self.capacity else { return nil }
    return removeFirst()
  }

  /// Releases the next fix unconditionally.
  mutating func flushNext() -> Fix? { held.isEmpty ? nil : removeFirst() }

  /// Resets the timeline: later fixes are of another one.
  mutating func resetTimeline() {
    held.removeAll(keepingCapacity: true)
    newest = nil
    lastOut = nil
  }

  private mutating func removeFirst() -> Fix {
    let fix = held.removeFirst()
    lastOut = fix.time
    return fix
  }

  /// Returns whether the first of two fixes of one time is the better one, in any order of arrival.
  static func isBetter(_ one: Fix, than other: Fix) -> Bool {
    let left = one.horizontalAccuracy ?? .infinity, right = other.horizontalAccuracy ?? .infinity
    if left != right { return left < right }
    if (one.speed == nil) != (other.speed == nil) { return one.speed != nil }
    if one.coordinate.latitude != other.coordinate.latitude {
      return one.coordinate.latitude < other.coordinate.latitude
    }
    return one.coordinate.longitude < other.coordinate.longitude
  }
}
