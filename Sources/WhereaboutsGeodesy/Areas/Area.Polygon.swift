extension Area {
  /// What a ring encloses, without its holes.
  ///
  /// Of the two parts that a ring divides the Earth into it is the smaller, whichever way around the ring is given.
  public struct Polygon: Hashable, Sendable {
    /// The corners of the outer ring; the last is joined to the first, and is not repeated.
    public let exterior: [Coordinate]
    /// The corners of each hole, likewise.
    public let holes: [[Coordinate]]

    /// A polygon. A last corner that repeats the first, and corners that repeat the one before, are left out.
    ///
    /// - Throws: what is wrong with it, and where.
    public init(exterior: [Coordinate], holes: [[Coordinate]] = []) throws(AreaProblem) {
      self.exterior = try Self.ring(exterior)
      var rings: [[Coordinate]] = []
      for hole in holes { rings.append(try Self.ring(hole)) }
      self.holes = rings
    }

    private static func ring(_ corners: [Coordinate]) throws(AreaProblem) -> [Coordinate] {
      var ring: [Coordinate] = []
      for corner in corners where corner != ring.last { ring.append(corner) }
      if ring.count > 1, ring.first == ring.last { ring.removeLast() }
      guard ring.count >= 3 else { throw .tooFewCorners(ring.count) }
      return ring
    }
  }

  /// Several polygons that are one area. They may touch, and must not overlap.
  public struct MultiPolygon: Hashable, Sendable {
    /// The polygons, at least one.
    public let polygons: [Polygon]

    /// One area of several polygons.
    ///
    /// - Throws: ``AreaProblem/empty`` where there is none, ``AreaProblem/ringsCross(_:)`` where two overlap.
    public init(_ polygons: [Polygon]) throws(AreaProblem) {
      guard !polygons.isEmpty else { throw .empty }
      self.polygons = polygons
    }
  }
}
