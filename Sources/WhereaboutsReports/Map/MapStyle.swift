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
  static let grid = PictureColor.grid.hex
  static let frame = "#b9b4a7"
  static let ink = "#26241f"
  static let faintInk = PictureColor.gap.hex
  static let halo = PictureColor.halo.hex
  static let start = PictureColor.enter.hex
  static let end = "#26241f"
  static let stop = PictureColor.exit.hex
  static let place = PictureColor.visit.hex
  static let fence = PictureColor.fence.hex
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
    case .room: PictureColor.room.hex
    case .house: PictureColor.house.hex
    case .block: PictureColor.block.hex
    case .coarse: PictureColor.coarse.hex
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
