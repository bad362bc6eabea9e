/// How the device is moving, as its fixes tell.
public enum Motion: String, Hashable, Sendable, Codable, CaseIterable {
  /// Not known yet, or not any more.
  case unknown
  /// It stays where it is.
  case still
  /// It moves, and how can't be told.
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
