/// What bounds an area, as lines of geodesics that have the inside on their left.
///
/// For a corridor it is the line in the middle, which has no inside.
struct AreaBoundary {
  /// Corners; a closed line ends with the one it begins with.
  var lines: [[PreparedPlace]] = []

  /// The rings of polygons, which have the inside on their left; where some edges cancel, without those.
  init(_ polygons: [Area.Polygon], hasSeams: Bool) {
    for polygon in polygons {
      lines.append(Self.closed(polygon.exterior))
      for hole in polygon.holes { lines.append(Self.closed(hole)) }
    }
    if hasSeams, let seamless = Seams.removed(from: lines) { lines = seamless }
  }

  private static func closed(_ ring: [Coordinate]) -> [PreparedPlace] {
    var line = ring.map { PreparedPlace($0) }
    line.append(line[0])
    return line
  }

  /// A line of its own.
  init(line: [Coordinate]) {
    lines = [line.map { PreparedPlace($0) }]
  }

  /// The place in the middle of the corners' extents, roughly.
  var center: PreparedPlace {
    var low = SIMD3<Double>(repeating: .infinity), high = -low
    for line in lines {
      for corner in line {
        low = pointwiseMin(low, corner.place)
        high = pointwiseMax(high, corner.place)
      }
    }
    let middle = (low + high) / 2
    return PreparedPlace(EarthCentred.coordinate(of: middle) ?? lines[0][0].coordinate)
  }
}
