extension Area {
  /// The area enclosed by a ring, without its holes.
  ///
  /// A ring divides the Earth into two parts. The polygon is the smaller part, in either orientation of the ring.
  /// Rings may touch themselves and each other at points, but must not cross. Edges that run back and forth over the
  /// same ground, as along a cut at 180° or to a pole, are no boundary.
  public struct Polygon: Hashable, Sendable {
    /// The corners of the outer ring, counterclockwise as seen from above. The last corner is joined to the first,
    /// which is not repeated.
    public let exterior: [Coordinate]
    /// The corners of each hole, clockwise.
    public let holes: [[Coordinate]]
    /// Whether some edges cancel each other.
    let hasSeams: Bool

    /// Creates a polygon. A last corner that repeats the first, and repeated consecutive corners, are left out.
    ///
    /// - Throws: An ``AreaError`` with the fault and its place. Faults up to 1 mm deep are tolerated.
    /// - Complexity: O(n log n) for n corners, and for each 4 km of longer edges.
    public init(exterior: [Coordinate], holes: [[Coordinate]] = []) throws(AreaError) {
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

    /// Returns the ring in the opposite orientation, from the same corner.
    private static func turned(_ ring: [Coordinate]) -> [Coordinate] {
      ring.prefix(1) + ring.dropFirst().reversed()
    }
  }
}
