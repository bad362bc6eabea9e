public import WhereaboutsGeodesy

/// A point of a way: where the device was at a fix's time, as it turned out, and how far it had come.
///
/// Settled: it does not change any more.
public struct TrackPoint: Hashable, Sendable {
  /// How a point follows on the one before it.
  public enum Link: Hashable, Sendable, Codable {
    /// It is the first of its segment: nothing was counted between the one before and this.
    case begins
    /// By fixes that came in time.
    case follows
    /// Over a gap.
    case bridges(TrackGap)
  }

  /// When; a fix's time.
  public var time: UTCTime
  /// Where the device is estimated to have been then.
  public var coordinate: Coordinate
  /// How far it had come, in metres.
  public var distance: Double
  /// One standard deviation of ``distance``, in metres.
  public var uncertainty: Double
  /// How fast it was, in metres per second; 0 while it stands.
  public var speed: Double
  /// The fix's height, in metres, not smoothed: above mean sea level, or above the ellipsoid where the fix says no more;
  /// `nil` where none is known.
  public var height: Double?
  /// How it moved.
  public var motion: Motion
  /// How it follows on the point before.
  public var link: Link

  /// A point of a way.
  public init(
    time: UTCTime, coordinate: Coordinate, distance: Double, uncertainty: Double, speed: Double,
    height: Double? = nil, motion: Motion, link: Link
  ) {
    self.time = time
    self.coordinate = coordinate
    self.distance = distance
    self.uncertainty = uncertainty
    self.speed = speed
    self.height = height
    self.motion = motion
    self.link = link
  }
}

/// A stretch without fixes, bridged by an assumption.
public struct TrackGap: Hashable, Sendable, Codable {
  /// How long it was, in seconds.
  public var duration: Double
  /// The geodesic from its one end to the other, in metres: what the way was at the least.
  public var geodesic: Double
  /// How much was counted for it, in metres; 0 where gaps are not counted.
  public var counted: Double
  /// One standard deviation of ``counted``, in metres.
  public var uncertainty: Double

  /// A gap.
  public init(duration: Double, geodesic: Double, counted: Double, uncertainty: Double) {
    self.duration = duration
    self.geodesic = geodesic
    self.counted = counted
    self.uncertainty = uncertainty
  }
}
