/// What the host knows of its power, and whether anybody looks: told from outside, since an engine can't see it.
public struct PowerState: Hashable, Sendable, Codable {
  /// Whether somebody looks: an app on the screen, a command at a terminal. What runs for nobody in particular is in the
  /// background.
  public var isForeground: Bool
  /// Whether it is fed from outside, also where the battery is full or there is none; `nil` where that is not known.
  public var isCharging: Bool?
  /// How full the battery is, in 0...1; `nil` where that is not known, or there is no battery.
  public var batteryLevel: Double?
  /// Whether a person, or the host by itself, has asked everything to be sparing.
  public var isLowPowerMode: Bool

  /// A state; by default nothing is known, and nothing is spared.
  ///
  /// - Parameters:
  ///   - isForeground: whether somebody looks.
  ///   - isCharging: whether it is fed from outside.
  ///   - batteryLevel: held in 0...1; what is no number counts as not known.
  ///   - isLowPowerMode: whether everything is to be sparing.
  public init(
    isForeground: Bool = true, isCharging: Bool? = nil, batteryLevel: Double? = nil,
    isLowPowerMode: Bool = false
  ) {
    self.isForeground = isForeground
    self.isCharging = isCharging
    self.batteryLevel = batteryLevel.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
    self.isLowPowerMode = isLowPowerMode
  }

  /// Nothing is known, so nothing is spared.
  public static let unknown = PowerState()
}
