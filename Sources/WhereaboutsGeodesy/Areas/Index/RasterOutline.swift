import RealModule

/// The boundary of an area as straight lines in steps of the grid, with the largest deviation from them.
struct RasterOutline {
  /// The closed lines, or the line of a corridor; x is eastward from the center.
  private(set) var lines: [[SIMD2<Double>]] = []
  /// Whether the area is inside the lines.
  let isFilled: Bool
  /// The largest distance of the boundary from the lines, to the east and to the north.
  private(set) var margin = SIMD2<Double>()
  private var low = SIMD2<Double>(repeating: .infinity), high = SIMD2<Double>(repeating: -.infinity)
  private var longest = 0.0, farthestNorth = 0.0

  init?(_ area: Area, around center: Coordinate) {
    var beside = 0.0
    switch area {
    case .circle: return nil
    case .polygon(let polygon):
      isFilled = true
      append(polygon, around: center)
    case .multiPolygon(let multi):
      isFilled = true
      for polygon in multi.polygons { append(polygon, around: center) }
    case .corridor(let corridor):
      isFilled = false
      append(corridor.line, closed: false, around: center)
      beside = corridor.width / 2
    }
    // The plane is used up to 80° and about 30° of width.
    guard farthestNorth < 80, (high.x - low.x) * Grid.step < 0.5, beside < 100_000 else { return nil }
    setMargin(beside: beside)
  }

  private mutating func append(_ polygon: Area.Polygon, around center: Coordinate) {
    for ring in [polygon.exterior] + polygon.holes { append(ring, closed: true, around: center) }
  }

  private mutating func append(_ corners: [Coordinate], closed: Bool, around center: Coordinate) {
    var line: [SIMD2<Double>] = []
    line.reserveCapacity(corners.count + 1)
    for corner in corners {
      var aside = corner.longitude - center.longitude
      if aside > 180 { aside -= 360 }
      if aside < -180 { aside += 360 }
      let point = SIMD2(aside, corner.latitude + 90) * Grid.stepsPerDegree
      if let last = line.last { longest = max(longest, (point - last).length) }
      line.append(point)
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
      farthestNorth = max(farthestNorth, corner.latitude.magnitude)
    }
    if closed, let first = line.first, let last = line.last {
      longest = max(longest, (first - last).length)
      line.append(first)
    }
    lines.append(line)
  }

  /// Sets the margin.
  ///
  /// A geodesic bends away from a line in degrees by its length squared times tan φ/8R, taken twice, and by terms of
  /// the third order. The most northern parallel gives the steps east in a metre.
  private mutating func setMargin(beside: Double) {
    let φ = farthestNorth * .pi / 180 + longest * Grid.step
    let length = longest * Grid.step
    let bend = length * length * (Double.tan(min(φ, 1.45)) + 4 * length) / 4 / Grid.step
    let steps = beside / (WGS84.semiMajorAxis * (1 - WGS84.eccentricitySquared) * Grid.step) + bend
    margin = SIMD2(steps / Double.cos(min(φ, 1.45)) + 3, steps + 3)
  }

  /// The number of squares on a side, by the number of corners: squares are about as long as edges.
  var side: Int {
    switch lines.reduce(0, { $0 + $1.count }) {
    case ...600: 32
    case ...3_000: 64
    case ...12_000: 128
    default: 256
    }
  }

  /// The position of the raster, in steps.
  struct Frame {
    let west, south, width, height: Int
    let side: Int

    /// Returns the squares in a step, times 2³², with the last step in the last square.
    func scale(_ length: Int) -> UInt32 {
      UInt32(min(Double(UInt32.max), 0x1p32 * Double(side) / Double(length)))
    }
  }

  /// Returns the frame around the lines; `nil` if the margin is four squares or more, or the frame reaches a
  /// pole.
  func frame(side: Int) -> Frame? {
    let least = low - margin - 2, most = high + margin + 2
    guard least.y > 0, most.y < Double(Grid.height) else { return nil }
    let west = Int(least.x.rounded(.down)), south = Int(least.y.rounded(.down))
    let frame = Frame(
      west: west, south: south, width: max(side + 1, Int(most.x.rounded(.up)) - west),
      height: max(side + 1, Int(most.y.rounded(.up)) - south), side: side)
    // A corridor is worth a raster only if it takes a part of the raster.
    let squares = SIMD2(Double(frame.width), Double(frame.height)) / Double(side)
    return margin.x < 4 * squares.x && margin.y < 4 * squares.y ? frame : nil
  }

  /// Converts the lines from steps to squares of a frame.
  mutating func fit(_ frame: Frame) {
    let scale = SIMD2(Double(frame.scale(frame.width)), Double(frame.scale(frame.height))) * 0x1p-32
    let corner = SIMD2(Double(frame.west), Double(frame.south))
    for line in lines.indices {
      for index in lines[line].indices { lines[line][index] = (lines[line][index] - corner) * scale }
    }
    margin *= scale
  }
}

extension SIMD2<Double> {
  fileprivate var length: Double { (self * self).sum().squareRoot() }
}
