import RealModule

/// Arcs of great circles between two places on the unit sphere.
enum SphereArc {
  /// Returns the cross product of two vectors.
  @inline(__always)
  static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }

  /// Returns the square of the chord from a place to the nearest point of an arc, in squared radii of the sphere, and the
  /// fraction of the arc before that point, in [0, 1].
  @inline(__always)
  static func chordSquared(
    from p: SIMD3<Double>, to a: SIMD3<Double>, _ b: SIMD3<Double>
  ) -> (chord²: Double, along: Double) {
    let u = b - a, w = p - a, v = p - b
    let n = cross(a, u)
    // n × a and b × n point along the arc, from either end.
    let fromStart = (cross(n, a) * p).sum(), fromEnd = (cross(b, n) * p).sum()
    if fromStart > 0, fromEnd > 0 {
      let across = (n * w).sum(), n² = (n * n).sum()
      let sine² = across * across / n²
      let chord² = 2 * sine² / (1 + max(0, 1 - sine²).squareRoot())
      return (chord², fromStart / (fromStart + fromEnd))
    }
    let start² = (w * w).sum(), end² = (v * v).sum()
    return start² <= end² ? (start², 0) : (end², 1)
  }

  /// Returns the area on the sphere to the left of a closed line, in steradians, in [0, 4π).
  ///
  /// - Parameter apex: a place whose opposite is not near the line. For a small ring, a near apex keeps the digits.
  /// - Source: The excess of the triangles of apex and edge, by van Oosterom and Strackee, "The solid angle of a
  ///   plane triangle", IEEE Transactions on Biomedical Engineering 30 (1983).
  static func areaLeft(of ring: some Collection<SIMD3<Double>>, apex: SIMD3<Double>) -> Double {
    var sum = 0.0
    for (a, b) in zip(ring, ring.dropFirst()) {
      let volume = (apex * cross(a - apex, b - apex)).sum()
      let base = 1 + (a * b).sum() + (b * apex).sum() + (apex * a).sum()
      sum += 2 * Double.atan2(y: volume, x: base)
    }
    let whole = 4 * Double.pi
    let area = sum.remainder(dividingBy: whole)
    return area < 0 ? area + whole : area
  }
}
