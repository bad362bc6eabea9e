/// A box around pieces that follow each other, turned as the longest of them.
///
/// Upright boxes of long thin spikes overlap by thousands where the spikes themselves lie side by side.
struct TurnedBox {
  /// Along the longest piece, to its left, and up; of length 1.
  private let onward, left, up: SIMD3<Double>
  /// Along these three, from the centre of the sphere.
  private var low = SIMD3<Double>(repeating: .infinity), high = SIMD3<Double>(repeating: -.infinity)
  private var middle = SIMD3<Double>.zero

  /// The box around points, one after the other.
  init(_ points: Slice<UnsafeBufferPointer<SIMD3<Double>>>) {
    var normal = SIMD3(0.0, 0, 1), start = SIMD3(1.0, 0, 0), greatest = 0.0
    for (a, b) in zip(points, points.dropFirst()) {
      let n = SphereArc.cross(a, b - a)
      let length² = (n * n).sum()
      // Not true of what stands between lines.
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

  /// Whether another is to the left or to the right of this, or this of that, with more than some room between.
  func isBeside(_ other: TurnedBox, by room: Double) -> Bool {
    isAcross(other, by: room) || other.isAcross(self, by: room)
  }

  @inline(__always)
  private func isAcross(_ other: TurnedBox, by room: Double) -> Bool {
    let turned = SIMD3((left * other.onward).sum(), (left * other.left).sum(), (left * other.up).sum())
    let half = turned.replacing(with: -turned, where: turned .< 0) * (other.high - other.low)
    let away = (left * other.middle).sum() - (low.y + high.y) / 2
    return away.magnitude > (half.sum() + high.y - low.y) / 2 + room
  }
}
