/// The relation of a device to a fence.
public struct FenceState: Hashable, Sendable, Codable {
  /// The certain side.
  public var side: Side
  /// The time of fixes since which ``side`` holds; `nil` if unknown: always, or not observed. For fences that the device
  /// has left and that are far away, only the 32 latest times are kept.
  public var since: UTCTime?
  /// The probability that the device is inside now, in [0, 1]; `nil` if the device was always too far away to
  /// evaluate.
  public var probabilityInside: Double?
  /// The standard deviation of the place used for the probability, in metres; `nil` before the first fix.
  public var deviation: Double?

  /// Creates a state.
  public init(
    side: Side, since: UTCTime? = nil, probabilityInside: Double? = nil, deviation: Double? = nil
  ) {
    self.side = side
    self.since = since
    self.probabilityInside = probabilityInside
    self.deviation = deviation
  }
}
