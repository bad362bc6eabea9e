extension Area {
  /// Several polygons that form one area. Polygons may touch, but must not overlap.
  ///
  /// An edge shared by two polygons is no boundary, in particular along a cut at 180°.
  public struct MultiPolygon: Hashable, Sendable {
    /// The polygons, at least one.
    public let polygons: [Polygon]
    /// Whether some edges cancel each other.
    let hasSeams: Bool

    /// Creates an area of several polygons.
    ///
    /// - Throws: ``AreaError/empty`` if there is no polygon, ``AreaError/ringsCross(_:)`` if two overlap.
    /// - Complexity: O(n log n) for n corners.
    public init(_ polygons: [Polygon]) throws(AreaError) {
      guard !polygons.isEmpty else { throw .empty }
      self.polygons = polygons
      guard polygons.count > 1 else {
        hasSeams = polygons[0].hasSeams
        return
      }
      var rings = RingSet()
      for (number, polygon) in polygons.enumerated() {
        try rings.append(polygon.exterior, holes: polygon.holes, as: number)
      }
      hasSeams = try rings.check().hasSeams
    }
  }
}
