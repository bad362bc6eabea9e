/// How power is saved: a preset, rules that put others in its place, and what goes on in the background.
///
/// The standard saves nothing while somebody looks, nor where nothing is known of the host's power.
public struct PowerSettings: Hashable, Sendable {
  /// What is used where no rule says otherwise.
  public var preset: PowerPreset
  /// The first of which all conditions hold is followed.
  public var rules: [PowerRule]
  /// What goes on where.
  public var background: PowerBackground

  /// Settings of one's own.
  public init(
    preset: PowerPreset = .precise, rules: [PowerRule] = [], background: PowerBackground = PowerBackground()
  ) {
    self.preset = preset
    self.rules = rules
    self.background = background
  }

  /// Whatever is asked for is asked of the source, always.
  public static let unsparing = PowerSettings(background: .everywhere)
}

/// Where subscriptions and trackers get one fix after the other; elsewhere they get large moves only.
public struct PowerBackground: Hashable, Sendable {
  /// While somebody looks.
  public var whileActive: Bool
  /// In the background while the host is fed from outside, or where nobody knows whether it is.
  public var whileCharging: Bool
  /// In the background on battery.
  public var onBattery: Bool

  /// By default everywhere but in the background on battery.
  public init(whileActive: Bool = true, whileCharging: Bool = true, onBattery: Bool = false) {
    self.whileActive = whileActive
    self.whileCharging = whileCharging
    self.onBattery = onBattery
  }

  /// Everywhere.
  public static let everywhere = PowerBackground(onBattery: true)
}
