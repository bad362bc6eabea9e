/// The battery of a phone or tracker.
public struct PhoneBattery: Hashable, Sendable, Codable {
  /// The level in 0...1; `nil` if unknown.
  public var level: Double?
  /// Whether the device has external power, also with a full battery; `nil` if unknown.
  public var isCharging: Bool?

  /// Creates a battery; `nil` if nothing is known of it.
  public init?(level: Double?, isCharging: Bool?) {
    guard level != nil || isCharging != nil else { return nil }
    self.level = level
    self.isCharging = isCharging
  }
}
