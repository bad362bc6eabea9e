/// The numbers of an outlier.
public struct Outlier: Hashable, Sendable, Codable {
  /// The physical limit that the fix exceeds.
  public enum Cause: String, Hashable, Sendable, Codable, CaseIterable {
    /// The fix implies more speed than possible.
    case speed
    /// The fix implies more acceleration than possible.
    case acceleration
    /// The fix implies two places at once, farther apart than both accuracies allow.
    case place
  }

  /// The physical limit that the fix exceeds.
  public var cause: Cause
  /// The distance from the last trusted fix, in metres.
  public var distance: Double
  /// The time since the last trusted fix, in seconds.
  public var seconds: Double
  /// The distance from the expected place, in metres. The last fix's speed and course predict that place; without
  /// them, it is the last fix's place.
  public var off: Double
  /// The allowed distance from the expected place, in metres.
  public var allowed: Double

  /// Creates the numbers of an outlier.
  public init(cause: Cause, distance: Double, seconds: Double, off: Double, allowed: Double) {
    self.cause = cause
    self.distance = distance
    self.seconds = seconds
    self.off = off
    self.allowed = allowed
  }

  /// The implied speed, in metres per second; `nil` where there was no time between.
  public var impliedSpeed: Double? { seconds > 0 ? distance / seconds : nil }
}

extension Outlier {
  /// The numbers of a jump that was accepted.
  public struct BelievedJump: Hashable, Sendable, Codable {
    /// The test result for which the fix would otherwise have been refused.
    public var outlier: Outlier
    /// The number of fixes that agree on the new place, including the used one. 1 where the old place rested on a
    /// single fix that was no better.
    public var agreeing: Int

    /// Creates a jump on which a number of fixes agree.
    public init(outlier: Outlier, agreeing: Int) {
      self.outlier = outlier
      self.agreeing = agreeing
    }
  }
}
