extension PowerSettings {
  /// A rule that selects a preset where all of its conditions hold.
  public struct Rule: Hashable, Sendable {
    /// The name of the rule in an explanation; `nil` where its conditions are enough.
    public var name: String?
    /// The conditions, all of which must hold; a rule without conditions always applies.
    public var conditions: [Condition]
    /// The preset in force while the rule applies.
    public var preset: PowerPreset

    /// Creates a rule.
    public init(_ conditions: [Condition], use preset: PowerPreset, name: String? = nil) {
      self.name = name
      self.conditions = conditions
      self.preset = preset
    }
  }

  /// A condition of a power rule. A condition about an unknown value does not hold, and neither does its opposite.
  ///
  /// A host that has not reported its state counts as in the foreground and without low power mode.
  public enum Condition: Hashable, Sendable {
    /// Whether the host has external power.
    case charging(Bool)
    /// The battery level is below this, in 0...1. The condition ends when the level has risen by
    /// `PowerPolicy/batterySlack`.
    case batteryBelow(Double)
    /// Whether low power mode is on.
    case lowPowerMode(Bool)
    /// The time is within these hours.
    case hours(ActiveHours)
    /// The device is inside a fence, as far as the fences know.
    case inside(FenceID)
    /// The device has stood still for at least this time.
    case still(Duration)
    /// The device has this motion.
    case moving(Motion)
    /// Whether the host is in the foreground.
    case foreground(Bool)
  }
}
