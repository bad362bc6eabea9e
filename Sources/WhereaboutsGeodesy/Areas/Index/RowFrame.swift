/// What is the same for all places of 9.8 km from south to north, looked up instead of taking sines.
struct RowFrame {
  /// The square of how many steps north a step east is, in the middle of the row, in zone 0: (N cos φ/M)² by the radii of curvature.
  let ratio: Float
  /// Half of what the ratio changes by for each step northward.
  let slope: Float
  /// The least cosine of a latitude in the row, rounded down.
  let leastCosine: Float

  /// Bits of a step within a row.
  static var bits: UInt32 { Grid.bits + 3 }
  /// How far the square root of a ratio off the middle can be from the truth, as a part of it and times cos²φ: a quarter of the square of half
  /// a row in radians, by the series of cos², and as much again.
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

  /// The row of a place.
  @inline(__always)
  init(_ place: GridPlace) { self = Self.all[Int(place.y >> Self.bits)] }
}
