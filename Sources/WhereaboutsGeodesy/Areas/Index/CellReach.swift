/// A distance in the plane of a cell of a level, such that nothing within it is taken to be farther.
struct CellReach {
  /// In steps of each level; infinite where the plane is no use.
  private let steps: SIMD4<Float>
  /// By how much of itself a distance in the plane may be too great.
  private let tolerance: SIMD4<Float>

  /// - Parameters:
  ///   - radius: metres.
  ///   - cosine: that of the latitude of the place.
  init(_ radius: Double, cosine: Double) {
    let a = WGS84.semiMajorAxis
    let step = a * (1 - WGS84.eccentricitySquared) * Grid.step
    var steps = SIMD4<Float>(), tolerance = SIMD4<Float>()
    for level in 0...3 {
      let size = Double(1 << (3 * level)) * step
      // No center that counts is farther from its cell than this, about.
      let far = (radius + 9 * size * Double(1 << Grid.bits)) / a
      let error = far * (far / (cosine * cosine) + 0.01)
      tolerance[level] = error < 0.1 ? Float(1 + 2 * error) : .infinity
      steps[level] = Float(radius / size + 3)
    }
    self.steps = steps
    self.tolerance = tolerance
  }

  /// Whether an entry's area is farther from a point than the distance for sure.
  @inline(__always)
  func excludes(_ radii: UInt32, distanceSquared d²: Float, at level: Int) -> Bool {
    guard radii >> 16 != CellEntry.everywhere else { return false }
    let outer = (Float(Int32(truncatingIfNeeded: radii >> 16)) + steps[level]) * tolerance[level]
    return d² > outer * outer
  }

  /// Whether a point is so deep inside an area that its boundary is farther than the distance for sure.
  @inline(__always)
  func isBelow(_ radii: UInt32, distanceSquared d²: Float, at level: Int) -> Bool {
    let inner = Float(Int32(truncatingIfNeeded: radii & 0xFFFF)) - steps[level]
    return inner > 0 && d² * tolerance[level] * tolerance[level] < inner * inner
  }
}
