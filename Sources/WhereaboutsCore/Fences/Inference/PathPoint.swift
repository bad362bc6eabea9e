import WhereaboutsGeodesy

/// Where the device probably was at a time.
struct PathPoint: Hashable, Sendable, Codable {
  let time: UTCTime
  let place: Coordinate
  /// The standard deviation of the place in metres, an axis.
  let deviation: Double
  /// Whether there was a fix; between fixes it is where the way between them leads.
  let isFix: Bool
}
