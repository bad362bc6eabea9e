/// How an odometer treats what it is given.
public struct OdometerSettings: Hashable, Sendable, Codable {
  /// What a gap counts for.
  public enum Bridging: String, Hashable, Sendable, Codable, CaseIterable {
    /// The way the device would have made at the speed it had at both ends, and never less than the geodesic.
    case estimated
    /// The geodesic from one end to the other.
    case geodesic
    /// Nothing.
    case none
  }

  /// How late a fix may come, by its own time against that of the newest, and still count as in its turn. The way is
  /// settled later by as much.
  public var lateness: Duration
  /// How long no fix must have come to call it a gap.
  public var gap: Duration
  /// What a gap counts for.
  public var bridging: Bridging

  /// Settings of an odometer.
  public init(
    lateness: Duration = .seconds(5), gap: Duration = .seconds(20), bridging: Bridging = .estimated
  ) {
    self.lateness = max(.zero, lateness)
    self.gap = max(.zero, gap)
    self.bridging = bridging
  }
}
