import WhereaboutsModel
import WhereaboutsGeodesy

/// Holds fixes back until none that is earlier can come any more, and lets them go in the order of their times.
///
/// What goes out depends on which fixes came, not on the order they came in, as long as none is later than the bound.
struct FixReorderBuffer: Sendable, Hashable, Codable {
  /// What became of a fix.
  enum Outcome: Equatable {
    case accepted
    /// One of that time is there already; the better of the two is kept.
    case duplicate
    /// Fixes of later times have gone out.
    case late
  }

  private let lateness: Duration
  private var held: [Fix] = []
  private var newest: UTCTime?
  /// The time of the last fix that went out.
  private(set) var lastOut: UTCTime?

  /// More are never held, however close together they come.
  private static let capacity = 512

  init(lateness: Duration) {
    self.lateness = lateness
    held.reserveCapacity(64)
  }

  /// The newest fix that is held.
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

  /// Lets the next fix go, if it may.
  mutating func next() -> Fix? {
    guard let newest, let first = held.first, let time = first.time else { return nil }
    guard newest.since(time) >= lateness || held.count > Self.capacity else { return nil }
    return removeFirst()
  }

  /// Lets the next fix go, whatever may still come.
  mutating func flushNext() -> Fix? { held.isEmpty ? nil : removeFirst() }

  /// What comes next is of another timeline.
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

  /// Which of two fixes of one time to keep, whichever came first.
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
