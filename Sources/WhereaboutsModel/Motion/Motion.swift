/// The motion of the device, as derived from its fixes.
public enum Motion: String, Hashable, Sendable, Codable, CaseIterable {
  /// The motion is not known yet, or no longer.
  case unknown
  /// The device stays where it is.
  case still
  /// The device moves, in an unknown manner.
  case moving
  /// At a walking pace.
  case walking
  /// At a running pace.
  case running
  /// As fast as a bicycle.
  case cycling
  /// As fast as a road vehicle.
  case driving
  /// Faster than any road vehicle: a train, an aircraft.
  case fast
}
