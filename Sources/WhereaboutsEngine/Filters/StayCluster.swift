import WhereaboutsModel
import WhereaboutsGeodesy

/// A fix in the form that the stay detector needs.
struct StaySample: Sendable {
  var coordinate: Coordinate
  /// The accuracy in metres at 68 %.
  var accuracy: Double
  var time: UTCTime
}

/// The side of a stay's boundary on which a fix lies.
enum StaySide: Sendable {
  case inside, outside
  /// The accuracy of the fix leaves both sides open, so the fix is no evidence.
  case unclear

  /// Classifies a fix.
  ///
  /// - Parameters:
  ///   - distance: metres from the middle of the stay.
  ///   - accuracy: metres at 68 %.
  ///   - radius: metres.
  init(distance: Double, accuracy: Double, radius: Double) {
    if distance - accuracy > radius {
      self = .outside
    } else if distance <= radius, accuracy <= 2 * radius {
      // Fixes that are coarser than the stay is wide would be inside by chance.
      self = .inside
    } else {
      self = .unclear
    }
  }
}

/// The sums over some fixes of one stay, in metres of a shared plane.
struct StayCluster: Sendable {
  private(set) var first: UTCTime
  private(set) var last: UTCTime
  /// The sum of the fixes' weights, in 1/m².
  private(set) var weight = 0.0
  private var east = 0.0
  private var north = 0.0
  private var squaredAccuracy = 0.0
  /// The weighted sum of the seconds since ``first``.
  private var seconds = 0.0

  /// Creates a cluster without fixes whose first fix is of this time.
  init(from time: UTCTime) {
    first = time
    last = time
  }

  /// Adds a fix.
  ///
  /// Two errors affect a fix as a measure of the stay's middle: its own error, and the device's movement within the
  /// stay. The second is taken as a quarter of the radius. A fix weighs by the inverse of both variances together. So
  /// accurate fixes count for more, and a few that claim centimetres don't outweigh all others.
  mutating func add(_ point: LocalPlane.Point, accuracy: Double, time: UTCTime, radius: Double) {
    let added = 1 / (accuracy * accuracy + radius * radius / 16)
    weight += added
    east += added * point.east
    north += added * point.north
    squaredAccuracy += added * accuracy * accuracy
    seconds += added * time.seconds(since: first)
    last = time
  }

  /// Adds the fixes of a later cluster.
  mutating func add(_ later: StayCluster) {
    weight += later.weight
    east += later.east
    north += later.north
    squaredAccuracy += later.squaredAccuracy
    seconds += later.seconds + later.weight * later.first.seconds(since: first)
    last = later.last
  }

  /// The weighted mean of the cluster's fixes.
  var center: LocalPlane.Point { LocalPlane.Point(east: east / weight, north: north / weight) }

  /// The accuracy of a typical fix, in metres at 68 %: the root of the weighted mean square.
  var accuracy: Double { (squaredAccuracy / weight).squareRoot() }

  /// Returns the seconds from another cluster's mean time to this one's.
  func seconds(since other: StayCluster) -> Double {
    first.seconds(since: other.first) + seconds / weight - other.seconds / other.weight
  }

  /// The time from the first fix to the last, in nanoseconds.
  var span: Int64 { last.nanoseconds(since: first) }
}

extension UTCTime {
  /// Returns the nanoseconds from `other` until this time, clamped to the range of `Int64`.
  func nanoseconds(since other: UTCTime) -> Int64 {
    let (difference, overflow) = nanosecondsSince1970.subtractingReportingOverflow(other.nanosecondsSince1970)
    guard overflow else { return difference }
    return self < other ? .min : .max
  }
}
