import RealModule

/// The boundary of an area of any size, as short pieces of edges on a sphere.
///
/// The sphere is that of `PreparedPlace.onSphere`. Pieces give the side, and the edges that can be nearest. The
/// geodesics themselves then give the distance.
struct GlobeBoundary: Sendable {
  struct Edge: Sendable {
    let start, end: Coordinate
    /// The first point of the edge, and its number of pieces.
    let first, count: Int
  }

  let edges: [Edge]
  /// The ends of pieces, line after line; a NaN point ends a line.
  let points: [SIMD3<Double>]
  /// The greatest height of a piece's middle above its chord, in metres.
  let rise: Double
  /// The greatest distance of a piece from its geodesic, in metres.
  let deviation: Double
  let tree: RunTree<SIMD3<Double>>
  var references: [GlobeReference] = []

  /// The length of the longest piece, in metres.
  static var longestPiece: Double { 4_000 }

  /// Creates the boundary from lines; a filled one also gets reference places with a known side.
  init(_ lines: some Sequence<[PreparedPlace]>, isFilled: Bool) {
    var builder = PieceBuilder()
    for line in lines { builder.append(line) }
    edges = builder.edges
    points = builder.points
    // A piece lies in a plane through the centre, inclined to the normal by up to f. The deviation of a piece is its
    // rise over the chord times f. The sum covers rounding.
    rise = builder.longest² / (8 * WGS84.semiMinorAxis)
    deviation = 10e-9 + rise * 1.02 * WGS84.flattening
    tree = RunTree(points, room: 1.1 * rise / WGS84.semiMinorAxis + 1e-15)
    if isFilled { references = findReferences() }
  }

  private struct PieceBuilder {
    var edges: [Edge] = []
    var points: [SIMD3<Double>] = []
    /// The square of the longest piece.
    var longest² = 0.0

    mutating func append(_ line: [PreparedPlace]) {
      for (start, end) in zip(line, line.dropFirst()) { append(start, end) }
      if let last = line.last { points += [last.onSphere, SIMD3(repeating: .nan)] }
    }

    /// Appends all of an edge except its end.
    private mutating func append(_ start: PreparedPlace, _ end: PreparedPlace) {
      let first = points.count
      let Δ = end.place - start.place
      let chord² = (Δ * Δ).sum()
      points.append(start.onSphere)
      if chord² > longestPiece * longestPiece {
        let edge = GeodesicEdge(from: start.coordinate, to: end.coordinate)
        let count = (edge.length / longestPiece).rounded(.up)
        for i in stride(from: 1, to: count, by: 1) {
          points.append(PreparedPlace(edge.place(at: edge.length * (i / count))).onSphere)
        }
        longest² = max(longest², (edge.length / count) * (edge.length / count))
      } else {
        longest² = max(longest², chord²)
      }
      edges.append(
        Edge(start: start.coordinate, end: end.coordinate, first: first, count: points.count - first))
    }
  }

  /// Returns the edge of a piece.
  func edge(of piece: Int) -> Int {
    var low = 0, high = edges.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if edges[middle].first <= piece { low = middle } else { high = middle }
    }
    return low
  }
}

extension GlobeBoundary {
  /// Returns the distance from a place to the boundary, or to a corridor along the boundary.
  func signedDistance(to place: PreparedPlace, halfWidth: Double?) -> SignedDistance {
    let distance = distance(to: place)
    if let halfWidth { return SignedDistance(metres: distance - halfWidth, errorBound: 50e-9) }
    // Nearer than a piece is to its geodesic the side can be wrong, for an error of twice the distance.
    let error = 50e-9 + 2 * deviation
    return SignedDistance(metres: encloses(place) ? -distance : distance, errorBound: error)
  }

  /// Returns the distance in metres from a place to the nearest place of the boundary.
  func distance(to place: PreparedPlace) -> Double {
    let p = place.onSphere
    // A path is at least b and at most a times as long as on the sphere.
    let angle = 2 * Double.asin(min(1, chordSquared(from: p).squareRoot() / 2))
    let limit = angle * (WGS84.semiMajorAxis / WGS84.semiMinorAxis) + 2 * deviation / WGS84.semiMinorAxis
    let chord = 2 * Double.sin(min(limit, .pi) / 2)
    let limit² = chord * chord * (1 + 1e-12)
    var search = EdgeSearch(place: place.coordinate)
    tree.visitNearest(to: p, limit²: limit²) { run in
      for i in run {
        let (chord², along) = SphereArc.chordSquared(from: p, to: points[i], points[i + 1])
        if chord² <= limit² { search.consider(at: i, chord²: chord², along: along, in: self) }
      }
      return limit²
    }
    search.measureEdge(in: self)
    return search.best
  }

  /// Returns the square of the chord from a place on the sphere to the nearest piece.
  func chordSquared(from p: SIMD3<Double>) -> Double {
    var least = Double.infinity
    tree.visitNearest(to: p) { run in
      for i in run {
        least = min(least, SphereArc.chordSquared(from: p, to: points[i], points[i + 1]).chord²)
      }
      return least
    }
    return least
  }

  /// A search over the edges that may be nearest, each followed from its nearest piece.
  private struct EdgeSearch {
    let place: Coordinate
    var best = Double.infinity
    private var edge = -1, chord² = Double.infinity, along = 0.0

    init(place: Coordinate) {
      self.place = place
    }

    mutating func consider(at piece: Int, chord²: Double, along: Double, in boundary: GlobeBoundary) {
      let edge = boundary.edge(of: piece)
      if edge != self.edge {
        measureEdge(in: boundary)
        self.edge = edge
        self.chord² = .infinity
      }
      if chord² < self.chord² {
        self.chord² = chord²
        let whole = boundary.edges[edge]
        self.along = (Double(piece - whole.first) + along) / Double(whole.count)
      }
    }

    mutating func measureEdge(in boundary: GlobeBoundary) {
      guard edge >= 0 else { return }
      let nearest = GeodesicEdge(from: boundary.edges[edge].start, to: boundary.edges[edge].end)
      best = min(best, nearest.distance(to: place, from: along * nearest.length))
    }
  }
}
