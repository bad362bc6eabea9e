/// The boundary of an area, as lines of geodesics with the inside on their left.
///
/// The boundary of a corridor is its centre line, which has no inside.
struct AreaBoundary {
  /// The corners of each line; a closed line ends with its first corner.
  var lines: [[PreparedPlace]] = []

  /// Creates the boundary from the rings of polygons, with the inside on their left and without edges that cancel
  /// each other.
  init(_ polygons: [Area.Polygon], hasSeams: Bool) {
    for polygon in polygons {
      lines.append(Self.closed(polygon.exterior))
      for hole in polygon.holes { lines.append(Self.closed(hole)) }
    }
    if hasSeams, let seamless = Seams.withoutSeams(from: lines) { lines = seamless }
  }

  private static func closed(_ ring: [Coordinate]) -> [PreparedPlace] {
    var line = ring.map { PreparedPlace($0) }
    line.append(line[0])
    return line
  }

  /// Creates a boundary from a single line.
  init(line: [Coordinate]) {
    lines = [line.map { PreparedPlace($0) }]
  }

  /// The approximate middle of the corners' extents.
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
