extension Area {
  /// What a ring encloses, without its holes.
  ///
  /// Of the two parts that a ring divides the Earth into it is the smaller, whichever way around the ring is given. Rings may touch
  /// themselves and each other in places, not cross. Edges that run back and forth over the same ground, as
  /// along a cut at 180° or to a pole, are no boundary.
  public struct Polygon: Hashable, Sendable {
    /// The corners of the outer ring, counterclockwise as seen from above; the last is joined to the first, and is not repeated.
    public let exterior: [Coordinate]
    /// The corners of each hole, clockwise.
    public let holes: [[Coordinate]]
    /// Whether some edges cancel.
    let hasSeams: Bool

    /// A polygon. A last corner that repeats the first, and corners that repeat the one before, are left out.
    ///
    /// - Throws: what is wrong with it, and where. What is not deeper than 1 mm is not.
    /// - Complexity: O(n log n) for n corners, and for each 4 km of edges that are longer.
    public init(exterior: [Coordinate], holes: [[Coordinate]] = []) throws(AreaProblem) {
      let outer = try RingSet.corners(of: exterior)
      var inner: [[Coordinate]] = []
      for hole in holes { inner.append(try RingSet.corners(of: hole)) }
      var rings = RingSet()
      try rings.append(outer, holes: inner, as: 0)
      let found = try rings.check()
      self.exterior = found.isTurned[0] ? Self.turned(outer) : outer
      self.holes = zip(inner, found.isTurned.dropFirst()).map { $1 ? Self.turned($0) : $0 }
      hasSeams = found.hasSeams
    }

    /// The ring the other way around, from the same corner.
    private static func turned(_ ring: [Coordinate]) -> [Coordinate] {
      ring.prefix(1) + ring.dropFirst().reversed()
    }
  }
}
