import RealModule

/// The boundary of an area of any size, as short pieces of edges on a sphere.
///
/// The sphere is that of `PreparedPlace.onSphere`. Pieces tell the side, and which edges can be nearest; the distance is then found
/// on the geodesics themselves.
struct GlobeBoundary: Sendable {
  private(set) var edges: [GeodesicEdge] = []
  /// Where the pieces of each edge begin in `points`; one more than there are edges.
  private(set) var starts: [Int32] = [0]
  /// The ends of pieces, edge after edge.
  private(set) var points: [SIMD3<Double>] = []
  /// How far a piece can be from its geodesic, in metres.
  private(set) var deviation = 1e-8
  var references: [GlobeReference] = []

  /// The longest piece, in metres.
  static var longestPiece: Double { 5_000 }

  init(_ lines: some Sequence<[PreparedPlace]>) {
    for line in lines {
      for (start, end) in zip(line, line.dropFirst()) { append(start, end) }
    }
  }

  private mutating func append(_ start: PreparedPlace, _ end: PreparedPlace) {
    let edge = GeodesicEdge(from: start.coordinate, to: end.coordinate)
    let count = max(1, Int((edge.length / Self.longestPiece).rounded(.up)))
    let step = edge.length / Double(count)
    points.append(start.onSphere)
    for i in 1..<max(count, 1) { points.append(PreparedPlace(edge.place(at: step * Double(i))).onSphere) }
    points.append(end.onSphere)
    edges.append(edge)
    starts.append(Int32(points.count))
    // A piece lies in a plane through the centre, which leans by up to f to the normal; half a chord's rise times that.
    deviation = max(deviation, 1e-8 + step * step / (8 * WGS84.semiMinorAxis) * 1.02 * WGS84.flattening)
  }

  /// The nearest of an edge's pieces: the square of the chord to it, and metres along the edge.
  @inline(__always)
  func nearest(of edge: Int, to p: SIMD3<Double>) -> (chord²: Double, along: Double) {
    let first = Int(starts[edge]), last = Int(starts[edge + 1]) - 1
    var best = Double.infinity, along = 0.0
    for i in first..<last {
      let (chord², t) = SphereArc.chordSquared(from: p, to: points[i], points[i + 1])
      if chord² < best {
        best = chord²
        along = Double(i - first) + t
      }
    }
    return (best, along * (edges[edge].length / Double(last - first)))
  }

  /// Metres from a place to the nearest of the boundary.
  func distance(to place: PreparedPlace) -> Double {
    let p = place.onSphere
    var least = Double.infinity
    for edge in edges.indices { least = min(least, nearest(of: edge, to: p).chord²) }
    // A path is at least b and at most a times as long as on the sphere.
    let angle = 2 * Double.asin(min(1, least.squareRoot() / 2))
    let limit = angle * (WGS84.semiMajorAxis / WGS84.semiMinorAxis) + 2 * deviation / WGS84.semiMinorAxis
    let chord = 2 * Double.sin(min(limit, .pi) / 2)
    var best = Double.infinity
    for edge in edges.indices {
      let (chord², along) = nearest(of: edge, to: p)
      if chord² <= chord * chord { best = min(best, edges[edge].distance(to: place.coordinate, from: along)) }
    }
    return best
  }

  /// Whether the boundary encloses a place, by its references.
  func encloses(_ place: PreparedPlace) -> Bool {
    side(of: place.onSphere) ?? false
  }

  func side(of p: SIMD3<Double>) -> Bool? {
    guard let reference = references.max(by: { $0.sine²(from: p) < $1.sine²(from: p) }) else { return nil }
    return reference.isInside != crossesOddly(from: p, to: reference.place, leavingOut: nil)
  }

  /// Whether an arc crosses an odd number of pieces.
  func crossesOddly(from p: SIMD3<Double>, to q: SIMD3<Double>, leavingOut: Int?) -> Bool {
    let n = SphereArc.cross(p, q)
    let ahead = SphereArc.cross(n, p), behind = SphereArc.cross(q, n)
    var odd = false
    for edge in edges.indices {
      let first = Int(starts[edge]), last = Int(starts[edge + 1]) - 1
      var a = points[first], sa = (n * a).sum()
      for i in first..<last {
        let b = points[i + 1], sb = (n * b).sum()
        if (sa >= 0) != (sb >= 0), i != leavingOut {
          let x = a * sb.magnitude + b * sa.magnitude
          if (ahead * x).sum() >= 0, (behind * x).sum() > 0 { odd.toggle() }
        }
        (a, sa) = (b, sb)
      }
    }
    return odd
  }
}

