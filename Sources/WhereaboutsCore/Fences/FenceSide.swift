/// On which side of a boundary a device is.
public enum FenceSide: String, Hashable, Sendable, Codable {
  /// Nothing is sure enough yet.
  case unknown
  /// Inside.
  case inside
  /// Outside.
  case outside
}

/// How things stand between a device and a fence.
public struct FenceState: Hashable, Sendable, Codable {
  /// The side that is sure.
  public var side: FenceSide
  /// Since when, by the time of fixes; `nil` where that is not known: it always was, or nobody looked.
  public var since: UTCTime?
  /// How probable it is that the device is inside now, in [0, 1]; `nil` where it was never looked at closely, being
  /// far away.
  public var probabilityInside: Double?
  /// The standard deviation of the place by which that is judged, in metres; `nil` before the first fix.
  public var deviation: Double?

  /// How things stand.
  public init(
    side: FenceSide, since: UTCTime? = nil, probabilityInside: Double? = nil, deviation: Double? = nil
  ) {
    self.side = side
    self.since = since
    self.probabilityInside = probabilityInside
    self.deviation = deviation
  }
}
