import WhereaboutsModel

extension Motion {
  /// The colour of a stretch with this motion.
  ///
  /// - Source: the palette of Okabe and Ito, "Color universal design" (2008), whose colours are distinct for readers
  ///   without red-green vision too. Slow kinds of motion have the cold colours.
  var color: String {
    switch self {
    case .unknown: "#8f8a7d"
    case .still: "#26241f"
    case .moving: "#cc79a7"
    case .walking: "#56b4e9"
    case .running: "#009e73"
    case .cycling: "#e69f00"
    case .driving: "#0072b2"
    case .fast: "#d55e00"
    }
  }

  /// All kinds of motion in the order of a legend: the slow kinds first.
  static let legendOrder = allCases.filter { $0 != .unknown } + [.unknown]

  /// The text in a legend.
  var legend: String { self == .unknown ? "not known how" : rawValue }
}
