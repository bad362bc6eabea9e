/// A box around consecutive pieces, aligned with the longest of them.
///
/// Axis-aligned boxes of long thin spikes overlap by thousands even if the spikes lie side by side.
struct OrientedBox {
  /// The unit vectors along the longest piece, to its left, and up.
  private let onward, left, up: SIMD3<Double>
  /// The extents along the three axes, from the centre of the sphere.
  private var low = SIMD3<Double>(repeating: .infinity), high = SIMD3<Double>(repeating: -.infinity)
  private var middle = SIMD3<Double>.zero

  /// Creates the box around consecutive points.
  init(_ points: Slice<UnsafeBufferPointer<SIMD3<Double>>>) {
    var normal = SIMD3(0.0, 0, 1), start = SIMD3(1.0, 0, 0), greatest = 0.0
    for (a, b) in zip(points, points.dropFirst()) {
      let n = SphereArc.cross(a, b - a)
      let length² = (n * n).sum()
      // False for the NaN point between lines.
      if length² > greatest { (normal, start, greatest) = (n, a, length²) }
    }
    left = normal / (normal * normal).sum().squareRoot()
    up = start
    onward = SphereArc.cross(left, up)
    for point in points where !point.x.isNaN {
      let p = SIMD3((onward * point).sum(), (left * point).sum(), (up * point).sum())
      low = pointwiseMin(low, p)
      high = pointwiseMax(high, p)
    }
    let m = (low + high) / 2
    middle = onward * m.x + left * m.y + up * m.z
  }

  /// Returns whether two boxes are separated to the left or right of either, by more than a margin.
  func isBeside(_ other: OrientedBox, by room: Double) -> Bool {
    isAcross(other, by: room) || other.isAcross(self, by: room)
  }

  @inline(__always)
  private func isAcross(_ other: OrientedBox, by room: Double) -> Bool {
    let turned = SIMD3((left * other.onward).sum(), (left * other.left).sum(), (left * other.up).sum())
    let half = turned.replacing(with: -turned, where: turned .< 0) * (other.high - other.low)
    let away = (left * other.middle).sum() - (low.y + high.y) / 2
    return away.magnitude > (half.sum() + high.y - low.y) / 2 + room
  }
}
