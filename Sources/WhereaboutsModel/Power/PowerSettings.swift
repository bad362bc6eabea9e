/// The settings of power saving: a preset, rules that select others, and the background limits.
///
/// The standard settings reduce nothing in the foreground, nor where the host's power state is unknown.
public struct PowerSettings: Hashable, Sendable {
  /// The preset in force where no rule applies.
  public var preset: PowerPreset
  /// The rules; the first whose conditions all hold applies.
  public var rules: [Rule]
  /// The power states in which subscriptions and trackers get continuous fixes.
  public var background: Background

  /// Creates custom settings.
  public init(
    preset: PowerPreset = .precise, rules: [Rule] = [], background: Background = Background()
  ) {
    self.preset = preset
    self.rules = rules
    self.background = background
  }

  /// Settings that never reduce a demand.
  public static let unrestricted = PowerSettings(background: .everywhere)
}

extension PowerSettings {
  /// The power states in which subscriptions and trackers get continuous fixes; otherwise they get significant changes
  /// only.
  public struct Background: Hashable, Sendable {
    /// Whether they get continuous fixes in the foreground.
    public var whileActive: Bool
    /// Whether they get continuous fixes in the background while the host has external power or its charging state is
    /// unknown.
    public var whileCharging: Bool
    /// Whether they get continuous fixes in the background on battery.
    public var onBattery: Bool

    /// Creates the limits; by default continuous fixes everywhere but in the background on battery.
    public init(whileActive: Bool = true, whileCharging: Bool = true, onBattery: Bool = false) {
      self.whileActive = whileActive
      self.whileCharging = whileCharging
      self.onBattery = onBattery
    }

    /// Continuous fixes in every power state.
    public static let everywhere = Background(onBattery: true)
  }
}
