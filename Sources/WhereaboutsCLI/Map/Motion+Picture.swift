import WhereaboutsCore

extension Motion {
  /// The colour of a stretch that was made like this.
  ///
  /// - Source: the palette of Okabe and Ito, "Color universal design" (2008), whose colours are told apart by people who
  ///   see no red or no green too; the slow kinds have the cold ones.
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

  /// All of them in the order of a legend: the slow ones first.
  static let inOrder = allCases.filter { $0 != .unknown } + [.unknown]

  /// What a legend says about it.
  var legend: String { self == .unknown ? "not known how" : rawValue }
}
