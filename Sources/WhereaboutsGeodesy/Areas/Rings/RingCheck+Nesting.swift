import RealModule

extension RingCheck {
  /// Throws for rings that cross nothing but are misplaced: holes outside, polygons in each other.
  func checkNesting(_ isLeft: [Bool]) throws(AreaError) {
    guard rings.count > 1 else { return }
    let far = boundary.farPlaces[0]
    let holdsFar = rings.indices.map { ring in
      boundary.isLeft(of: boundary.longestPiece(in: rings[ring]), far, counting: rings[ring]) == isLeft[ring]
    }
    let around = rings.indices.filter { holdsFar[$0] }
    var isOdd = Array(repeating: false, count: rings.count)
    for ring in rings.indices {
      guard let sample = sample(in: ring, isLeft[ring]) else { continue }
      var crossed: [Int] = []
      boundary.visitCrossings(from: sample.place, to: far) { piece in
        let other = self.ring(of: piece)
        isOdd[other].toggle()
        crossed.append(other)
      }
      let holders = Set(crossed + around).filter { $0 != ring && isOdd[$0] != holdsFar[$0] }
      for other in crossed { isOdd[other] = false }
      try check(ring, in: holders, at: sample.corner)
    }
  }

  private func check(_ ring: Int, in holders: Set<Int>, at corner: Coordinate) throws(AreaError) {
    let role = roles[ring]
    var counts: [Int: Int] = [:]
    var isInOwn = false
    for holder in holders {
      if roles[holder].polygon != role.polygon {
        counts[roles[holder].polygon, default: 0] += 1
      } else if !roles[holder].isHole {
        isInOwn = true
      } else if role.isHole {
        throw .ringsCross(corner)
      }
    }
    if role.isHole, !isInOwn { throw .holeOutside(corner) }
    // A ring in a polygon and in one of its holes is valid.
    if counts.values.contains(where: { $0 % 2 == 1 }) { throw .ringsCross(corner) }
  }

  /// Returns a place just inside a ring that is not on another ring, and a corner nearby; `nil` if none was found.
  private func sample(in ring: Int, _ isLeft: Bool) -> (place: SIMD3<Double>, corner: Coordinate)? {
    let pieces = rings[ring].dropLast(2)
    let longest = boundary.longestPiece(in: rings[ring])
    let others = stride(from: pieces.lowerBound, to: pieces.upperBound, by: max(1, pieces.count / 16))
    for piece in [longest] + Array(others) {
      let a = boundary.points[piece], b = boundary.points[piece + 1]
      let n = SphereArc.cross(a, b - a)
      let length = (n * n).sum().squareRoot()
      let inward = n * ((isLeft ? 3 : -3) * tolerance / length)
      let place = (a + b) / 2 + inward
      let distance² = boundary.chordSquared(from: place)
      if distance² >= 4 * tolerance * tolerance {
        return (place, boundary.edges[boundary.edge(of: piece)].start)
      }
    }
    return nil
  }
}
