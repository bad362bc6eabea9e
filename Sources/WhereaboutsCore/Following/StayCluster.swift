import WhereaboutsGeodesy

/// A fix as the search for stays needs it.
struct StaySample: Sendable {
  var coordinate: Coordinate
  /// Metres at 68 %.
  var accuracy: Double
  var time: UTCTime
}

/// Where a fix is, seen from a stay.
enum StaySide: Sendable {
  case inside, outside
  /// Its accuracy leaves both open, so that it says nothing.
  case unclear

  /// - Parameters:
  ///   - distance: metres from the middle of the stay.
  ///   - accuracy: metres at 68 %.
  ///   - radius: metres.
  init(distance: Double, accuracy: Double, radius: Double) {
    if distance - accuracy > radius {
      self = .outside
    } else if distance <= radius, accuracy <= 2 * radius {
      // Coarser fixes than the stay is wide would be inside by chance.
      self = .inside
    } else {
      self = .unclear
    }
  }
}

/// The sums over some fixes of one stay, in metres of a plane that they share.
struct StayCluster: Sendable {
  private(set) var first: UTCTime
  private(set) var last: UTCTime
  /// The sum of the fixes' weights, in 1/m².
  private(set) var weight = 0.0
  private var east = 0.0
  private var north = 0.0
  private var squaredAccuracy = 0.0
  /// Seconds since ``first``, weighted.
  private var seconds = 0.0

  /// A cluster without fixes yet; the first is of this time.
  init(from time: UTCTime) {
    first = time
    last = time
  }

  /// Adds a fix.
  ///
  /// What it says about the middle of the stay is uncertain by its own error and by the device's moving about within
  /// the stay, here put at a quarter of the radius. So a fix weighs by the inverse of both variances together: fine
  /// ones count for more, and still a few that claim centimetres don't outweigh all others.
  mutating func add(_ point: LocalPlane.Point, accuracy: Double, time: UTCTime, radius: Double) {
    let added = 1 / (accuracy * accuracy + radius * radius / 16)
    weight += added
    east += added * point.east
    north += added * point.north
    squaredAccuracy += added * accuracy * accuracy
    seconds += added * time.seconds(since: first)
    last = time
  }

  /// Adds the fixes of a later one.
  mutating func add(_ later: StayCluster) {
    weight += later.weight
    east += later.east
    north += later.north
    squaredAccuracy += later.squaredAccuracy
    seconds += later.seconds + later.weight * later.first.seconds(since: first)
    last = later.last
  }

  /// The weighted mean of its fixes.
  var middle: LocalPlane.Point { LocalPlane.Point(east: east / weight, north: north / weight) }

  /// The accuracy of a typical fix, in metres at 68 %: the weighted mean square's root.
  var accuracy: Double { (squaredAccuracy / weight).squareRoot() }

  /// How much later its mean time is than that of another, in seconds.
  func seconds(since other: StayCluster) -> Double {
    first.seconds(since: other.first) + seconds / weight - other.seconds / other.weight
  }

  /// From the first fix to the last, in nanoseconds.
  var span: Int64 { last.nanoseconds(since: first) }
}

extension UTCTime {
  /// The nanoseconds from `other` until this time, held at the ends of the range.
  func nanoseconds(since other: UTCTime) -> Int64 {
    let (difference, overflow) = nanosecondsSince1970.subtractingReportingOverflow(other.nanosecondsSince1970)
    guard overflow else { return difference }
    return self < other ? .min : .max
  }
}
