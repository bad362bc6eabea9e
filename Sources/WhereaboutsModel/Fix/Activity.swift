/// The way in which the device is carried, as far as the caller knows.
///
/// The activity is a hint for the source and for estimating the device's movement since a fix.
public enum Activity: String, Hashable, Sendable, Codable, CaseIterable {
  /// The way is unknown.
  case other
  /// On foot.
  case walk
  /// Running.
  case run
  /// Cycling.
  case bike
  /// Any road vehicle.
  case car
  /// On the water.
  case boat
  /// In the air.
  case air

  /// The assumed speed where a fix does not state its own, in metres per second.
  ///
  /// Walking: the preferred speed of adults, 1.4 m/s (Browning et al., *J. Appl. Physiol.* 100, 2006). The others are
  /// round figures of the same kind: a jog, a city cyclist, town traffic, a displacement hull at six knots, an
  /// airliner. The speed of ``other`` lies between a walker's and a car's, so that neither's fixes are kept for much
  /// too long.
  public var typicalSpeed: Double {
    switch self {
    case .other: 5
    case .walk: 1.4
    case .run: 3
    case .bike: 5.5
    case .car: 14
    case .boat: 3
    case .air: 250
    }
  }
}
