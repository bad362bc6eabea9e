/// The settled totals of a track. No total ever decreases.
public struct TrackTotals: Hashable, Sendable, Codable {
  /// The distance travelled, in metres, including the bridged gaps that are counted.
  public var distance = 0.0
  /// One standard deviation of ``distance``, in metres.
  public var uncertainty = 0.0
  /// The part of ``distance`` that was bridged over gaps, in metres.
  public var bridged = 0.0
  /// The number of gaps inside segments, counted or not. Interruptions between ``segments`` are not among them.
  public var gaps = 0
  /// The time from the first fix to the last of each segment, in seconds.
  public var elapsed = 0.0
  /// The part of ``elapsed`` in which the device moved, in seconds.
  public var moving = 0.0
  /// The greatest speed, in metres per second.
  public var fastest = 0.0
  /// The ascent in metres, without noise; `nil` while no fix had a height.
  public var ascent: Double?
  /// The descent in metres, without noise; `nil` while no fix had a height.
  public var descent: Double?
  /// The number of segments that were begun.
  public var segments = 0

  /// Creates totals of zero.
  public init() {}

  /// ``distance`` without ``bridged``, over ``moving``, in metres per second; `nil` if the device has not moved.
  public var averageMovingSpeed: Double? { moving > 0 ? (distance - bridged) / moving : nil }
}
