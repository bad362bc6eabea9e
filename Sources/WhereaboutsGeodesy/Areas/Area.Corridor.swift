extension Area {
  /// Every place within half a width of a line; round at its ends and corners.
  public struct Corridor: Hashable, Sendable {
    /// The line, at least two places, joined by geodesics.
    public let line: [Coordinate]
    /// Metres from one side to the other, in (0, ``greatestWidth``].
    public let width: Double

    /// More is a mistake rather than a corridor.
    public static var greatestWidth: Double { 2_000_000 }

    /// A corridor along a line. Places that repeat the one before are left out.
    ///
    /// - Parameter width: metres from one side to the other.
    /// - Throws: what is wrong with it, and where.
    public init(line: [Coordinate], width: Double) throws(AreaProblem) {
      guard width > 0, width <= Self.greatestWidth else { throw .width(width) }
      var places: [Coordinate] = []
      for place in line where !(places.last.map(place.isSamePlace(as:)) ?? false) { places.append(place) }
      guard places.count >= 2 else { throw .tooFewPlaces(places.count) }
      for (start, end) in zip(places, places.dropFirst())
      where PreparedPlace(start).isNearlyOpposite(PreparedPlace(end)) {
        throw .edgeTooLong(from: start)
      }
      self.line = places
      self.width = width
    }
  }
}
