public import WhereaboutsCore
public import WhereaboutsGeodesy

/// One thing that a recording says, in the order it says it.
public enum RecordingElement: Hashable, Sendable {
  /// A position of a track or of a receiver.
  case fix(Fix)
  /// Where the device pointed.
  case heading(Heading)
  /// A new list of satellites in view. Only given where the decoder was asked for them.
  case satellites(SatellitesInView)
  /// A track begins; its name where it has one.
  case trackBegan(name: String?)
  /// A segment of a track begins: the device was off or without a fix before it.
  case segmentBegan
  /// A named place, not a position of the device.
  case waypoint(Waypoint)
  /// A route begins: places to go through, not where the device was. Its points follow as ``routePoint(_:)``.
  case routeBegan(name: String?)
  /// A point of the route that began last.
  case routePoint(Waypoint)
}

/// A named place.
public struct Waypoint: Hashable, Sendable {
  /// Where.
  public var coordinate: Coordinate
  /// What it is called.
  public var name: String?
  /// Height above mean sea level, in metres.
  public var heightAboveGeoid: Double?
  /// When it was recorded.
  public var time: UTCTime?

  /// A place with the rest absent.
  public init(
    coordinate: Coordinate, name: String? = nil, heightAboveGeoid: Double? = nil, time: UTCTime? = nil
  ) {
    self.coordinate = coordinate
    self.name = name
    self.heightAboveGeoid = heightAboveGeoid
    self.time = time
  }
}