/// A place on the sphere of which is known whether it is inside.
struct GlobeReference: Sendable {
  let place: SIMD3<Double>
  let isInside: Bool

  /// How well a plane through both is known.
  func sine²(from p: SIMD3<Double>) -> Double {
    let n = SphereArc.cross(p, place)
    return (n * n).sum()
  }
}

/// Arcs of great circles between two places on the sphere of radius 1.
enum SphereArc {
  @inline(__always)
  static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }

  /// The square of the chord from a place to the nearest of an arc, and which part of the arc, from 0 to 1, lies before that.
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

  /// The area on the sphere to the left of a closed line, in steradians, in [0, 4π).
  static func areaLeft(of ring: [SIMD3<Double>]) -> Double {
    guard let apex = ring.first else { return 0 }
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

extension GlobeBoundary {
  /// The boundary; where it encloses something, with places that tell the side of others.
  init(_ lines: some Sequence<[PreparedPlace]>, isFilled: Bool) {
    self.init(lines)
    if isFilled { references = findReferences() }
  }

  /// How far a place is from the boundary, or from a corridor along it.
  func signedDistance(to place: PreparedPlace, halfWidth: Double?) -> SignedDistance {
    let distance = distance(to: place)
    let error = 50e-9 + deviation
    if let halfWidth { return SignedDistance(metres: distance - halfWidth, errorBound: error) }
    return SignedDistance(metres: encloses(place) ? -distance : distance, errorBound: error)
  }

  /// Metres from a place within which the boundary is, and what it encloses; infinite where it may be on all sides.
  func reach(from place: PreparedPlace, isFilled: Bool) -> Double {
    let p = place.onSphere
    let chord² = points.reduce(0.0) { max($0, (($1 - p) * ($1 - p)).sum()) }
    // Beyond a quarter of the way around what bounds the boundary does not bound the inside.
    guard chord² < 1.99 else { return .infinity }
    if isFilled, let side = side(of: -p), side { return .infinity }
    return 2 * Double.asin(chord².squareRoot() / 2) * WGS84.semiMajorAxis + deviation
  }

  /// Two places far from the boundary and not opposite each other, and whether they are inside.
  private func findReferences() -> [GlobeReference] {
    var candidates: [(place: SIMD3<Double>, chord²: Double)] = []
    for x in [-1.0, 0, 1] {
      for y in [-1.0, 0, 1] {
        for z in [-1.0, 0, 1] where x * x + y * y + z * z > 0 {
          // A little off what is symmetrical, where edges like to lie.
          let p = SIMD3(x + 0.0123, y - 0.0234, z + 0.0345)
          let place = p / (p * p).sum().squareRoot()
          candidates.append((place, chordSquared(from: place)))
        }
      }
    }
    candidates.sort { $0.chord² > $1.chord² }
    let first = candidates[0].place
    let others = candidates.dropFirst().first { candidate in
      let n = SphereArc.cross(first, candidate.place)
      return (n * n).sum() > 0.1
    }
    return [first, others?.place ?? first].map { GlobeReference(place: $0, isInside: isInside($0)) }
  }

  private func chordSquared(from p: SIMD3<Double>) -> Double {
    edges.indices.reduce(Double.infinity) { min($0, nearest(of: $1, to: p).chord²) }
  }

  /// Whether a place is inside: seen from the middle of the longest piece, whose left is inside.
  private func isInside(_ place: SIMD3<Double>) -> Bool {
    var longest = 0, length² = 0.0
    for edge in edges.indices {
      for i in Int(starts[edge])..<Int(starts[edge + 1]) - 1 {
        let u = points[i + 1] - points[i]
        if (u * u).sum() > length² {
          length² = (u * u).sum()
          longest = i
        }
      }
    }
    let a = points[longest], b = points[longest + 1]
    let middle = (a + b) / ((a + b) * (a + b)).sum().squareRoot()
    let isLeft = (SphereArc.cross(a, b) * place).sum() > 0
    return isLeft != crossesOddly(from: middle, to: place, leavingOut: longest)
  }
}
