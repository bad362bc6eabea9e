import RealModule

extension RingCheck {
  /// Throws if rings cross each other or themselves.
  ///
  /// Touching is allowed: a corner may lie on another edge or corner if the edges there stay on one side.
  func checkCrossings() throws(AreaError) {
    var found: (i: Int, j: Int, place: SIMD3<Double>)?
    // Unchecked bounds, because winding rings need many millions of pair tests.
    boundary.points.withUnsafeBufferPointer { points in
      let boxes = boundary.tree.spans.map { OrientedBox(points[$0.lowerBound...$0.upperBound]) }
      let room = tolerance + 2 * boundary.rise / WGS84.semiMinorAxis
      boundary.tree.visitPairs(
        entering: { !boxes[$0].isBeside(boxes[$1], by: room) },
        until: { first, second in
          for i in first {
            found = firstCrossing(of: i, in: max(i + 1, second.lowerBound)..<second.upperBound, points)
            if found != nil { return true }
          }
          return false
        })
    }
    guard let found else { return }
    let place = coordinate(of: found.place)
    throw ring(of: found.i) == ring(of: found.j) ? .crossesItself(place) : .ringsCross(place)
  }

  /// Returns the first of some consecutive pieces that a piece crosses.
  private func firstCrossing(
    of i: Int, in pieces: Range<Int>, _ points: UnsafeBufferPointer<SIMD3<Double>>
  ) -> (i: Int, j: Int, place: SIMD3<Double>)? {
    guard !pieces.isEmpty else { return nil }
    let left = LeftSide(of: points[i], points[i + 1])
    var start = left.height(of: points[pieces.lowerBound])
    for j in pieces {
      let heights = Heights(start: start, end: left.height(of: points[j + 1]))
      start = heights.end
      guard heights.least <= tolerance else { continue }
      if let place = crossing(of: i, j, heights) { return (i, j, place) }
    }
    return nil
  }

  /// Returns the crossing of two pieces, given the heights of the second to the left of the first.
  private func crossing(of i: Int, _ j: Int, _ first: Heights) -> SIMD3<Double>? {
    let points = boundary.points
    let a = points[i], b = points[i + 1]
    let left = LeftSide(of: points[j], points[j + 1])
    let second = Heights(start: left.height(of: a), end: left.height(of: b))
    guard second.least <= tolerance else { return nil }
    if first.cross(deeperThan: tolerance), second.cross(deeperThan: tolerance) {
      return a + (b - a) * (second.start / (second.start - second.end))
    }
    if crosses(i, touching: j) { return b }
    return crosses(j, touching: i) ? points[j + 1] : nil
  }

  /// The side to the left of an arc.
  private struct LeftSide {
    private let start, normal: SIMD3<Double>

    @inline(__always)
    init(of a: SIMD3<Double>, _ b: SIMD3<Double>) {
      let n = SphereArc.cross(a, b - a)
      start = a
      normal = n / (n * n).sum().squareRoot()
    }

    @inline(__always)
    func height(of point: SIMD3<Double>) -> Double { (normal * (point - start)).sum() }
  }

  /// The heights of an arc's ends to the left of another arc.
  private struct Heights {
    let start, end: Double

    /// The height of the nearer end if both are on one side; negative otherwise.
    @inline(__always)
    var least: Double { (start > 0) == (end > 0) ? min(start.magnitude, end.magnitude) : -1 }

    func cross(deeperThan tolerance: Double) -> Bool {
      (start > 0) != (end > 0) && min(start.magnitude, end.magnitude) > tolerance
    }
  }

  /// Returns the next piece in the ring.
  private func next(after piece: Int) -> Int {
    boundary.points[piece + 2].x.isNaN ? rings[ring(of: piece)].lowerBound : piece + 1
  }

  /// Returns whether a ring crosses another at the end of a piece that lies on a piece of the other, except its
  /// start.
  private func crosses(_ piece: Int, touching other: Int) -> Bool {
    let points = boundary.points
    let place = points[piece + 1]
    let touch = 1e-6 / WGS84.semiMinorAxis
    let (chord², along) = SphereArc.chordSquared(from: place, to: points[other], points[other + 1])
    let start = points[other] - place, end = points[other + 1] - place
    guard chord² <= touch * touch, (start * start).sum() > touch * touch else { return false }
    let after = next(after: piece)
    guard after != other, next(after: other) != piece else { return false }
    // If the other piece ends here too, its ring continues with the next piece.
    let isEnd = along >= 1 || (end * end).sum() <= touch * touch
    let onward = isEnd ? points[next(after: other) + 1] - place : end
    let sector = Sector(at: place, from: start, to: onward, tolerance: tolerance)
    guard let comes = sector.contains(points[piece] - place),
      let goes = sector.contains(points[after + 1] - place)
    else { return false }
    return comes != goes
  }

  /// The sector to the left of two directions at a place, from the first around to the second.
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

    /// Returns whether two directions are the same over their common length.
    private func isAlong(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Bool {
      let longer = max((a * a).sum(), (b * b).sum()).squareRoot()
      return (a * b).sum() > 0 && turn(a, b).magnitude <= tolerance * longer
    }

    /// Returns whether a direction is in the sector; `nil` along an edge of it.
    func contains(_ direction: SIMD3<Double>) -> Bool? {
      if isAlong(direction, first) || isAlong(direction, last) { return nil }
      if turn(first, last) > 0 { return turn(first, direction) > 0 && turn(direction, last) > 0 }
      return !(turn(last, direction) > 0 && turn(direction, first) > 0)
    }
  }
}
