/// The accuracy levels of the location service, the coarsest first.
///
/// - Source: the `GClueAccuracyLevel` of its interface. The service starts sources of this level or less: no
///   satellites for ``street``, no wireless networks for ``city``. The service also shifts ``city`` positions by some
///   kilometres.
public enum GeoClueAccuracy: UInt32, Hashable, Comparable, Sendable, CaseIterable {
  /// No position: location is switched off, or the service has no source.
  case none = 0
  /// The country.
  case country = 1
  /// The city, from the IP address.
  case city = 4
  /// The neighbourhood, from cells of the telephone network.
  case neighborhood = 5
  /// The street, from nearby wireless networks.
  case street = 6
  /// The best available position, satellites included.
  case exact = 8

  /// Returns whether the left level is coarser than the right.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// Creates the lowest level that can give fixes of an accuracy, in metres at 68 %: satellites up to 100 m, wireless
  /// networks up to 5000 m, and the city beyond.
  ///
  /// Wireless networks are often better than 100 m, but not reliably; a level that is too coarse would leave a
  /// request without an answer. ``neighborhood`` is never requested: most machines have no cells, and then get no
  /// more than the city, within tens of kilometres.
  public init(enoughFor accuracy: Double) {
    switch accuracy {
    case ...100: self = .exact
    case ...5000: self = .street
    default: self = .city
    }
  }

  /// The level's name in words.
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
