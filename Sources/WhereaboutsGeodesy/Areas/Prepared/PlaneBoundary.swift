import RealModule

/// The boundary of an area that is small enough for one plane, as lines in the plane.
struct PlaneBoundary: Sendable {
  let frame: GnomonicFrame
  /// The corners in the plane, line after line, in metres. A NaN point ends a line. Every comparison with NaN is
  /// false, so loops need no check.
  let points: [SIMD2<Double>]
  /// The square of the radius around the origin that holds all points.
  private let radius²: Double
  private let curvature: Double
  /// The tree for more than a few corners.
  private let tree: RunTree<SIMD2<Double>>?

  /// The radius in metres around the origin that holds all of the boundary; distances in the plane are never less
  /// than on the Earth.
  var reach: Double { radius².squareRoot() * (1 + 1e-12) + 1e-6 }

  /// The greatest distance of corners from the origin, in metres, less than the reach of the plane: places some way
  /// outside must fit too.
  static var greatestReach: Double { 60_000 }

  /// Creates the boundary; `nil` if the boundary is too large for a plane.
  init?(_ lines: some Sequence<[PreparedPlace]>, around origin: PreparedPlace) {
    frame = GnomonicFrame(around: origin)
    curvature = 1 / (frame.radius * frame.radius)
    var points: [SIMD2<Double>] = [], radius² = 0.0
    for line in lines {
      for corner in line {
        guard let point = frame.point(of: corner) else { return nil }
        let r² = (point * point).sum()
        guard r² <= Self.greatestReach * Self.greatestReach else { return nil }
        radius² = max(radius², r²)
        points.append(point)
      }
      points.append(SIMD2(.nan, .nan))
    }
    self.points = points
    self.radius² = radius²
    tree = points.count > 40 ? RunTree(points, room: 0) : nil
  }

  /// Returns whether a line from a point to the far east crosses the boundary an odd number of times.
  func encloses(_ p: SIMD2<Double>) -> Bool {
    var inside = false
    points.withUnsafeBufferPointer { points in
      guard let tree else {
        inside = Self.crossesOddly(p, points, 0..<points.count - 1)
        return
      }
      tree.visit(
        entering: { $0.low.y <= p.y && $0.high.y >= p.y && $0.high.x >= p.x },
        run: { if Self.crossesOddly(p, points, $0) { inside.toggle() } })
    }
    return inside
  }

  @inline(__always)
  private static func crossesOddly(
    _ p: SIMD2<Double>, _ points: UnsafeBufferPointer<SIMD2<Double>>, _ pieces: Range<Int>
  ) -> Bool {
    var odd = false
    var a = points[pieces.lowerBound]
    for i in pieces {
      let b = points[i + 1]
      // One end is below and the other is not: both tests are false for NaN.
      if (a.y <= p.y && b.y > p.y) || (a.y > p.y && b.y <= p.y) {
        let u = b - a, w = p - a
        if (u.x * w.y - u.y * w.x > 0) == (b.y > a.y) { odd.toggle() }
      }
      a = b
    }
    return odd
  }

  /// Returns the distance from a point to the nearest place of the boundary, in metres.
  func distance(to p: SIMD2<Double>) -> Double {
    let p² = (p * p).sum()
    // A length on the Earth is at most the length in the plane, and at least this factor times it.
    let shrink = 1 / (1 + max(p², radius²) * curvature)
    let shrink² = shrink * shrink
    var best = Double.infinity, limit² = Double.infinity
    points.withUnsafeBufferPointer { points in
      func search(_ pieces: Range<Int>) -> Double {
        var a = points[pieces.lowerBound]
        for i in pieces {
          let b = points[i + 1]
          let u = b - a, w = p - a
          let along = (u * w).sum(), u² = (u * u).sum()
          let t = along <= 0 ? 0 : along >= u² ? 1 : along / u²
          let offset = w - t * u
          if (offset * offset).sum() < limit² {
            best = min(best, distance(from: p, p², to: a, b))
            limit² = best * best / shrink²
          }
          a = b
        }
        return limit²
      }
      if let tree { tree.visitNearest(to: p, run: search) } else { _ = search(0..<points.count - 1) }
    }
    return best
  }

  /// Returns the distance in metres from a point to a line between two others, as on the sphere.
  private func distance(from p: SIMD2<Double>, _ p²: Double, to a: SIMD2<Double>, _ b: SIMD2<Double>)
    -> Double
  {
    let u = b - a, w = p - a
    let axb = a.x * u.y - a.y * u.x
    // The position past either end, seen along the line: products of the normals of planes through the centre.
    let pastStart = (u * w).sum() + curvature * axb * (a.x * w.y - a.y * w.x)
    guard pastStart > 0 else { return distance(from: p, p², to: a) }
    let v = p - b
    let beforeEnd = curvature * (-axb) * (b.x * v.y - b.y * v.x) - (u * v).sum()
    guard beforeEnd > 0 else { return distance(from: p, p², to: b) }
    let across = (u.x * w.y - u.y * w.x).magnitude
    let length² = ((u * u).sum() + curvature * axb * axb) * (1 + curvature * p²)
    return arc(across / length².squareRoot())
  }

  private func distance(from p: SIMD2<Double>, _ p²: Double, to a: SIMD2<Double>) -> Double {
    let w = p - a
    let pxa = a.x * w.y - a.y * w.x
    let sine² =
      ((w * w).sum() + curvature * pxa * pxa) / ((1 + curvature * p²) * (1 + curvature * (a * a).sum()))
    return arc(sine².squareRoot())
  }

  /// Returns the arc of a sine, both in metres.
  private func arc(_ sine: Double) -> Double {
    let s² = sine * sine * curvature
    return sine * (1 + s² * (1 / 6 + s² * (3 / 40 + s² * (5 / 112))))
  }

  /// Returns the largest error of a distance from a point to the boundary.
  func errorBound(from p: SIMD2<Double>, over distance: Double) -> Double {
    GnomonicFrame.errorBound(within: max(radius², (p * p).sum()).squareRoot(), over: distance)
  }
}
