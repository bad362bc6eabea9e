/// What bounds an area, as lines of geodesics that have the inside on their left.
///
/// For a corridor it is the line in the middle, which has no inside.
struct AreaBoundary {
  /// Corners; a closed line ends with the one it begins with.
  var lines: [[PreparedPlace]] = []

  /// The rings of polygons.
  init(_ polygons: [Area.Polygon]) {
    for polygon in polygons {
      append(polygon.exterior, isHole: false)
      for hole in polygon.holes { append(hole, isHole: true) }
    }
  }

  /// A line of its own.
  init(line: [Coordinate]) {
    lines = [line.map { PreparedPlace($0) }]
  }

  private mutating func append(_ ring: [Coordinate], isHole: Bool) {
    var line = ring.map { PreparedPlace($0) }
    line.append(line[0])
    let left = SphereArc.areaLeft(of: line.map(\.onSphere))
    if (left > 2 * .pi) != isHole { line.reverse() }
    lines.append(line)
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
