/// The levels of accuracy that the location service knows, the coarsest first.
///
/// - Source: the `GClueAccuracyLevel` of its interface. It starts what can give a level or less: no satellites for
///   ``street``, no look-up of wireless networks for ``city``, which it moves about by some kilometres besides.
public enum GeoClueAccuracy: UInt32, Hashable, Comparable, Sendable, CaseIterable {
  /// Nothing: location is switched off, or the service has nothing that could tell it.
  case none = 0
  /// The country.
  case country = 1
  /// The city, by the network's address.
  case city = 4
  /// The neighbourhood, by cells of the telephone network.
  case neighborhood = 5
  /// The street, by wireless networks around.
  case street = 6
  /// As exact as there is, by satellites too.
  case exact = 8

  /// Whether the one is coarser than the other.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The least that can give fixes of an accuracy, in metres at 68 %: satellites up to 100 m, wireless networks up to
  /// 5000 m, and the city beyond.
  ///
  /// Wireless networks often do better than 100 m, but not reliably, and too coarse would be a request that never ends.
  /// ``neighborhood`` is never asked for: most machines have no cells, and no more then than the city, which is tens of
  /// kilometres.
  public init(enoughFor accuracy: Double) {
    switch accuracy {
    case ...100: self = .exact
    case ...5000: self = .street
    default: self = .city
    }
  }

  /// The name of the level in words.
  public var name: String {
    switch self {
    case .none: "none"
    case .country: "country"
    case .city: "city"
    case .neighborhood: "neighbourhood"
    case .street: "street"
    case .exact: "exact"
    }
  }
}
