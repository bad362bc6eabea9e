import RealModule

extension RingCheck {
  /// Finds a place where rings cross, each other or themselves.
  ///
  /// To touch is not to cross: a corner may lie on another edge or corner, as long as the edges there stay on one side.
  func checkCrossings() throws(AreaProblem) {
    var found: AreaProblem?
    boundary.tree.visitPairs { first, second in
      for i in first {
        for j in second where i < j {
          guard let place = crossing(of: i, j) else { continue }
          let place2 = coordinate(of: place)
          found = ring(of: i) == ring(of: j) ? .crossesItself(place2) : .ringsCross(place2)
          return true
        }
      }
      return false
    }
    if let found { throw found }
  }

  private func crossing(of i: Int, _ j: Int) -> SIMD3<Double>? {
    let points = boundary.points
    let a = points[i], b = points[i + 1], c = points[j], d = points[j + 1]
    let first = Heights(over: a, b, of: c, d)
    guard first.least <= tolerance else { return nil }
    let second = Heights(over: c, d, of: a, b)
    guard second.least <= tolerance else { return nil }
    if first.cross(deeperThan: tolerance), second.cross(deeperThan: tolerance) {
      return a + (b - a) * (second.start / (second.start - second.end))
    }
    if crosses(i, touching: j) { return b }
    return crosses(j, touching: i) ? d : nil
  }

  /// How far two points are to the left of an arc.
  private struct Heights {
    let start, end: Double

    init(over a: SIMD3<Double>, _ b: SIMD3<Double>, of c: SIMD3<Double>, _ d: SIMD3<Double>) {
      let n = SphereArc.cross(a, b - a)
      let length = (n * n).sum().squareRoot()
      start = (n * (c - a)).sum() / length
      end = (n * (d - a)).sum() / length
    }

    /// What the nearer one is off if both are on one side; negative if they are not.
    var least: Double { (start > 0) == (end > 0) ? min(start.magnitude, end.magnitude) : -1 }

    func cross(deeperThan tolerance: Double) -> Bool {
      (start > 0) != (end > 0) && min(start.magnitude, end.magnitude) > tolerance
    }
  }

  /// The piece that follows in the ring.
  private func next(after piece: Int) -> Int {
    boundary.points[piece + 2].x.isNaN ? rings[ring(of: piece)].lowerBound : piece + 1
  }

  /// Whether a ring crosses another where a piece ends on a piece of that, but for its start.
  private func crosses(_ piece: Int, touching other: Int) -> Bool {
    let points = boundary.points
    let place = points[piece + 1]
    let touch = 1e-6 / WGS84.semiMinorAxis
    let (chord², along) = SphereArc.chordSquared(from: place, to: points[other], points[other + 1])
    let start = points[other] - place, end = points[other + 1] - place
    guard chord² <= touch * touch, (start * start).sum() > touch * touch else { return false }
    let after = next(after: piece)
    guard after != other, next(after: other) != piece else { return false }
    // Where that ends here too, it goes on with its next piece.
    let isEnd = along >= 1 || (end * end).sum() <= touch * touch
    let onward = isEnd ? points[next(after: other) + 1] - place : end
    let sector = Sector(at: place, from: start, to: onward, tolerance: tolerance)
    guard let comes = sector.holds(points[piece] - place), let goes = sector.holds(points[after + 1] - place)
    else { return false }
    return comes != goes
  }

  /// What lies to the left of two directions at a place, from the one around to the other.
  private struct Sector {
    let place, first, last: SIMD3<Double>
    let tolerance: Double

    init(at place: SIMD3<Double>, from first: SIMD3<Double>, to last: SIMD3<Double>, tolerance: Double) {
      self.place = place
      self.first = first
      self.last = last
      self.tolerance = tolerance
    }

    private func turn(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
      (place * SphereArc.cross(a, b)).sum()
    }

    /// Whether two directions are the same as far as both go.
    private func isAlong(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Bool {
      let longer = max((a * a).sum(), (b * b).sum()).squareRoot()
      return (a * b).sum() > 0 && turn(a, b).magnitude <= tolerance * longer
    }

    /// Whether a direction is in it; `nil` where it runs along an edge of it.
    func holds(_ direction: SIMD3<Double>) -> Bool? {
      if isAlong(direction, first) || isAlong(direction, last) { return nil }
      if turn(first, last) > 0 { return turn(first, direction) > 0 && turn(direction, last) > 0 }
      return !(turn(last, direction) > 0 && turn(direction, first) > 0)
    }
  }
}
