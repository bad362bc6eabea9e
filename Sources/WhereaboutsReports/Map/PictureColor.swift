import WhereaboutsModel

/// The colours of pictures by their meaning. The web page has the same ones: the server makes its style sheet of them.
///
/// - Source: the palette of Okabe and Ito, "Color universal design" (2008), for motion. Its colours are distinct for
///   readers without red-green vision too. Slow kinds of motion have the cold colours.
package enum PictureColor: String, CaseIterable, Sendable {
  case grid, gap
  case unknown, still, moving, walking, running, cycling, driving, fast, rail, vehicle
  case halo, room, house, block, coarse
  case fence, visit, enter, exit, dwell

  /// The colour as `#rrggbb`.
  package var hex: String {
    switch self {
    case .grid: "#e0dcd2"
    case .gap: "#6f6a5f"
    case .unknown: "#8f8a7d"
    case .still: "#26241f"
    // Also rail: neither is a kind of the other's picture.
    case .moving, .rail: "#cc79a7"
    case .walking: "#56b4e9"
    case .running: "#009e73"
    case .cycling: "#e69f00"
    case .driving: "#0072b2"
    // Between road and rail.
    case .vehicle: "#6d6fae"
    case .fast: "#d55e00"
    case .halo: "#4f8fd0"
    case .room: "#0b3d91"
    case .house: "#3a86d8"
    case .block: "#f0a202"
    case .coarse: "#d1495b"
    case .fence: "#0f766e"
    case .visit, .dwell: "#8a4fb3"
    case .enter: "#178a45"
    case .exit: "#a3123f"
    }
  }
}

extension TransportMode {
  /// The colour of a journey by this mode: that of the motion, where a motion is of one mode.
  var color: String {
    let color: PictureColor =
      switch self {
      case .walking: .walking
      case .cycling: .cycling
      case .driving: .driving
      case .rail: .rail
      case .vehicle: .vehicle
      case .flying: .fast
      case .unknown: .unknown
      }
    return color.hex
  }
}
