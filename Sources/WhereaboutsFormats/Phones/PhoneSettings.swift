/// The settings of a device for reading its requests.
public struct PhoneSettings: Hashable, Sendable, Codable {
  /// A unit of speed.
  public enum SpeedUnit: String, Hashable, Sendable, Codable, CaseIterable {
    /// Metres per second.
    case metresPerSecond = "m/s"
    /// Kilometres per hour.
    case kilometresPerHour = "km/h"
    /// Knots.
    case knots = "kn"
  }

  /// The unit of the speeds whose unit differs between apps: OwnTracks' `vel` in a message without a topic, and
  /// OsmAnd's `speed`. `nil` for the unit of the protocol: km/h and knots.
  public var speedUnit: SpeedUnit?

  /// Creates settings.
  public init(speedUnit: SpeedUnit? = nil) { self.speedUnit = speedUnit }
}

extension PhoneSettings.SpeedUnit {
  /// Returns a speed of this unit in metres per second.
  package func inMetresPerSecond(_ speed: Double) -> Double {
    // Divisions, so that a whole number of km/h is the nearest number.
    switch self {
    case .metresPerSecond: speed
    case .kilometresPerHour: speed / 3.6
    case .knots: speed * 1852 / 3600
    }
  }
}
