public import WhereaboutsModel
public import WhereaboutsGeodesy

/// An element of a recording.
public enum RecordingElement: Hashable, Sendable {
  /// A position of a track or of a receiver.
  case fix(Fix)
  /// A heading of the device.
  case heading(Heading)
  /// A new list of satellites in view, given only if the decoder's options request it.
  case satellites(SatellitesInView)
  /// The beginning of a track, with its name if any.
  case trackBegan(name: String?)
  /// The beginning of a track's segment: the device was off or without a fix before.
  case segmentBegan
  /// A named place, not a position of the device.
  case waypoint(Waypoint)
  /// The beginning of a route: places to go through, not positions of the device. Its points follow as
  /// ``routePoint(_:)``.
  case routeBegan(name: String?)
  /// A point of the route that began last.
  case routePoint(Waypoint)
  /// The name of the device of the following elements, where a recording holds several devices or names its own; `nil`
  /// where the following elements name none.
  case deviceBegan(name: String?)
  /// A stay at a place that the recording states as an interval, not as positions.
  case visit(RecordedVisit)
  /// The offset of local time that the recording states for an instant, in minutes ahead of UTC. Given where the offset
  /// changes in the order of the recording, and where a time goes back before the last change.
  case offset(minutes: Int, at: UTCTime)
}

/// A named place. A value that the recording does not state is `nil`.
public struct Waypoint: Hashable, Sendable {
  /// The place's coordinate.
  public var coordinate: Coordinate
  /// The place's name.
  public var name: String?
  /// Height above mean sea level, in metres.
  public var heightAboveGeoid: Double?
  /// The time of the recording.
  public var time: UTCTime?

  /// Creates a place with the rest absent.
  public init(
    coordinate: Coordinate, name: String? = nil, heightAboveGeoid: Double? = nil, time: UTCTime? = nil
  ) {
    self.coordinate = coordinate
    self.name = name
    self.heightAboveGeoid = heightAboveGeoid
    self.time = time
  }
}
