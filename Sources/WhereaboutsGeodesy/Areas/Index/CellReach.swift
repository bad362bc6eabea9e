/// A distance in the plane of a cell of a level, rounded so that nothing within it counts as farther.
struct CellReach {
  /// The distance in steps of the level.
  private let steps: Float
  /// The largest factor by which a distance in the plane exceeds the real one; infinite where the plane is
  /// useless.
  private let tolerance: Float

  /// - Parameters:
  ///   - radius: metres.
  ///   - cosine: that of the latitude of the place, or less.
  @inline(__always)
  init(_ radius: Double, cosine: Double, level: Int) {
    let a = WGS84.semiMajorAxis
    let size = a * (1 - WGS84.eccentricitySquared) * Grid.step * Double(1 << (3 * level))
    // No relevant center is farther from its cell than about this distance.
    let far = (radius + 9 * size * Double(1 << Grid.bits)) * (1 / a)
    let error = (far * far + RowFrame.error) / (cosine * cosine) + far * 0.01
    tolerance = error < 0.1 ? Float(1 + 2 * error) : .infinity
    steps = Float(radius * (1 / size) + 3)
  }

  /// Returns whether an entry's area is certainly farther from a point than the distance.
  @inline(__always)
  func excludes(_ radii: UInt32, distanceSquared d²: Float) -> Bool {
    guard radii < CellEntry.undecided else { return false }
    let outer = (Float(Int32(truncatingIfNeeded: radii >> 16)) + steps) * tolerance
    return d² > outer * outer
  }

  /// Returns the mask of four entries that are not excluded.
  @inline(__always)
  func admits(_ radii: SIMD4<UInt32>, distanceSquared d²: SIMD4<Float>) -> SIMDMask<SIMD4<Int32>> {
    let outer = (CellPoint.numbers(radii &>> 16) + steps) * tolerance
    return (d² .<= outer * outer) .| (radii .>= SIMD4(repeating: CellEntry.undecided))
  }

  /// Returns whether a point is so deep inside an area that its boundary is certainly farther than the distance.
  @inline(__always)
  func isBelow(_ radii: UInt32, distanceSquared d²: Float) -> Bool {
    let inner = Float(Int32(truncatingIfNeeded: radii & 0xFFFF)) - steps
    return inner > 0 && d² * tolerance * tolerance < inner * inner
  }
}
