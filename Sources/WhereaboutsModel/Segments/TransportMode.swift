/// The mode of transport of a leg.
package enum TransportMode: String, Hashable, Sendable, CaseIterable {
  /// On foot.
  case walking
  /// By bicycle, or as fast as one.
  case cycling
  /// By a road vehicle.
  case driving
  /// By train.
  case rail
  /// By a road vehicle or by train: the fixes do not show which.
  case vehicle
  /// By aircraft: faster than any train.
  case flying
  /// The fixes do not show the mode.
  case unknown
}
