/// The settings of an odometer.
public struct OdometerSettings: Hashable, Sendable, Codable {
  /// The distance that a gap counts for.
  public enum Bridging: String, Hashable, Sendable, Codable, CaseIterable {
    /// The estimated distance at the speeds of both ends, for four and a half hours at most, and never less than the
    /// geodesic.
    case estimated
    /// The geodesic from one end to the other.
    case geodesic
    /// No distance.
    case none
  }

  /// The greatest delay, against the time of the newest fix, at which a fix still counts in its order. Settling is
  /// delayed by the same time.
  public var lateness: Duration
  /// The time without a fix from which there is a gap.
  public var gap: Duration
  /// The distance that a gap counts for.
  public var bridging: Bridging

  /// Creates settings of an odometer. A negative duration counts as zero.
  public init(
    lateness: Duration = .seconds(5), gap: Duration = .seconds(20), bridging: Bridging = .estimated
  ) {
    self.lateness = max(.zero, lateness)
    self.gap = max(.zero, gap)
    self.bridging = bridging
  }

  /// The same settings with invalid values replaced: settings may have been changed or decoded since they were made.
  package var validated: OdometerSettings {
    OdometerSettings(lateness: lateness, gap: gap, bridging: bridging)
  }
}
