/// How an engine tells how the device is moving.
public struct MotionSettings: Hashable, Sendable, Codable {
  /// How long a device must have stood to be ``Motion/still``; until then it moves as it did before.
  ///
  /// Ten seconds are more than anyone waits at a kerb and less than a red light lasts: a device that waits at the light
  /// is still there, and driving again as soon as it goes on.
  public var stopTime: Duration
  /// How long no fix must have come for the motion to be ``Motion/unknown``.
  public var silence: Duration
  /// How probable a way of moving must be to be told, in [0.5, 1).
  public var confidence: Double

  /// Ten seconds, a minute, 80 %.
  public static let standard = MotionSettings()

  /// Settings of one's own.
  ///
  /// - Parameters:
  ///   - stopTime: one below a second counts as a second, one above an hour as an hour.
  ///   - silence: one below a second counts as a second, one above a day as a day.
  ///   - confidence: what is no number in [0.5, 0.99] counts as 0.8.
  public init(
    stopTime: Duration = .seconds(10), silence: Duration = .seconds(60), confidence: Double = 0.8
  ) {
    self.stopTime = min(max(stopTime, .seconds(1)), .seconds(3600))
    self.silence = min(max(silence, .seconds(1)), .seconds(86_400))
    self.confidence = confidence >= 0.5 && confidence <= 0.99 ? confidence : 0.8
  }
}
