/// Which preset is used where all of some conditions hold.
public struct PowerRule: Hashable, Sendable {
  /// What it is called in an explanation; `nil` where its conditions are enough.
  public var name: String?
  /// What must all hold; a rule without conditions always does.
  public var conditions: [PowerCondition]
  /// What is used then.
  public var preset: PowerPreset

  /// A rule.
  public init(_ conditions: [PowerCondition], use preset: PowerPreset, name: String? = nil) {
    self.name = name
    self.conditions = conditions
    self.preset = preset
  }
}

/// Something that may hold or not. What is not known does not hold, whichever way it is asked.
public enum PowerCondition: Hashable, Sendable {
  /// The host is fed from outside, or is not.
  case charging(Bool)
  /// The battery is less full than this, in 0...1. It holds until the battery is ``PowerPolicy/batterySlack`` fuller
  /// again.
  case batteryBelow(Double)
  /// Everything is to be sparing, or not.
  case lowPowerMode(Bool)
  /// The time is within these hours.
  case hours(ActiveHours)
  /// The device is inside a fence, as far as the fences know.
  case inside(FenceID)
  /// The device has stood still for at least so long.
  case still(Duration)
  /// The device moves like this.
  case moving(Motion)
  /// Somebody looks, or nobody does.
  case foreground(Bool)
}
