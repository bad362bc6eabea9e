import WhereaboutsModel

extension Motion {
  /// The colour of a stretch with this motion.
  var color: String {
    let color: PictureColor =
      switch self {
      case .unknown: .unknown
      case .still: .still
      case .moving: .moving
      case .walking: .walking
      case .running: .running
      case .cycling: .cycling
      case .driving: .driving
      case .fast: .fast
      }
    return color.hex
  }

  /// All kinds of motion in the order of a legend: the slow kinds first.
  static let legendOrder = allCases.filter { $0 != .unknown } + [.unknown]

  /// The text in a legend.
  var legend: String { self == .unknown ? "not known how" : rawValue }
}
