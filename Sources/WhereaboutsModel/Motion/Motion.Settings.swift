extension Motion {
  /// The settings of motion classification.
  public struct Settings: Hashable, Sendable, Codable {
    /// The time for which a device must have stood to be ``Motion/still``; until then, the previous motion continues.
    ///
    /// Ten seconds are more than a wait at a kerb and less than a red light lasts. A device that waits at the
    /// light becomes still, and drives again as soon as it moves.
    public var stopTime: Duration
    /// The time without a fix after which the motion is ``Motion/unknown``.
    public var silence: Duration
    /// The probability from which a motion is reported, in [0.5, 0.99].
    public var confidence: Double

    /// The standard settings: ten seconds, a minute, 80 %.
    public static let standard = Settings()

    /// Creates custom settings.
    ///
    /// - Parameters:
    ///   - stopTime: one below a second counts as a second, one above an hour as an hour.
    ///   - silence: one below a second counts as a second, one above a day as a day.
    ///   - confidence: a value outside [0.5, 0.99] counts as 0.8.
    public init(
      stopTime: Duration = .seconds(10), silence: Duration = .seconds(60), confidence: Double = 0.8
    ) {
      self.stopTime = min(max(stopTime, .seconds(1)), .seconds(3600))
      self.silence = min(max(silence, .seconds(1)), .seconds(86_400))
      self.confidence = confidence >= 0.5 && confidence <= 0.99 ? confidence : 0.8
    }
  }
}
