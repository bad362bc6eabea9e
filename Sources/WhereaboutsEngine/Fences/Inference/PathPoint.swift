import WhereaboutsModel
import WhereaboutsGeodesy

/// The estimated position of the device at a time.
struct PathPoint: Hashable, Sendable, Codable {
  let time: UTCTime
  let place: Coordinate
  /// The standard deviation of the position in metres, per axis.
  let deviation: Double
  /// Whether the point is at a fix; otherwise it lies on the path between two fixes.
  let isFix: Bool
}
