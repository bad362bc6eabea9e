/// The host's power and foreground state. The host reports the state, because an engine can't see it.
public struct PowerState: Hashable, Sendable, Codable {
  /// Whether the host is in the foreground: an app on the screen, a command at a terminal. A service without a user
  /// is in the background.
  public var isForeground: Bool
  /// Whether the host has external power, also with a full battery or none; `nil` where unknown.
  public var isCharging: Bool?
  /// The battery level, in 0...1; `nil` where it is unknown or there is no battery.
  ///
  /// A negative level, as the one of a `UIDevice` that does not monitor its battery, is stored as unknown.
  public var batteryLevel: Double? {
    didSet { batteryLevel = Self.level(batteryLevel) }
  }
  /// Whether low power mode is on, set by a person or by the host itself.
  public var isLowPowerMode: Bool

  /// Creates a state; by default the power is unknown and nothing is reduced.
  ///
  /// - Parameters:
  ///   - isForeground: whether the host is in the foreground.
  ///   - isCharging: whether the host has external power.
  ///   - batteryLevel: one above 1 counts as 1; one that is negative or not a number counts as unknown.
  ///   - isLowPowerMode: whether low power mode is on.
  public init(
    isForeground: Bool = true, isCharging: Bool? = nil, batteryLevel: Double? = nil,
    isLowPowerMode: Bool = false
  ) {
    self.isForeground = isForeground
    self.isCharging = isCharging
    self.batteryLevel = Self.level(batteryLevel)
    self.isLowPowerMode = isLowPowerMode
  }

  private static func level(_ level: Double?) -> Double? {
    level.flatMap { $0 >= 0 ? min($0, 1) : nil }
  }

  /// The unknown state, in which nothing is reduced.
  public static let unknown = PowerState()
}
