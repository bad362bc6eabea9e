/// What is asked of the source, how that differs from what is needed, and why.
public struct PowerDecision: Hashable, Sendable, Codable {
  /// Why less than is needed is asked for, or as much.
  public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nothing is held back.
    case asAsked = "as asked"
    /// The preset limits it.
    case preset
    /// The preset limits it; the device is on foot.
    case walking
    /// The preset limits it; the device is as fast as on a highway.
    case highway
    /// The preset spares while the device stands still.
    case still
    /// The preset gives large moves only.
    case significantChangesOnly = "significant changes only"
    /// Large moves only while somebody looks, by the settings.
    case foreground
    /// Large moves only in the background.
    case background
    /// Large moves only in the background on battery.
    case backgroundOnBattery = "background on battery"
  }

  /// What is asked of the source.
  public var demand: Demand
  /// The name of the preset in force.
  public var preset: String
  /// Which rule has chosen it, from 0; `nil` where none has.
  public var rule: Int?
  /// What that rule is called.
  public var ruleName: String?
  /// Why.
  public var reason: Reason
  /// What the host knew of its power.
  public var state: PowerState
  /// How fast the device was, in metres per second.
  public var speed: Double?
  /// How long it had stood still.
  public var stillFor: Duration?

  /// A decision and its numbers.
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

  /// Whether it is worth telling after another: where something is held back, what is asked counts too.
  func isNews(after old: PowerDecision) -> Bool {
    preset != old.preset || rule != old.rule || reason != old.reason
      || reason != .asAsked && demand != old.demand
  }
}
