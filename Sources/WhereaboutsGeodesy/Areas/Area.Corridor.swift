extension Area {
  /// The area within half a width of a line, round at its ends and corners.
  public struct Corridor: Hashable, Sendable {
    /// The line of at least two places, joined by geodesics.
    public let line: [Coordinate]
    /// The width in metres from one side to the other, in (0, ``greatestWidth``].
    public let width: Double

    /// The greatest width in metres; a larger one is treated as a mistake.
    public static var greatestWidth: Double { 2_000_000 }

    /// Creates a corridor along a line. Repeated consecutive places are left out.
    ///
    /// - Parameters:
    ///   - line: the places of the line, in order.
    ///   - width: the width in metres from one side to the other.
    /// - Throws: An ``AreaError`` with the fault and its place.
    public init(line: [Coordinate], width: Double) throws(AreaError) {
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
