/// The host's power and foreground state. The host reports the state, because an engine can't see it.
public struct PowerState: Hashable, Sendable, Codable {
  /// Whether the host is in the foreground: an app on the screen, a command at a terminal. A service without a user
  /// is in the background.
  public var isForeground: Bool
  /// Whether the host has external power, also with a full battery or none; `nil` where unknown.
  public var isCharging: Bool?
  /// The battery level, in 0...1; `nil` where it is unknown or there is no battery.
  public var batteryLevel: Double?
  /// Whether low power mode is on, set by a person or by the host itself.
  public var isLowPowerMode: Bool

  /// Creates a state; by default the power is unknown and nothing is reduced.
  ///
  /// - Parameters:
  ///   - isForeground: whether the host is in the foreground.
  ///   - isCharging: whether the host has external power.
  ///   - batteryLevel: clamped to 0...1; a value that is not a number counts as unknown.
  ///   - isLowPowerMode: whether low power mode is on.
  public init(
    isForeground: Bool = true, isCharging: Bool? = nil, batteryLevel: Double? = nil,
    isLowPowerMode: Bool = false
  ) {
    self.isForeground = isForeground
    self.isCharging = isCharging
    self.batteryLevel = batteryLevel.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
    self.isLowPowerMode = isLowPowerMode
  }

  /// The unknown state, in which nothing is reduced.
  public static let unknown = PowerState()
}
