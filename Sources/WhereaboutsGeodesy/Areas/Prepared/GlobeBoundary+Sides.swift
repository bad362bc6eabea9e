import RealModule

/// A place on the sphere with a known side.
struct GlobeReference: Sendable {
  let place: SIMD3<Double>
  let isInside: Bool

  /// Returns the squared sine of the angle to a place: the accuracy of the plane through both.
  func sine²(from p: SIMD3<Double>) -> Double {
    let n = SphereArc.cross(p, place)
    return (n * n).sum()
  }
}

extension GlobeBoundary {
  /// Returns whether the boundary encloses a place, by its references.
  func encloses(_ place: PreparedPlace) -> Bool {
    side(of: place.onSphere) ?? false
  }

  private func side(of p: SIMD3<Double>) -> Bool? {
    guard let reference = references.max(by: { $0.sine²(from: p) < $1.sine²(from: p) }) else { return nil }
    var odd = false
    visitCrossings(from: p, to: reference.place) { _ in odd.toggle() }
    return reference.isInside != odd
  }

  /// Visits the pieces that an arc crosses.
  func visitCrossings(from p: SIMD3<Double>, to q: SIMD3<Double>, _ crossing: (Int) -> Void) {
    let n = SphereArc.cross(p, q)
    let size = n.replacing(with: -n, where: n .< 0)
    let ahead = SphereArc.cross(n, p), behind = SphereArc.cross(q, n)
    tree.visit(
      entering: { box in
        // Whether the plane through both cuts the box.
        let middle = (n * (box.low + box.high)).sum().magnitude
        return middle <= (size * (box.high - box.low)).sum()
      },
      run: { run in
        for i in run {
          let a = points[i], b = points[i + 1]
          let sa = (n * a).sum(), sb = (n * b).sum()
          guard (sa >= 0) != (sb >= 0) else { continue }
          let x = a * sb.magnitude + b * sa.magnitude
          if (ahead * x).sum() >= 0, (behind * x).sum() > 0 { crossing(i) }
        }
      })
  }

  /// Returns the radius in metres around a place that holds the boundary and its inside; infinite if they may extend
  /// to all sides.
  func reach(from place: PreparedPlace) -> Double {
    let p = place.onSphere
    let chord² = points.reduce(0.0) { greatest, point in
      let Δ = point - p
      let chord² = (Δ * Δ).sum()
      return chord² > greatest ? chord² : greatest
    }
    // Beyond a quarter of the way around, a bound on the boundary does not bound the inside.
    guard chord² < 1.99, side(of: -p) != true else { return .infinity }
    return 2 * Double.asin(chord².squareRoot() / 2) * WGS84.semiMajorAxis + 2 * deviation
  }

  /// Places spread over the sphere, the one farthest from the boundary first.
  var farPlaces: [SIMD3<Double>] {
    var places: [(place: SIMD3<Double>, chord²: Double)] = []
    for x in [-1.0, 0, 1] {
      for y in [-1.0, 0, 1] {
        for z in [-1.0, 0, 1] where x * x + y * y + z * z > 0 {
          // A small offset avoids symmetrical places, where edges are frequent.
          let p = SIMD3(x + 0.0123, y - 0.0234, z + 0.0345)
          let place = p / (p * p).sum().squareRoot()
          places.append((place, chordSquared(from: place)))
        }
      }
    }
    places.sort { $0.chord² > $1.chord² }
    return places.map(\.place)
  }

  /// Returns two places far from the boundary and not opposite each other, with their sides.
  func findReferences() -> [GlobeReference] {
    let places = farPlaces
    let second = places.dropFirst().first { place in
      let n = SphereArc.cross(places[0], place)
      return (n * n).sum() > 0.1
    }
    let longest = longestPiece(in: points.indices)
    return [places[0], second ?? places[1]].map { place in
      GlobeReference(place: place, isInside: isLeft(of: longest, place, counting: points.indices))
    }
  }

  /// Returns the longest piece of a range.
  func longestPiece(in pieces: Range<Int>) -> Int {
    var longest = pieces.lowerBound, greatest = 0.0
    for i in pieces.dropLast() {
      let u = points[i + 1] - points[i]
      let length² = (u * u).sum()
      if length² > greatest {
        greatest = length²
        longest = i
      }
    }
    return longest
  }

  /// Returns whether a place is inside, given the inside on the left of a piece. The method counts crossings of other
  /// pieces from the piece's middle.
  func isLeft(of piece: Int, _ place: SIMD3<Double>, counting pieces: Range<Int>) -> Bool {
    let a = points[piece], b = points[piece + 1]
    let sum = a + b
    let middle = sum / (sum * sum).sum().squareRoot()
    var isLeft = (SphereArc.cross(a, b) * place).sum() > 0
    visitCrossings(from: middle, to: place) { crossed in
      if crossed != piece, pieces.contains(crossed) { isLeft.toggle() }
    }
    return isLeft
  }
}
