public import WhereaboutsGeodesy

/// A settled point of a track: the estimated place at a fix's time, and the distance up to it.
///
/// A settled point never changes.
public struct TrackPoint: Hashable, Sendable {
  /// The link from the previous point to this one.
  public enum Link: Hashable, Sendable, Codable {
    /// The point is the first of its segment: nothing was counted between the previous point and this one.
    case begins
    /// The point follows by fixes without a gap.
    case follows
    /// The point follows over a gap.
    case bridges(Gap)
  }

  /// The time of the point; a fix's time.
  public var time: UTCTime
  /// The estimated place of the device at that time.
  public var coordinate: Coordinate
  /// The distance travelled up to the point, in metres.
  public var distance: Double
  /// One standard deviation of ``distance``, in metres.
  public var uncertainty: Double
  /// The speed, in metres per second; 0 while the device stands.
  public var speed: Double
  /// The fix's height, in metres, not smoothed: above mean sea level, or above the ellipsoid where only that is
  /// known; `nil` where unknown.
  public var height: Double?
  /// The motion of the device.
  public var motion: Motion
  /// The link from the previous point.
  public var link: Link

  /// Creates a point of a track.
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

extension TrackPoint {
  /// A stretch without fixes, bridged by an assumption, or an interruption, for which nothing is counted.
  public struct Gap: Hashable, Sendable, Codable {
    /// The duration of the gap, in seconds.
    public var duration: Double
    /// The geodesic between the ends of the gap, in metres: the least possible distance.
    public var geodesic: Double
    /// The distance counted for the gap, in metres; 0 where gaps are not counted.
    public var counted: Double
    /// One standard deviation of ``counted``, in metres.
    public var uncertainty: Double

    /// Creates a gap.
    public init(duration: Double, geodesic: Double, counted: Double, uncertainty: Double) {
      self.duration = duration
      self.geodesic = geodesic
      self.counted = counted
      self.uncertainty = uncertainty
    }
  }
}
