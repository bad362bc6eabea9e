extension Area {
  /// Several polygons that are one area. They may touch, and must not overlap.
  ///
  /// Edges that two of them share are no boundary, those along a cut at 180° above all.
  public struct MultiPolygon: Hashable, Sendable {
    /// The polygons, at least one.
    public let polygons: [Polygon]
    /// Whether some edges cancel.
    let hasSeams: Bool

    /// One area of several polygons.
    ///
    /// - Throws: ``AreaProblem/empty`` where there is none, ``AreaProblem/ringsCross(_:)`` where two overlap.
    /// - Complexity: O(n log n) for n corners.
    public init(_ polygons: [Polygon]) throws(AreaProblem) {
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
