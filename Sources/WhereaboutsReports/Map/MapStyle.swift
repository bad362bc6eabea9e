import WhereaboutsModel

/// Colours and sizes of the picture.
enum MapStyle {
  static let width = 1000.0
  static let margin = 20.0
  static let headerHeight = 84.0
  static let footerHeight = 46.0
  static let panelWidth = width - 2 * margin
  static let panelHeights = 440.0...860.0

  static let page = "#ffffff"
  static let panel = "#f5f3ee"
  static let grid = "#e0dcd2"
  static let frame = "#b9b4a7"
  static let ink = "#26241f"
  static let faintInk = "#6f6a5f"
  static let halo = "#4f8fd0"
  static let start = "#178a45"
  static let end = "#26241f"
  static let stop = "#a3123f"
  static let place = "#8a4fb3"
  static let fence = "#0f766e"
  static let route = "#b07cd0"

  static let titleSize = 26.0
  static let textSize = 14.5
  static let labelSize = 13.0
  static let smallSize = 11.5

  /// The maximum deviation of a drawn line from the recorded line, in pixels.
  static let tolerance = 0.3
}

/// The accuracy of a stretch as a shade. The shades follow the radius of the standard levels.
enum Shade: Int, CaseIterable {
  case room, house, block, coarse, unknown

  init(accuracy: Double?) {
    guard let accuracy else {
      self = .unknown
      return
    }
    switch accuracy {
    case ...AccuracyLevel.room.worstAccuracy: self = .room
    case ...AccuracyLevel.house.worstAccuracy: self = .house
    case ...AccuracyLevel.block.worstAccuracy: self = .block
    default: self = .coarse
    }
  }

  // Dark and cold colours mean accurate, bright and warm colours inaccurate. The colours are distinct for readers
  // without red-green vision too.
  var color: String {
    switch self {
    case .room: "#0b3d91"
    case .house: "#3a86d8"
    case .block: "#f0a202"
    case .coarse: "#d1495b"
    case .unknown: "#1f6f78"
    }
  }

  var legend: String {
    switch self {
    case .room: "5 m and better"
    case .house: "to 15 m"
    case .block: "to 100 m"
    case .coarse: "worse"
    case .unknown: "accuracy not known"
    }
  }
}
