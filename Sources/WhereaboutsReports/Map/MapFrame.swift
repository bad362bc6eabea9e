import WhereaboutsGeodesy

/// The visible part of the plane, and its position in the picture.
struct MapFrame {
  /// The left edge of the panel, in pixels.
  let left = MapStyle.margin
  let top = MapStyle.headerHeight
  let width = MapStyle.panelWidth
  let height: Double
  let pixelsPerMetre: Double
  /// The centre of the panel, in metres of the plane.
  let middle: LocalPlane.Point

  var right: Double { left + width }
  var bottom: Double { top + height }

  /// Creates a frame that contains all points with a margin of at least `leastRoom` metres.
  ///
  /// - Parameter points: at least one point.
  init(holding points: [LocalPlane.Point], leastRoom: Double) {
    var (minX, maxX, minY, maxY) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
    for point in points {
      (minX, maxX) = (min(minX, point.east), max(maxX, point.east))
      (minY, maxY) = (min(minY, point.north), max(maxY, point.north))
    }
    let room = max(leastRoom, 0.09 * max(maxX - minX, maxY - minY))
    let (spanX, spanY) = (maxX - minX + 2 * room, maxY - minY + 2 * room)
    height = min(
      max(width * spanY / spanX, MapStyle.panelHeights.lowerBound), MapStyle.panelHeights.upperBound)
    pixelsPerMetre = min(width / spanX, height / spanY)
    middle = LocalPlane.Point(east: (minX + maxX) / 2, north: (minY + maxY) / 2)
  }

  func pixel(_ point: LocalPlane.Point) -> PlanePoint {
    PlanePoint(
      x: left + width / 2 + (point.east - middle.east) * pixelsPerMetre,
      y: top + height / 2 - (point.north - middle.north) * pixelsPerMetre)
  }

  func contains(_ pixel: PlanePoint) -> Bool {
    pixel.x >= left && pixel.x <= right && pixel.y >= top && pixel.y <= bottom
  }

  /// Returns the greatest round number (1, 2 or 5 times a power of ten) of metres that fits into the pixels.
  func roundLength(within pixels: Double) -> Double {
    Self.roundNumber(notAbove: pixels / pixelsPerMetre)
  }

  static func roundNumber(notAbove limit: Double) -> Double {
    var power = 1.0
    while power > limit, power > 1e-9 { power /= 10 }
    while power * 10 <= limit { power *= 10 }
    return [5, 2].map { $0 * power }.first { $0 <= limit } ?? power
  }
}
