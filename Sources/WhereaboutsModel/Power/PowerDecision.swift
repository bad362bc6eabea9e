/// The demand on the source after the power policy, with the reason for any reduction.
public struct PowerDecision: Hashable, Sendable, Codable {
  /// The reason why the demand is reduced or passed unchanged.
  public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
    /// The demand is not reduced.
    case asAsked = "as asked"
    /// The preset limits the demand.
    case preset
    /// The preset limits the demand; the device is on foot.
    case walking
    /// The preset limits the demand; the device is as fast as on a highway.
    case highway
    /// The preset reduces the demand while the device stands still.
    case still
    /// The preset allows significant changes only.
    case significantChangesOnly = "significant changes only"
    /// The settings allow significant changes only while the host is in the foreground.
    case foreground
    /// The settings allow significant changes only in the background.
    case background
    /// The settings allow significant changes only in the background on battery.
    case backgroundOnBattery = "background on battery"
  }

  /// The demand on the source.
  public var demand: Demand
  /// The name of the preset in force.
  public var preset: String
  /// The index of the rule that has chosen the preset, from 0; `nil` where no rule has.
  public var rule: Int?
  /// The name of that rule; `nil` where no rule has, or the rule has no name.
  public var ruleName: String?
  /// The reason for the demand.
  public var reason: Reason
  /// The host's power state.
  public var state: PowerState
  /// The speed of the device, in metres per second; `nil` where unknown.
  public var speed: Double?
  /// The time for which the device had stood still; `nil` unless it stood still.
  public var stillFor: Duration?

  /// Creates a decision with its numbers.
  public init(
    demand: Demand, preset: String, rule: Int? = nil, ruleName: String? = nil, reason: Reason = .asAsked,
    state: PowerState = .unknown, speed: Double? = nil, stillFor: Duration? = nil
  ) {
    self.demand = demand
    self.preset = preset
    self.rule = rule
    self.ruleName = ruleName
    self.reason = reason
    self.state = state
    self.speed = speed
    self.stillFor = stillFor
  }

  /// Returns whether this decision is worth reporting after another; a reduced demand that has changed counts too.
  package func isReportable(after old: PowerDecision) -> Bool {
    preset != old.preset || rule != old.rule || reason != old.reason
      || reason != .asAsked && demand != old.demand
  }
}
