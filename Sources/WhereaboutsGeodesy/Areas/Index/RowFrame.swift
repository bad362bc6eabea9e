/// The values shared by all places within 9.8 km from south to north, stored to avoid sines.
struct RowFrame {
  /// The square of the ratio of a step east to a step north, in the middle of the row, in zone 0: (N cos φ/M)² by the
  /// radii of curvature.
  let ratio: Float
  /// Half of the change of the ratio for each step northward.
  let slope: Float
  /// The least cosine of a latitude in the row, rounded down.
  let leastCosine: Float

  /// The bits of a step within a row.
  static var bits: UInt32 { Grid.bits + 3 }
  /// The largest relative error of the square root of a ratio off the middle, times cos²φ. The value is a quarter of
  /// the square of half a row in radians, by the series of cos², doubled.
  static var error: Double { 4e-7 }

  static let all: [RowFrame] = (0..<Grid.height >> bits).map { RowFrame(row: $0) }

  private init(row: UInt32) {
    let half: UInt32 = 1 << (Self.bits - 1)
    let latitude = Double(row << Self.bits + half) / Grid.stepsPerDegree - 90
    let edge = min(90, latitude.magnitude + Double(half) / Grid.stepsPerDegree)
    let φ = sines(ofDegrees: SIMD2(latitude, 90 - latitude.magnitude))
    let e² = WGS84.eccentricitySquared
    let stretch = (1 - e² * (φ.x * φ.x)) / (1 - e²)
    let stretch² = stretch * stretch
    ratio = Float(stretch² * φ.y * φ.y)
    slope = Float(-stretch² * φ.x * φ.y * Grid.step)
    let least = sines(ofDegrees: SIMD2(90 - edge, 0)).x
    leastCosine = Float(least * (1 - 1e-6))
  }

  /// Returns the row of a place.
  @inline(__always)
  init(_ place: GridPlace) { self = Self.all[Int(place.y >> Self.bits)] }
}
